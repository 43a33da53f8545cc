import { type Kysely, sql } from 'kysely'
import type { DB as CellDB } from '../data/cell.generated.ts'
import type { TenantTx } from '../data/cells.ts'
import type { DirectoryTx } from '../data/directory.ts'
import { now } from '../lib/clock.ts'

export interface RecordPlace {
  readonly center_id: number
  readonly principal: string
  readonly method: string
  readonly path: string
  readonly key: string
}

export type RecordTx = TenantTx | DirectoryTx

/** Both schemas have this table with the same columns; the query builder needs one of the two types. */
const dbOf = (tx: RecordTx) => tx.db as Kysely<CellDB>

/** Returns true when this request claimed the key; false when an answer is stored, possibly after waiting for it. */
export async function claimRecord(
  tx: RecordTx,
  place: RecordPlace,
  fingerprint: Buffer,
  expiresAt: Date,
): Promise<boolean> {
  const fresh = { fingerprint, expires_at: expiresAt }
  const inserted = await dbOf(tx)
    .insertInto('idempotency_records')
    .values({ ...place, ...fresh })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (inserted) return true
  const takenOver = await dbOf(tx)
    .updateTable('idempotency_records')
    .set({ ...fresh, status: null, body: null })
    .where((eb) => eb.and(place))
    .where('expires_at', '<=', now())
    .returning('key')
    .executeTakeFirst()
  return takenOver !== undefined
}

export const findRecord = (tx: RecordTx, place: RecordPlace) =>
  dbOf(tx)
    .selectFrom('idempotency_records')
    .select(['fingerprint', 'status', 'body'])
    .where((eb) => eb.and(place))
    .executeTakeFirstOrThrow()

export const storeAnswer = (tx: RecordTx, place: RecordPlace, status: number, body: Buffer) =>
  dbOf(tx)
    .updateTable('idempotency_records')
    .set({ status, body })
    .where((eb) => eb.and(place))
    .execute()

export const markWork = (tx: RecordTx) => sql`savepoint work`.execute(dbOf(tx))
export const undoWork = (tx: RecordTx) => sql`rollback to savepoint work`.execute(dbOf(tx))
