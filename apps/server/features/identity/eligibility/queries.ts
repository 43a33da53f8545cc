import type { approverRoles } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import type { EligibilityRow } from './seal.ts'

type ApproverRole = (typeof approverRoles)[number]

/** By which roles people count at this time; only these people where `among` is given. */
export async function countingMembers(
  tx: TenantTx,
  at: Date,
  among?: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ actor_id: string; roles: readonly string[] }>`
    select actor_id, array(select s ->> 'role' from jsonb_array_elements(coalesce(standings,
        jsonb_build_array(jsonb_build_object('role', role, 'countsFrom', counts_from)))) s
      where (s ->> 'countsFrom')::timestamptz <= ${at}) as roles
    from cell.eligibilities where center_id = ${tx.caller.centerId} and active
      ${among === undefined ? sql`` : sql`and actor_id = any (${among}::uuid[])`}`.execute(tx.db)
  return new Map(rows.map(({ actor_id, roles }) => [actor_id, roles]))
}

/** An administrator's other role may be newer: the columns are of the highest one. */
export async function isCountingAdmin(tx: TenantTx, membershipId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    select from cell.eligibilities
    where center_id = ${tx.caller.centerId} and id = ${membershipId} and active and role = 'ADMIN' and counts_from <= ${at}`.execute(
    tx.db,
  )
  return rows.length > 0
}

/** Memberships with a role that does not count yet, and that of whoever asks; the ones that count soonest first. */
export async function waitingMembers(
  tx: TenantTx,
  own: string,
  at: Date,
  most: number,
): Promise<readonly EligibilityRow[]> {
  const { rows } = await sql<{ row: EligibilityRow }>`
    select row_to_json(e) as row from cell.eligibilities e
    where center_id = ${tx.caller.centerId} and active and (e.counts_from > ${at} or exists (
        select from jsonb_array_elements(e.standings) s where (s ->> 'countsFrom')::timestamptz > ${at}) or id = ${own})
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

/** Members who may approve now, by each of their roles, and roles that somebody lost in the last 30 days. */
export async function everApproving(
  tx: DirectoryTx,
  at: Date,
): Promise<readonly { actorId: string; roles: readonly ApproverRole[] }[]> {
  const { rows } = await sql<{ actorId: string; roles: readonly ApproverRole[] }>`
    select actor_id as "actorId", directory.in_order(directory.approving(roles, status)
      || case when was_until > ${at}::timestamptz - interval '30 days' then was_roles else '{}' end) as roles
    from directory.memberships
    where center_id = ${tx.caller.centerId} and (directory.may_approve(role, status)
      or was_until > ${at}::timestamptz - interval '30 days')`.execute(tx.db)
  return rows
}
