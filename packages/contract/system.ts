/** Operations beside the API: the start page, health, public keys and the description of the API. */
import { Type } from 'typebox'
import { closed } from './common.ts'
import { operation } from './operation.ts'

const Home = Type.Object(
  {
    name: Type.Literal('Countersign'),
    summary: Type.String(),
    links: Type.Object(
      {
        docs: Type.Literal('/docs'),
        verify: Type.Literal('/verify'),
        openapi: Type.Literal('/openapi.json'),
        health: Type.Literal('/health/ready'),
      },
      { ...closed, description: 'Paths on this server' },
    ),
  },
  closed,
)

export const home = operation({
  id: 'system.getHome',
  surface: 'root',
  method: 'GET',
  path: '/',
  tag: 'System',
  access: { kind: 'public' },
  store: 'none',
  rate: 'none',
  envelope: 'bare',
  page: true,
  summary: 'What this server is, with links to the reference, the verifier and the health check',
  description: 'Browsers get a page, other clients get JSON.',
  replies: { 200: Home },
})

const Healthy = Type.Object({ status: Type.Literal('ok') }, closed)

export const live = operation({
  id: 'system.checkLive',
  surface: 'root',
  method: 'GET',
  path: '/health/live',
  tag: 'System',
  access: { kind: 'public' },
  store: 'none',
  rate: 'none',
  envelope: 'bare',
  summary: 'The process runs; says nothing about the database',
  replies: { 200: Healthy },
})

export const ready = operation({
  id: 'system.checkReady',
  surface: 'root',
  method: 'GET',
  path: '/health/ready',
  tag: 'System',
  access: { kind: 'public' },
  store: 'none',
  rate: 'none',
  envelope: 'bare',
  summary: 'Requests can be served: databases answer and the process is not shutting down',
  replies: { 200: Healthy },
  errors: ['SERVICE_UNAVAILABLE'],
})

export const jwks = operation({
  id: 'system.getJwks',
  surface: 'root',
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag: 'System',
  access: { kind: 'public' },
  store: 'none',
  rate: 'none',
  envelope: 'bare',
  summary: 'Public keys of our access tokens',
  replies: {
    200: Type.Object(
      {
        keys: Type.Array(
          Type.Object(
            {
              kty: Type.String(),
              crv: Type.String(),
              x: Type.String(),
              y: Type.String(),
              kid: Type.String(),
              alg: Type.String(),
              use: Type.String(),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
  },
})

export const openApi = operation({
  id: 'system.getOpenApi',
  surface: 'root',
  method: 'GET',
  path: '/openapi.json',
  tag: 'System',
  access: { kind: 'public' },
  store: 'none',
  rate: 'none',
  envelope: 'bare',
  summary: 'This description, OpenAPI 3.1',
  replies: { 200: Type.Record(Type.String(), Type.Unknown()) },
})
