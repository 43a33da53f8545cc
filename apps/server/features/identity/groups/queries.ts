import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { countingAt, type GroupsByPerson } from './counting.ts'
import type { GroupRow } from './sealed-rows.ts'

export async function standingGroups(tx: TenantTx): Promise<readonly GroupRow[]> {
  const { rows } = await sql<{ row: GroupRow }>`
    select row_to_json(g) as row from cell.groups g
    where center_id = ${tx.caller.centerId} and not ended order by name, id`.execute(tx.db)
  return rows.map(({ row }) => row)
}

/** The groups that count at this time. */
export const readGroups = async (tx: TenantTx, at: Date): Promise<GroupsByPerson> =>
  countingAt(await standingGroups(tx), at.toISOString())

/** What the directory says of the members among these people. */
export async function membersAmong(tx: DirectoryTx, actorIds: readonly string[]) {
  const { rows } = await sql<{ actor_id: string; name: string; may_approve: boolean }>`
    select m.actor_id, m.name, directory.may_approve(m.role, m.status) as may_approve from directory.memberships m
    where m.center_id = ${tx.caller.centerId} and m.actor_id = any (${actorIds}::uuid[])
      and m.status in ('ACTIVE', 'SUSPENDED')`.execute(tx.db)
  return new Map(rows.map(({ actor_id, name, may_approve }) => [actor_id, { name, mayApprove: may_approve }]))
}

/** When the center was made, and which of these people may be added to a group. */
export async function joining(tx: DirectoryTx, actorIds: readonly string[]) {
  const { rows } = await sql<{ created_at: Date; may_join: readonly string[] }>`
    select c.created_at, array(
      select m.actor_id from directory.memberships m
      where m.center_id = c.id and m.actor_id = any (${actorIds}::uuid[]) and directory.may_approve(m.role, m.status)) as may_join
    from directory.centers c where c.id = ${tx.caller.centerId}`.execute(tx.db)
  const [row] = rows
  if (!row) throw new Error('the directory has no such center')
  return { createdAt: row.created_at, mayJoin: new Set(row.may_join) }
}
