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
  /** The key that the new one replaces, and the first one of their line. */
  readonly replaces?: { readonly id: string; readonly first: string }
}

export async function makeApiKey(tx: DirectoryTx, wanted: Wanted): Promise<{ key: string; row: ApiKeyRow }> {
  const { name, scopes, createdBy, actor = null, expiresAt = null, replaces } = wanted
  const key = newApiKey(environmentOf(tx.caller.centerId))
  const row = await insertApiKey(tx, {
    ...{ id: newUuid(), hash: hashApiKey(key), prefix: apiKeyPrefix(key), name, scopes: [...scopes] },
    ...{ bound_to: actor, created_by: createdBy, expires_at: expiresAt },
    ...(replaces && { replaces: replaces.id, first_key: replaces.first }),
  })
  await audit(tx, {
    type: 'api_key.changed',
    action: 'created',
    target: { type: 'api_key', id: typedId('apiKey', row.id) },
    details: {
      scopes: scopes.join(' '),
      ...(actor && { actor: `${actor.type} ${actor.id}` }),
      ...(replaces && { replaces: typedId('apiKey', replaces.id) }),
    },
  })
  return { key, row }
}
