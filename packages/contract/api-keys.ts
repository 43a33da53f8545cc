/** API keys of a center, managed by its ADMIN. The specification names keys but not their management. */
import { Type } from 'typebox'
import { DateTime, named, nullable } from './common.ts'
import { EventActorType, ScopeSchema } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const KeyActor = named(
  'ApiKeyActor',
  { id: Type.String({ minLength: 1, maxLength: 10_000 }), type: EventActorType },
  {
    description:
      'The only actor as whom the key records decisions; another one is refused with 403. The key sees only the decisions of this actor, and neither chains nor webhooks',
  },
)

const ApiKeyFields = {
  id: TypedId('apiKey', 'API key id'),
  name: Type.String(),
  prefix: Type.String({ description: 'First characters of the key, to recognize it by', examples: ['csk_live_9fK2'] }),
  scopes: Type.Array(ScopeSchema),
  actor: nullable(KeyActor),
  keepsWebhooks: Type.Boolean({
    description: 'A key with an actor that was made before such keys lost webhooks: it still reaches them. Replace it',
  }),
  expiresAt: nullable(DateTime),
  lastUsedAt: nullable(DateTime),
  createdAt: DateTime,
}

export const ApiKey = named('ApiKey', ApiKeyFields)
const CreatedApiKey = named('CreatedApiKey', {
  ...ApiKeyFields,
  key: Type.String({ description: 'The key itself, shown only in this reply' }),
})

const NewApiKey = named(
  'NewApiKey',
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    scopes: Type.Array(ScopeSchema, { minItems: 1, maxItems: 8, uniqueItems: true }),
    expiresAt: Type.Optional(DateTime),
    actor: Type.Optional(KeyActor),
  },
  {
    examples: [
      { name: 'recorder', scopes: ['proof:write'] },
      { name: 'stock keeper', scopes: ['decide'], actor: { id: 'agent-7', type: 'ai_agent' } },
    ],
  },
)

const shared = {
  surface: 'platform',
  tag: 'API keys',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  store: 'directory',
} as const

export const createApiKey = operation({
  ...shared,
  id: 'apiKeys.create',
  stepUp: { within: 'keys', when: { member: 'scopes', among: ['proof:approve', 'policies:write'] } },
  method: 'POST',
  path: '/api-keys',
  showsSecret: true,
  summary: 'Create an API key; the key itself is shown only in this reply',
  description:
    'A program sends the key as `Authorization: Bearer` to the Proof API under `/api/v1`. The scope `decide` needs an `actor`, and `webhooks:write` and `policies:write` allow none: otherwise the reply is 422. A center has a limited number of keys that are neither revoked nor expired, 100 by default; beyond it the reply is 403.',
  body: NewApiKey,
  replies: { 201: CreatedApiKey },
  also: { 422: 'VALIDATION_ERROR' },
})

export const listApiKeys = operation({
  ...shared,
  id: 'apiKeys.list',
  method: 'GET',
  path: '/api-keys',
  summary: 'List the API keys of this center that are not revoked, newest first',
  replies: { 200: Type.Array(ApiKey) },
})

export const revokeApiKey = operation({
  ...shared,
  id: 'apiKeys.revoke',
  method: 'DELETE',
  path: '/api-keys/{id}',
  summary: 'Revoke a key; every server refuses it within a second',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
