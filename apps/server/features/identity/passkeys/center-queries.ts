/** Passkeys as a center knows them. */
import type { PasskeyKey } from '@countersign/proof/passkey.ts'
import { sql } from 'kysely'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { livePasskeys, type StoredPasskey } from './queries.ts'
import type { PasskeyRow } from './sealed-rows.ts'

/** Of one person, the oldest first. */
export async function passkeysOf(tx: TenantTx, person: readonly string[]): Promise<readonly PasskeyRow[]> {
  const { rows } = await sql<{ row: PasskeyRow }>`
    select row_to_json(p) as row from cell.passkeys p
    where center_id = ${tx.caller.centerId} and actor_id = any (${person}::uuid[]) order by id`.execute(tx.db)
  return rows.map(({ row }) => row)
}

/** Keys that do not count here yet, the oldest first. */
export async function unconfirmedPasskeys(tx: TenantTx, most: number): Promise<readonly PasskeyRow[]> {
  const { rows } = await sql<{ row: PasskeyRow }>`
    select row_to_json(p) as row from cell.passkeys p
    where center_id = ${tx.caller.centerId} and not counts and not removed order by id limit ${most}`.execute(tx.db)
  return rows.map(({ row }) => row)
}

/** The live keys of an actor that count in the center of the caller. */
export async function countingPasskeys(
  { cells, directory }: { readonly cells: Cells; readonly directory: Directory },
  caller: Caller,
  cell: string,
  actorId: string,
): Promise<readonly StoredPasskey[]> {
  const known = await cells.of(cell).inTenant(caller, (tx) => passkeysOf(tx, [actorId]), 'read')
  const counting = new Set(known.filter(({ counts, removed }) => counts && !removed).map(({ id }) => id))
  if (counting.size === 0) return []
  const live = await directory.identity(caller, (tx) => livePasskeys(tx, actorId), 'read')
  return live.filter(({ id }) => counting.has(id))
}

/** The entry that bound a key in this center, with what it discloses. */
export interface BoundEntry {
  readonly content: string
  readonly hash: string
  readonly previous_hash: string | null
  readonly sealed_at: string
  readonly disclosed: { readonly key?: PasskeyKey } | null
  readonly salts: { readonly key?: string } | null
}

export async function boundEntry(tx: TenantTx, passkeyId: string): Promise<BoundEntry | undefined> {
  const { rows } = await sql<{ entry: BoundEntry }>`
    select row_to_json(b) as entry from (
      select c.content, c.hash, c.previous_hash, c.sealed_at, x.disclosed, x.salts
      from cell.chain_entries c left join cell.history x on x.center_id = c.center_id and x.idx = c.idx
      where c.center_id = ${tx.caller.centerId} and c.domain = 'history' and c.type = 'passkey'
        and c.target = ${typedId('passkey', passkeyId)} order by c.idx limit 1) b`.execute(tx.db)
  return rows[0]?.entry
}
