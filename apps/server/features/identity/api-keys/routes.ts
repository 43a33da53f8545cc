import * as contract from '@countersign/contract/api-keys.ts'
import type { Scope } from '@countersign/contract/enums.ts'
import { apiKeyPrefix, environmentOf, hashApiKey, newApiKey } from '../../../access/api-key-format.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import { type Route, route } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { limitReached, Problem } from '../../../lib/problem.ts'
import { type ApiKeyRow, countLiveKeys, insertApiKey, listApiKeys, revokeApiKey } from './queries.ts'

const shown = (row: ApiKeyRow) => ({
  id: typedId('apiKey', row.id),
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  actor: row.bound_to,
  keepsWebhooks: row.keeps_webhooks,
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})

/** A key for one agent reaches nothing of the center; a key for the center is no agent's. */
function requireFitting(scopes: readonly Scope[], isBound: boolean): void {
  const refuse = (message: string): never => {
    throw new Problem('VALIDATION_ERROR', message, { status: 422 })
  }
  if (!isBound && scopes.includes('decide'))
    refuse('The "decide" scope needs an "actor". Set "actor" to the agent that will use this key.')
  const ofCenter = scopes.find((each) => each === 'webhooks:write' || each === 'policies:write')
  if (isBound && ofCenter)
    refuse(`A key with an "actor" can't have the "${ofCenter}" scope. Create a separate key for that scope.`)
}

interface ApiKeyNeeds {
  readonly config: Pick<Config, 'perCenter'>
  readonly authenticate: Authenticator
}

export const apiKeyRoutes = ({ config, authenticate }: ApiKeyNeeds): Route[] => [
  route(contract.createApiKey, async ({ tx, body, principal }, reply) => {
    const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt)
    if (expiresAt && expiresAt <= now())
      throw new Problem('VALIDATION_ERROR', '"expiresAt" is in the past. Send a later time.')
    requireFitting(body.scopes, body.actor !== undefined)
    const most = config.perCenter.maxApiKeys
    if ((await countLiveKeys(tx)) >= most) {
      throw limitReached(most, 'active API keys', "Revoke one you don't need")
    }
    const key = newApiKey(environmentOf(tx.caller.centerId))
    const row = await insertApiKey(tx, {
      id: newUuid(),
      hash: hashApiKey(key),
      prefix: apiKeyPrefix(key),
      name: body.name,
      scopes: body.scopes,
      bound_to: body.actor ?? null,
      created_by: principal.actorId,
      expires_at: expiresAt,
    })
    const created = { ...shown(row), key }
    await audit(tx, {
      type: 'api_key.changed',
      action: 'created',
      target: { type: 'api_key', id: created.id },
      details: { scopes: body.scopes.join(' '), ...(body.actor && { actor: `${body.actor.type} ${body.actor.id}` }) },
    })
    return reply(201, created)
  }),

  route(contract.listApiKeys, async ({ tx }, reply) => reply(200, (await listApiKeys(tx)).map(shown))),

  route(contract.revokeApiKey, async ({ tx, params }, reply) => {
    const id = uuidOf('apiKey', params.id)
    if (!id || !(await revokeApiKey(tx, id)))
      throw new Problem('NOT_FOUND', 'This center has no API key with this ID. List its keys to find the ID.')
    await audit(tx, { type: 'api_key.changed', action: 'revoked', target: { type: 'api_key', id: params.id } })
    tx.afterCommit(() => authenticate.forget(`key:${id}`))
    return reply(204, null)
  }),
]
