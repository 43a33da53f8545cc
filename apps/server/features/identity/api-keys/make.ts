/** Makes a key; the key itself is in the answer and nowhere else. */
import type { Scope } from '@countersign/contract/enums.ts'
import { apiKeyPrefix, environmentOf, hashApiKey, newApiKey } from '../../../access/api-key-format.ts'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { type ApiKeyRow, insertApiKey, type NewApiKey } from './queries.ts'

interface Wanted {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdBy: string
  readonly actor?: NewApiKey['bound_to']
  readonly expiresAt?: Date | null
}

export async function makeApiKey(tx: DirectoryTx, wanted: Wanted): Promise<{ key: string; row: ApiKeyRow }> {
  const { name, scopes, createdBy, actor = null, expiresAt = null } = wanted
  const key = newApiKey(environmentOf(tx.caller.centerId))
  const row = await insertApiKey(tx, {
    ...{ id: newUuid(), hash: hashApiKey(key), prefix: apiKeyPrefix(key), name, scopes: [...scopes] },
    ...{ bound_to: actor, created_by: createdBy, expires_at: expiresAt },
  })
  await audit(tx, {
    type: 'api_key.changed',
    action: 'created',
    target: { type: 'api_key', id: typedId('apiKey', row.id) },
    details: { scopes: scopes.join(' '), ...(actor && { actor: `${actor.type} ${actor.id}` }) },
  })
  return { key, row }
}
