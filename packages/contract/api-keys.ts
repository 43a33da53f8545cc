/** API keys of a center, managed by its ADMIN. Ours: the specification names keys but not their management. */
import { Type } from 'typebox'
import { closed, DateTime, nullable } from './common.ts'
import { ScopeSchema } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const ApiKeyFields = {
  id: TypedId('apiKey', 'API key id'),
  name: Type.String(),
  prefix: Type.String({ description: 'The beginning of the key, to recognise it by', examples: ['csk_test_9fK2'] }),
  scopes: Type.Array(ScopeSchema),
  expiresAt: nullable(DateTime),
  lastUsedAt: nullable(DateTime),
  createdAt: DateTime,
}

export const ApiKey = Type.Object(ApiKeyFields, closed)
const CreatedApiKey = Type.Object(
  { ...ApiKeyFields, key: Type.String({ description: 'Shown only in this answer' }) },
  closed,
)

const adminOnly = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const

export const createApiKey = operation({
  id: 'apiKeys.create',
  surface: 'platform',
  method: 'POST',
  path: '/api-keys',
  tag: 'API keys',
  access: adminOnly,
  store: 'directory',
  showsSecret: true,
  summary: 'Create an API key; the key itself is shown only here',
  body: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 100 }),
      scopes: Type.Array(ScopeSchema, { minItems: 1, maxItems: 8, uniqueItems: true }),
      expiresAt: Type.Optional(DateTime),
    },
    { ...closed, examples: [{ name: 'recorder', scopes: ['proof:write'] }] },
  ),
  replies: { 201: CreatedApiKey },
})

export const listApiKeys = operation({
  id: 'apiKeys.list',
  surface: 'platform',
  method: 'GET',
  path: '/api-keys',
  tag: 'API keys',
  access: adminOnly,
  store: 'directory',
  summary: 'The keys of this center that have not been revoked, newest first',
  replies: { 200: Type.Array(ApiKey) },
})

export const revokeApiKey = operation({
  id: 'apiKeys.revoke',
  surface: 'platform',
  method: 'DELETE',
  path: '/api-keys/{id}',
  tag: 'API keys',
  access: adminOnly,
  store: 'directory',
  summary: 'Revoke a key; it stops working within a second everywhere',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
