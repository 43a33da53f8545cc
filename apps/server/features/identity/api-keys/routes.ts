import * as contract from '@countersign/contract/api-keys.ts'
import type { Scope } from '@countersign/contract/enums.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import { type Route, route } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { limitReached, Problem } from '../../../lib/problem.ts'
import { makeApiKey } from './make.ts'
import { type ApiKeyRow, countLiveKeys, listApiKeys, lockKeys, revokeApiKey } from './queries.ts'
import { rotateApiKey } from './rotate.ts'

const shown = (row: ApiKeyRow) => ({
  id: typedId('apiKey', row.id),
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  actor: row.bound_to,
  keepsWebhooks: row.keeps_webhooks,
  replaces: row.replaces && typedId('apiKey', row.replaces),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})

/** Scopes over the center as a whole. */
const ofCenterOnly: ReadonlySet<Scope> = new Set(['webhooks:write', 'policies:write', 'sandboxes:write'])

/** A key for one agent reaches nothing of the center; a key for the center is no agent's. */
function requireFitting(scopes: readonly Scope[], isBound: boolean): void {
  const refuse = (reason: string, field: string, message: string): never => {
    throw new Problem('VALIDATION_ERROR', message, { details: { reason, field }, status: 422 })
  }
  if (!isBound && scopes.includes('decide'))
    refuse(
      'decideActor',
      'actor',
      'The "decide" scope needs an "actor". Set "actor" to the agent that will use this key.',
    )
  const ofCenter = scopes.find((each) => ofCenterOnly.has(each))
  if (isBound && ofCenter)
    refuse(
      'boundScope',
      'scopes',
      `A key with an "actor" can't have the "${ofCenter}" scope. Create a separate key for that scope.`,
    )
}

interface ApiKeyNeeds {
  readonly config: Pick<Config, 'perCenter'>
  readonly authenticate: Authenticator
}

const notFound = () =>
  new Problem('NOT_FOUND', 'This center has no API key with this ID. List its keys to find the ID.')

function requireFuture(expiresAt: Date | null | undefined): void {
  if (expiresAt && expiresAt <= now())
    throw new Problem('VALIDATION_ERROR', '"expiresAt" is in the past. Send a later time.', {
      details: { reason: 'past', field: 'expiresAt' },
    })
}

export const apiKeyRoutes = ({ config, authenticate }: ApiKeyNeeds): Route[] => [
  route(contract.createApiKey, async ({ tx, body, principal }, reply) => {
    const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt)
    requireFuture(expiresAt)
    requireFitting(body.scopes, body.actor !== undefined)
    const most = config.perCenter.maxApiKeys
    await lockKeys(tx)
    if ((await countLiveKeys(tx)) >= most) {
      throw limitReached('maxKeys', most, 'active API keys', "Revoke one you don't need")
    }
    const { name, scopes, actor } = body
    const { key, row } = await makeApiKey(tx, {
      name,
      scopes,
      createdBy: principal.actorId,
      actor: actor ?? null,
      expiresAt,
    })
    return reply(201, { ...shown(row), key })
  }),

  route(contract.listApiKeys, async ({ tx }, reply) => reply(200, (await listApiKeys(tx)).map(shown))),

  route(contract.getCallingKey, async ({ principal }, reply) => {
    const { actorId, scopes, boundTo, centerId } = principal
    const isSandbox = isSandboxCenter(centerId)
    return reply(200, {
      id: actorId,
      scopes: [...scopes],
      actor: boundTo as ApiKeyRow['bound_to'],
      centerId,
      isSandbox,
    })
  }),

  route(contract.rotateApiKey, async ({ tx, params, body, principal }, reply) => {
    const { expiresAt: wanted, expirePreviousAfterSeconds: overlapSeconds = 86_400 } = body
    const expiresAt = typeof wanted === 'string' ? new Date(wanted) : wanted
    requireFuture(expiresAt)
    const id = uuidOf('apiKey', params.id)
    const made =
      id &&
      (await rotateApiKey(tx, id, {
        ...{ overlapSeconds, expiresAt, createdBy: principal.actorId },
        maxKeys: config.perCenter.maxApiKeys,
      }))
    if (!made) throw notFound()
    tx.afterCommit(() => authenticate.forget(`key:${id}`))
    return reply(201, { ...shown(made.row), key: made.key })
  }),

  route(contract.revokeApiKey, async ({ tx, params }, reply) => {
    const id = uuidOf('apiKey', params.id)
    if (!id || !(await revokeApiKey(tx, id))) throw notFound()
    await audit(tx, { type: 'api_key.changed', action: 'revoked', target: { type: 'api_key', id: params.id } })
    tx.afterCommit(() => authenticate.forget(`key:${id}`))
    return reply(204, null)
  }),
]
