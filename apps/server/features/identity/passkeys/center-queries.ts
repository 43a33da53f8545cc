/** Passkeys as a center knows them. */
import { sql } from 'kysely'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { livePasskeys, type StoredPasskey } from './queries.ts'
import type { PasskeyRow } from './signed.ts'

/** Of one person, the oldest first. */
export async function passkeysOf(tx: TenantTx, person: readonly string[]): Promise<readonly PasskeyRow[]> {
  const { rows } = await sql<{ row: PasskeyRow }>`
    select row_to_json(p) as row from cell.passkeys p
    where center_id = ${tx.caller.centerId} and actor_id = any (${person}::uuid[]) order by id`.execute(tx.db)
  return rows.map(({ row }) => row)
}

/** Keys of these people that do not count here yet, the oldest first. */
export async function unconfirmedPasskeys(
  tx: TenantTx,
  people: readonly string[],
  most: number,
): Promise<readonly PasskeyRow[]> {
  const { rows } = await sql<{ row: PasskeyRow }>`
    select row_to_json(p) as row from cell.passkeys p
    where center_id = ${tx.caller.centerId} and not counts and not removed and actor_id = any (${people}::uuid[])
    order by id limit ${most}`.execute(tx.db)
  return rows.map(({ row }) => row)
}

/** Everybody with a key that counts here. */
export async function signingMembers(tx: TenantTx): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ actor_id: string }>`
    select distinct actor_id from cell.passkeys
    where center_id = ${tx.caller.centerId} and counts and not removed`.execute(tx.db)
  return new Set(rows.map(({ actor_id }) => actor_id))
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
