/** Operations beside the API: the start page, health, public keys and the description of the API. */
import { Type } from 'typebox'
import { freeObject, named } from './common.ts'
import { operation } from './operation.ts'

const Home = named('Home', {
  name: Type.Literal('Countersign'),
  summary: Type.String(),
  links: named(
    'HomeLinks',
    {
      docs: Type.Literal('/docs'),
      verify: Type.Literal('/verify'),
      openapi: Type.Literal('/openapi.json'),
      health: Type.Literal('/health/ready'),
    },
    { description: 'Paths on this server' },
  ),
})

const shared = {
  surface: 'root',
  method: 'GET',
  tag: 'System',
  access: { kind: 'public' },
  store: 'none',
  rate: 'none',
  envelope: 'bare',
} as const

export const home = operation({
  ...shared,
  id: 'system.getHome',
  path: '/',
  page: true,
  summary: 'Get the name of this server and links to the reference, the verifier and the health check',
  description: 'Browsers get a page, other clients get JSON.',
  replies: { 200: Home },
})

const Healthy = named('Health', { status: Type.Literal('ok') })

export const live = operation({
  ...shared,
  id: 'system.checkLive',
  path: '/health/live',
  summary: 'Check that the process runs',
  description: 'For a supervisor that restarts the process. It does not query a database.',
  replies: { 200: Healthy },
})

export const ready = operation({
  ...shared,
  id: 'system.checkReady',
  path: '/health/ready',
  summary: 'Check that the server can serve requests',
  description: 'For a load balancer. 200 while the directory can be written and the process is not shutting down.',
  replies: { 200: Healthy },
  errors: ['SERVICE_UNAVAILABLE'],
})

const Jwk = named('Jwk', {
  kty: Type.String(),
  crv: Type.String(),
  x: Type.String(),
  y: Type.String(),
  kid: Type.String(),
  alg: Type.String(),
  use: Type.String(),
})
const Jwks = named('Jwks', { keys: Type.Array(Jwk) })

export const jwks = operation({
  ...shared,
  id: 'system.getJwks',
  path: '/.well-known/jwks.json',
  summary: 'Get the public keys of access tokens, as a JSON Web Key Set',
  replies: { 200: Jwks },
})

export const openApi = operation({
  ...shared,
  id: 'system.getOpenApi',
  path: '/openapi.json',
  summary: 'Get this description, as OpenAPI 3.1',
  replies: { 200: freeObject('OpenApiDocument', 'An OpenAPI 3.1 document') },
})
