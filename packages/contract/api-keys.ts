/** A center's API keys, managed by its ADMINs. The specification mentions keys, but not how they are managed. */
import { Type } from 'typebox'
import { key } from './access.ts'
import { CenterId, DateTime, described, named, nullable } from './common.ts'
import { EventActorType, ScopeSchema } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const KeyActor = named(
  'ApiKeyActor',
  {
    id: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: "The actor's ID in your own system.",
      examples: ['agent-7'],
    }),
    type: EventActorType,
  },
  {
    description:
      "The only actor that the key can record decisions as; for any other actor, the response is 403. The key can read only this actor's decisions, and has no access to chains or webhooks.",
  },
)

const ApiKeyFields = {
  id: TypedId('apiKey', "The API key's ID."),
  name: Type.String({ description: 'A name that helps you recognize the key.' }),
  prefix: Type.String({
    description: "The key's first characters, which help you recognize it.",
    examples: ['csk_live_9fK2'],
  }),
  scopes: Type.Array(ScopeSchema, { description: 'What the key can do.' }),
  actor: nullable(
    described(
      KeyActor,
      "The only actor that the key can record decisions as. Null if the key isn't bound to an actor.",
    ),
  ),
  keepsWebhooks: Type.Boolean({
    description:
      'Whether the key is bound to an actor but still has access to webhooks, because it was created before such keys lost that access. If true, replace the key.',
  }),
  replaces: nullable(TypedId('apiKey', 'The key that this one replaces. Null if it was created on its own.')),
  expiresAt: nullable(described(DateTime, 'When the key stops working. Null if it never expires.')),
  lastUsedAt: nullable(described(DateTime, 'When the key was last used. Null if it has never been used.')),
  createdAt: described(DateTime, 'When the key was created.'),
}

export const ApiKey = named('ApiKey', ApiKeyFields, { description: 'An API key, without the key itself.' })
const CreatedApiKey = named(
  'CreatedApiKey',
  {
    ...ApiKeyFields,
    key: Type.String({
      description: "The key itself. It's shown only in this response.",
      examples: ['csk_live_9fK2…'],
    }),
  },
  { description: 'A new API key, with the key itself.' },
)

const NewApiKey = named(
  'NewApiKey',
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A name that helps you recognize the key.',
      examples: ['recorder'],
    }),
    scopes: Type.Array(ScopeSchema, {
      minItems: 1,
      maxItems: 8,
      uniqueItems: true,
      description: 'What the key can do. Give it no more than the program needs.',
      examples: [['proof:write']],
    }),
    expiresAt: Type.Optional(
      described(
        DateTime,
        'When the key should stop working. Omit this for a key that never expires.',
        '2027-11-15T00:00:00.000Z',
      ),
    ),
    actor: Type.Optional(KeyActor),
  },
  {
    description: 'The API key to create.',
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
  stepUp: { within: 'keys', when: { members: ['scopes'], among: ['proof:approve', 'policies:write'] } },
  method: 'POST',
  path: '/api-keys',
  showsSecret: true,
  summary: 'Create an API key',
  description:
    "Creates an API key for a program. The program sends the key as `Authorization: Bearer` to the Proof API under `/api/v1`. Store `key` now: it's shown only in this response. The `decide` scope requires an `actor`, and `webhooks:write`, `policies:write` and `sandboxes:write` don't allow one; otherwise, the response is 422. By default, a center can have up to 100 keys that haven't been revoked and haven't expired; beyond that, the response is 403.",
  body: NewApiKey,
  replies: { 201: CreatedApiKey },
  also: { 422: 'VALIDATION_ERROR' },
})

export const listApiKeys = operation({
  ...shared,
  id: 'apiKeys.list',
  method: 'GET',
  path: '/api-keys',
  summary: 'List API keys',
  description:
    "Returns the center's API keys that haven't been revoked, newest first. The keys themselves are never shown again.",
  replies: { 200: Type.Array(ApiKey) },
})

export const getCallingKey = operation({
  id: 'apiKeys.getOwn',
  surface: 'proof',
  method: 'GET',
  path: '/v1/api-key',
  tag: 'API keys',
  access: key('proof:read', { or: 'decide', bound: true }),
  store: 'none',
  summary: 'Retrieve the calling API key',
  description:
    'Returns what the API key of this request can do, and for which center. A program calls it before it stores a key, to store none that can do more than the program needs.',
  replies: {
    200: named(
      'CallingKey',
      {
        id: ApiKeyFields.id,
        scopes: ApiKeyFields.scopes,
        actor: ApiKeyFields.actor,
        centerId: described(CenterId, 'The center that the key belongs to.'),
        isSandbox: Type.Boolean({ description: 'Whether the center is a sandbox.' }),
      },
      { description: 'The API key of the request, without the key itself.' },
    ),
  },
})

const ApiKeyRotation = named(
  'ApiKeyRotation',
  {
    expirePreviousAfterSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_592_000,
        default: 86_400,
        description: 'How long the previous key keeps working, in seconds. Send 0 after a key has leaked.',
        examples: [604_800],
      }),
    ),
    expiresAt: Type.Optional(
      nullable(
        described(
          DateTime,
          'When the new key should stop working. Null: never. If you omit this, the new key gets as much time as the previous one had when it was created.',
          '2027-11-15T00:00:00.000Z',
        ),
      ),
    ),
  },
  {
    description: 'How long the previous key and the new one work.',
    examples: [{ expirePreviousAfterSeconds: 604_800 }],
  },
)

export const rotateApiKey = operation({
  ...shared,
  id: 'apiKeys.rotate',
  stepUp: { within: 'keys' },
  method: 'POST',
  path: '/api-keys/{id}/rotate',
  showsSecret: true,
  summary: 'Rotate an API key',
  description:
    "Creates a new key with the same name, scopes and actor. The previous key keeps working for 24 hours, or for `expirePreviousAfterSeconds`, but never longer than it would have. Decisions that the previous key recorded can be run and reported with the new one; what one of them recorded, the other can't approve; and a stop of one of them also covers requests with the other. If several requests rotate the same key, one succeeds. If the key was already replaced, if it has expired, or while the key before it still works, the response is 409.",
  params: IdParam('apiKey'),
  body: ApiKeyRotation,
  replies: { 201: CreatedApiKey },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const revokeApiKey = operation({
  ...shared,
  id: 'apiKeys.revoke',
  method: 'DELETE',
  path: '/api-keys/{id}',
  summary: 'Revoke an API key',
  description:
    'Permanently revokes the key, which stops working within a second. Everything that was recorded with the key is kept.',
  params: IdParam('apiKey'),
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
