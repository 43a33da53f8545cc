import { sql } from 'kysely'
import type { IdentityTx } from '../data/directory.ts'
import { now } from '../lib/clock.ts'

export const loadSigningKeys = (tx: IdentityTx) =>
  tx.db
    .selectFrom('signing_keys')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('use_from')
    .orderBy('kid')
    .execute()

export interface NewSigningKey {
  readonly kid: string
  readonly public_jwk: string
  readonly private_sealed: Buffer
  readonly use_from: Date
}

/** Returns false when the key was to be the first and another one exists already. */
export async function insertSigningKey(
  tx: IdentityTx,
  key: NewSigningKey,
  { onlyIfNone }: { onlyIfNone: boolean },
): Promise<boolean> {
  // Two processes that start on an empty directory must agree on one first key.
  await sql`select pg_advisory_xact_lock(hashtext('directory.signing_keys'))`.execute(tx.db)
  if (onlyIfNone && (await loadSigningKeys(tx)).length > 0) return false
  await tx.db.insertInto('signing_keys').values(key).execute()
  return true
}

export async function retireSigningKeys(tx: IdentityTx): Promise<number> {
  const retired = await tx.db
    .updateTable('signing_keys')
    .set({ retired_at: now() })
    .where('retired_at', 'is', null)
    .returning('kid')
    .execute()
  return retired.length
}
