import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import type { EligibilityRow } from './seal.ts'

/** The people whose right to approve counts at this time. */
export async function countingMembers(tx: TenantTx, at: Date): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ actor_id: string }>`
    select actor_id from cell.eligibilities
    where center_id = ${tx.caller.centerId} and active and counts_from <= ${at}`.execute(tx.db)
  return new Set(rows.map(({ actor_id }) => actor_id))
}

export async function isCounting(tx: TenantTx, membershipId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    select from cell.eligibilities
    where center_id = ${tx.caller.centerId} and id = ${membershipId} and active and counts_from <= ${at}`.execute(tx.db)
  return rows.length > 0
}

/** Memberships that do not count yet, and that of whoever asks; the ones that count soonest first. */
export async function waitingMembers(
  tx: TenantTx,
  own: string,
  at: Date,
  most: number,
): Promise<readonly EligibilityRow[]> {
  const { rows } = await sql<{ row: EligibilityRow }>`
    select row_to_json(e) as row from cell.eligibilities e
    where center_id = ${tx.caller.centerId} and active and (counts_from > ${at} or id = ${own})
    order by counts_from, id limit ${most + 1}`.execute(tx.db)
  return rows.map(({ row }) => row)
}

export async function membershipOf(tx: TenantTx, actorId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from cell.eligibilities where center_id = ${tx.caller.centerId} and actor_id = ${actorId} and active`.execute(
    tx.db,
  )
  return rows[0]?.id ?? null
}

/** Members who may approve by their role now, and roles that somebody lost in the last 30 days. */
export async function everApproving(
  tx: DirectoryTx,
  at: Date,
): Promise<readonly { actorId: string; role: 'ADMIN' | 'INSTRUCTOR' }[]> {
  const { rows } = await sql<{ actorId: string; role: 'ADMIN' | 'INSTRUCTOR' }>`
    select actor_id as "actorId", role from directory.memberships
    where center_id = ${tx.caller.centerId} and status = 'ACTIVE' and role in ('ADMIN', 'INSTRUCTOR')
    union
    select actor_id, was_role from directory.memberships
    where center_id = ${tx.caller.centerId} and was_until > ${at}::timestamptz - interval '30 days'`.execute(tx.db)
  return rows
}
