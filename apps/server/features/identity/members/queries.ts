import type { ActorRole, MembershipStatus } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { DirectoryTx, IdentityTx, OperatorTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface MemberRow {
  readonly id: string
  readonly center_id: number
  readonly center_name: string
  readonly center_domain: string
  readonly actor_id: string
  readonly name: string
  readonly email: string | null
  readonly role: ActorRole
  readonly status: MembershipStatus
  readonly invited_at: Date
  readonly ended_at: Date | null
}

export interface LockedMembership {
  readonly id: string
  readonly center_id: number
  readonly actor_id: string
  readonly status: MembershipStatus
}

/**
 * The caller's own membership, or one of the center's. The latter is locked, so that of two concurrent moves the second sees
 * the result of the first. The former cannot be locked (the policies show it for a change only while it is INVITED), so the
 * condition of the update decides.
 */
export const lockMembership = (tx: DirectoryTx, id: string, own: boolean): Promise<LockedMembership | undefined> =>
  tx.db
    .selectFrom('memberships')
    .select(['id', 'center_id', 'actor_id', 'status'])
    .where('id', '=', id)
    .where((eb) => (own ? eb('actor_id', '=', tx.caller.actorId as string) : eb('center_id', '=', tx.caller.centerId)))
    .$if(!own, (query) => query.forUpdate())
    .executeTakeFirst() as Promise<LockedMembership | undefined>

/** Row-level security allows the member or the center to make the change; false when neither may. */
export async function setStatus(
  tx: DirectoryTx | IdentityTx,
  id: string,
  from: MembershipStatus,
  to: MembershipStatus,
): Promise<boolean> {
  const moved = await (tx as DirectoryTx).db
    .updateTable('memberships')
    .set({ status: to, ...(to === 'ENDED' && { ended_at: now() }) })
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}

export async function findMember(tx: DirectoryTx, id: string): Promise<MemberRow> {
  const { rows } = await sql<MemberRow>`
    select m.id, m.center_id, c.name as center_name, c.domain as center_domain, m.actor_id, a.name, a.email, m.role, m.status,
      m.invited_at, m.ended_at
    from directory.memberships m
    join directory.centers c on c.id = m.center_id
    join directory.actors a on a.id = m.actor_id
    where m.id = ${id}`.execute(tx.db)
  return rows[0] as MemberRow
}

export const insertActor = (tx: DirectoryTx | OperatorTx, actor: { id: string; email: string; name: string }) =>
  sql`insert into directory.actors (id, email, name) values (${actor.id}, ${actor.email}, ${actor.name})`.execute(tx.db)

/** False when the person already has a membership in this center, in any state. */
export async function insertMembership(
  tx: DirectoryTx | OperatorTx,
  membership: { id: string; actor_id: string; role: ActorRole },
): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('memberships')
    .values({ ...membership, center_id: tx.caller.centerId, status: 'INVITED', invited_at: now() })
    .onConflict((conflict) => conflict.columns(['center_id', 'actor_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const insertInvitation = (
  tx: DirectoryTx | OperatorTx,
  invitation: { hash: Buffer; membership_id: string; approved: boolean; expires_at: Date },
) =>
  sql`
  insert into directory.invitations (hash, center_id, membership_id, approved, expires_at)
  values (${invitation.hash}, ${tx.caller.centerId}, ${invitation.membership_id}, ${invitation.approved}, ${invitation.expires_at})`.execute(
    tx.db,
  )
