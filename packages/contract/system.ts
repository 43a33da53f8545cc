/** Operations outside the API: the start page, health checks, public keys and the OpenAPI document. */
import { Type } from 'typebox'
import { freeObject, named } from './common.ts'
import { operation } from './operation.ts'

const Home = named(
  'Home',
  {
    name: Type.Literal('Countersign', { description: 'The name of the product.' }),
    summary: Type.String({ description: 'What this server is, in a sentence.' }),
    links: named(
      'HomeLinks',
      {
        docs: Type.Literal('/docs', { description: 'The API reference and guides.' }),
        verify: Type.Literal('/verify', { description: 'The page that verifies a record or a file.' }),
        openapi: Type.Literal('/openapi.json', { description: 'This description of the API.' }),
        health: Type.Literal('/health/ready', { description: 'The health check.' }),
      },
      { description: 'Paths on this server.' },
    ),
  },
  { description: 'What this server is, with links to its pages.' },
)

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
  summary: 'Retrieve the start page',
  description:
    "Returns the server's name and links to the reference, the verifier and the health check. Browsers get a page; other clients get JSON.",
  replies: { 200: Home },
})

const Healthy = named(
  'Health',
  {
    status: Type.Literal('ok', { description: "Always `ok`. If the server isn't healthy, the response is an error." }),
  },
  { description: 'Whether the server is healthy.' },
)

export const live = operation({
  ...shared,
  id: 'system.checkLive',
  path: '/health/live',
  summary: 'Check liveness',
  description: "Confirms that the process is running, for a supervisor that restarts it. It doesn't query a database.",
  replies: { 200: Healthy },
})

export const ready = operation({
  ...shared,
  id: 'system.checkReady',
  path: '/health/ready',
  summary: 'Check readiness',
  description:
    "Confirms that the server can serve requests, for a load balancer. The response is 200 while the directory can be written to and the process isn't shutting down.",
  replies: { 200: Healthy },
  errors: ['SERVICE_UNAVAILABLE'],
})

const Jwk = named(
  'Jwk',
  {
    kty: Type.String({ description: 'The key type.' }),
    crv: Type.String({ description: 'The curve.' }),
    x: Type.String({ description: 'The x coordinate, in base64url.' }),
    y: Type.String({ description: 'The y coordinate, in base64url.' }),
    kid: Type.String({ description: "The key's ID, as in the header of an access token." }),
    alg: Type.String({ description: 'The signature algorithm.' }),
    use: Type.String({ description: 'What the key is for: `sig`.' }),
  },
  { description: 'A public key as a JSON Web Key.' },
)
const Jwks = named(
  'Jwks',
  { keys: Type.Array(Jwk, { description: 'The keys, in any order. Choose by `kid`.' }) },
  { description: 'Public keys as a JSON Web Key Set.' },
)

export const jwks = operation({
  ...shared,
  id: 'system.getJwks',
  path: '/.well-known/jwks.json',
  summary: 'Retrieve the public keys',
  description: 'Returns the public keys that verify access tokens, as a JSON Web Key Set.',
  replies: { 200: Jwks },
})

export const openApi = operation({
  ...shared,
  id: 'system.getOpenApi',
  path: '/openapi.json',
  summary: 'Retrieve the OpenAPI document',
  description: 'Returns this description of the API, as OpenAPI 3.1.',
  replies: { 200: freeObject('OpenApiDocument', 'An OpenAPI 3.1 document.') },
})
