import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import type { CenterTable } from '../../../delivery/lease-queries.ts'
import type { MemberChange } from './seal.ts'

/** A center that has left no longer seals anything. */
export const memberChanges: CenterTable = {
  name: 'directory.member_changes',
  key: ['id'],
  lease: 'next_at',
  order: 'id',
  due: (at) => sql`(next_at is null or next_at <= ${at})`,
  open: sql`exists (select from directory.centers c where c.id = center_id and c.status <> 'INACTIVE')`,
}

/** Of one center, the oldest first: whoever makes a change was a member before. */
export async function changesOf(tx: IdentityTx, centerId: number, most: number): Promise<readonly MemberChange[]> {
  const { rows } = await sql<MemberChange>`
    select m.id, m.membership_id, m.actor_id, m.action, m.role,
      coalesce(m.roles, directory.approving(array[m.role], m.status)) as roles, m.status, m.made_by, c.created_at as center_created_at,
      array(select f.id from directory.family_of(m.made_by) as f (id) where f.id is not null) as makers
    from directory.member_changes m join directory.centers c on c.id = m.center_id
    where m.center_id = ${centerId} order by m.id limit ${most}`.execute(tx.db)
  return rows
}

/** Returns the ids of those that no other process has noted. */
export async function forgetChanges(tx: IdentityTx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    delete from directory.member_changes where id = any (${ids}::bigint[]) returning id`.execute(tx.db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Enters a membership that may approve and that its center does not know as it is, although nothing about it is due: the cell
 * was restored to an older state. It counts like a new one.
 */
export async function noteAgain(tx: IdentityTx, centerId: number, membershipId: string): Promise<void> {
  await sql`
    insert into directory.member_changes (center_id, membership_id, actor_id, action, role, roles, status, made_by)
    select m.center_id, m.id, m.actor_id, 'admitted', m.role, directory.approving(m.roles, m.status), m.status, m.made_by from directory.memberships m
    where m.center_id = ${centerId} and m.id = ${membershipId} and directory.may_approve(m.role, m.status)
      and not exists (select from directory.member_changes c
        where c.center_id = m.center_id and c.membership_id = m.id)`.execute(tx.db)
}

/** The first of these memberships whose change has not reached its center. */
export async function unsealedOf(
  tx: IdentityTx,
  centerId: number,
  membershipIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ membership_id: string }>`
    select membership_id from directory.member_changes
    where center_id = ${centerId} and membership_id = any (${membershipIds}::uuid[]) limit 1`.execute(tx.db)
  return rows[0]?.membership_id
}

/** Who is notified of a new right to approve, with the names that the message needs. */
export interface ToldOf {
  readonly center: string
  readonly domain: string
  readonly name: string
  readonly maker: string | null
  readonly addresses: readonly string[]
}

/** The ADMINs of a center, the oldest members first, and the person concerned. */
export async function toldOf(
  tx: IdentityTx,
  { centerId, actorId, madeBy }: { centerId: number; actorId: string; madeBy: string | null },
  most: number,
): Promise<ToldOf | undefined> {
  const { rows } = await sql<ToldOf>`
    select c.name as center, c.domain, coalesce((select k.name from directory.memberships k
        where k.center_id = c.id and k.actor_id = p.id and k.accepted), p.name) as name,
      coalesce((select k.name from directory.memberships k where k.center_id = c.id and k.actor_id = ${madeBy}::uuid and k.accepted),
        (select name from directory.actors where id = ${madeBy}::uuid)) as maker,
      array(select distinct email from (
        select p.email
        union all
        (select a.email from directory.memberships m join directory.actors a on a.id = m.actor_id
          where m.center_id = c.id and m.role = 'ADMIN' and m.status = 'ACTIVE' order by m.invited_at, m.id limit ${most})
      ) told (email) where email is not null) as addresses
    from directory.centers c, directory.actors p where c.id = ${centerId} and p.id = ${actorId}`.execute(tx.db)
  return rows[0]
}
