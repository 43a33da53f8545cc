import type { ActorRole, MembershipStatus } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { DirectoryTx, IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface ChildRow {
  readonly id: string
  readonly center_id: number
  readonly center_name: string
  readonly center_domain: string
  readonly actor_id: string
  readonly name: string
  readonly role: ActorRole
  readonly roles: readonly ActorRole[]
  readonly status: MembershipStatus
  readonly invited_at: Date
  readonly ended_at: Date | null
}

const columns = sql`m.id, m.center_id, c.name as center_name, c.domain as center_domain, m.actor_id, m.name, m.role, m.roles, m.status,
  m.invited_at, m.ended_at
  from directory.memberships m join directory.centers c on c.id = m.center_id`

/** Locked. A membership without this role does not make the person a child. */
export async function lockChild(tx: DirectoryTx, childId: string): Promise<ChildRow | undefined> {
  const { rows } = await sql<ChildRow>`
    select ${columns} where m.center_id = ${tx.caller.centerId} and m.actor_id = ${childId} and 'CHILD' = any (m.roles)
    for update of m`.execute(tx.db)
  return rows[0]
}

export async function pageOfChildren(
  tx: DirectoryTx,
  { limit, offset }: { limit: number; offset: number },
): Promise<ChildRow[]> {
  const { rows } = await sql<ChildRow>`
    select ${columns} where m.center_id = ${tx.caller.centerId} and 'CHILD' = any (m.roles)
    order by m.name, m.id limit ${limit} offset ${offset}`.execute(tx.db)
  return rows
}

export async function countChildren(tx: DirectoryTx): Promise<number> {
  const { rows } = await sql<{ children: number }>`
    select coalesce(sum(members), 0)::int as children from directory.member_counts
    where center_id = ${tx.caller.centerId} and role = 'CHILD'`.execute(tx.db)
  return rows[0]?.children ?? 0
}

/** A person without an address and without a credential. */
export const insertChild = (tx: DirectoryTx, id: string, name: string) =>
  sql`insert into directory.actors (id, name) values (${id}, ${name})`.execute(tx.db)

export const insertChildMembership = (
  tx: DirectoryTx,
  { id, childId, name }: { id: string; childId: string; name: string },
) =>
  tx.db
    .insertInto('memberships')
    .values({
      ...{ id, name, actor_id: childId, role: 'CHILD', status: 'PENDING', accepted: true },
      ...{ center_id: tx.caller.centerId, invited_at: now() },
    })
    .execute()

/** As a child and nothing else: the roles that ended with the membership come back by invitation only. */
export const restartChild = (tx: DirectoryTx, id: string) =>
  tx.db
    .updateTable('memberships')
    .set({ status: 'PENDING', role: 'CHILD', roles: ['CHILD'], invited_at: now(), ended_at: null })
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .execute()

/** The name of a child whose guardian this person is in some center, as that center has it. */
export async function ownChildName(tx: IdentityTx, actorId: string, childId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select m.name from directory.guardianships g
    join directory.memberships m on m.center_id = g.center_id and m.actor_id = g.child_id
    where g.child_id = ${childId} and g.status = 'ACTIVE'
      and g.parent_id in (select directory.family_of(${actorId})) limit 1`.execute(tx.db)
  return rows[0]?.name
}

export async function actorOfMembership(tx: DirectoryTx, membershipId: string): Promise<string> {
  const row = await tx.db
    .selectFrom('memberships')
    .select('actor_id')
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', membershipId)
    .executeTakeFirstOrThrow()
  return row.actor_id
}

export async function countOwnChildren(tx: DirectoryTx, parentId: string): Promise<number> {
  const { rows } = await sql<{ children: number }>`
    select count(*)::int as children from directory.guardianships
    where center_id = ${tx.caller.centerId} and parent_id = ${parentId}`.execute(tx.db)
  return rows[0]?.children ?? 0
}
