import type { ActorRole, MembershipStatus } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { DirectoryTx, IdentityTx, OperatorTx } from '../../../data/directory.ts'
import { now, today } from '../../../lib/clock.ts'

export interface MemberRow {
  readonly id: string
  readonly center_id: number
  readonly center_name: string
  readonly center_domain: string
  readonly actor_id: string
  readonly name: string
  readonly address: string | null
  readonly accepted: boolean
  readonly role: ActorRole
  readonly roles: readonly ActorRole[]
  readonly status: MembershipStatus
  readonly invited_at: Date
  readonly ended_at: Date | null
}

export interface LockedMembership {
  readonly id: string
  readonly center_id: number
  readonly actor_id: string
  readonly role: ActorRole
  readonly roles: readonly ActorRole[]
  readonly status: MembershipStatus
  readonly name: string
  readonly address: string | null
}

const lockedColumns = ['id', 'center_id', 'actor_id', 'role', 'roles', 'status', 'name', 'address'] as const

/** The caller's own membership in any center. It is not locked, so the condition of the update decides. */
export const findOwnMembership = (tx: DirectoryTx, id: string): Promise<LockedMembership | undefined> =>
  tx.db
    .selectFrom('memberships')
    .select(lockedColumns)
    .where('id', '=', id)
    .where('actor_id', '=', tx.caller.actorId as string)
    .executeTakeFirst() as Promise<LockedMembership | undefined>

/**
 * Every change of a membership begins with this lock, so that no two changes in a center wait for each other: a change also
 * updates counts of the center.
 */
export const lockCenter = (tx: DirectoryTx | IdentityTx, centerId: number) =>
  (tx as DirectoryTx).db
    .selectFrom('centers')
    .select('id')
    .where('id', '=', centerId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** A membership of the center. Of two concurrent changes the second sees the result of the first. */
export const lockMembership = (tx: DirectoryTx, id: string): Promise<LockedMembership | undefined> =>
  tx.db
    .selectFrom('memberships')
    .select(lockedColumns)
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<LockedMembership | undefined>

export const lockByAddress = (
  tx: DirectoryTx | OperatorTx,
  address: string,
  actorId: string | null,
): Promise<LockedMembership | undefined> =>
  tx.db
    .selectFrom('memberships')
    .select(lockedColumns)
    .where('center_id', '=', tx.caller.centerId)
    .where((eb) => eb.or([eb('address', '=', address), ...(actorId ? [eb('actor_id', '=', actorId)] : [])]))
    .forUpdate()
    .executeTakeFirst() as Promise<LockedMembership | undefined>

/** False when the membership is no longer in this state. */
export async function setStatus(
  tx: DirectoryTx | IdentityTx,
  { id, centerId }: { id: string; centerId: number },
  from: MembershipStatus,
  to: MembershipStatus,
): Promise<boolean> {
  const moved = await (tx as DirectoryTx).db
    .updateTable('memberships')
    .set({ status: to, ...(to === 'ENDED' && { ended_at: now() }) })
    .where('center_id', '=', centerId)
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}

/** From here on the center knows who the person is. */
export const reveal = (tx: DirectoryTx | IdentityTx, { id, centerId }: { id: string; centerId: number }) =>
  sql`
    update directory.memberships m set accepted = true, name = a.name, address = coalesce(m.address, (
      select a.email where not exists (
        select from directory.memberships o where o.center_id = m.center_id and o.address = a.email)))
    from directory.actors a
    where m.center_id = ${centerId} and m.id = ${id} and a.id = m.actor_id and not m.accepted`.execute(
    (tx as DirectoryTx).db,
  )

/** False for somebody who has not accepted yet: they confirm their own name. */
export const setName = async (tx: DirectoryTx, id: string, name: string): Promise<boolean> =>
  (await tx.db
    .updateTable('memberships')
    .set({ name })
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .where('accepted', '=', true)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** The database keeps `role` the highest of them. */
export const setRoles = (tx: DirectoryTx, id: string, roles: readonly ActorRole[]) =>
  tx.db
    .updateTable('memberships')
    .set({ roles: [...roles] })
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .execute()

export const rolesAndStatus = (
  tx: DirectoryTx | IdentityTx,
  { id, centerId }: { id: string; centerId: number },
): Promise<Pick<LockedMembership, 'roles' | 'status'> | undefined> =>
  (tx as DirectoryTx).db
    .selectFrom('memberships')
    .select(['roles', 'status'])
    .where('center_id', '=', centerId)
    .where('id', '=', id)
    .executeTakeFirst() as Promise<Pick<LockedMembership, 'roles' | 'status'> | undefined>

/** The name that was sent replaces an earlier one only while the center does not know the person. */
export const restart = (
  tx: DirectoryTx | OperatorTx,
  id: string,
  { roles, name }: { roles: readonly ActorRole[]; name: string },
) =>
  sql`
    update directory.memberships set status = 'INVITED', roles = ${roles}, invited_at = ${now()}, ended_at = null,
      name = case when accepted then name else ${name} end
    where center_id = ${tx.caller.centerId} and id = ${id}`.execute(tx.db)

export async function findMember(tx: DirectoryTx, id: string): Promise<MemberRow> {
  const { rows } = await sql<MemberRow>`
    select m.id, m.center_id, c.name as center_name, c.domain as center_domain, m.actor_id, m.name, m.address, m.accepted,
      m.role, m.roles, m.status, m.invited_at, m.ended_at
    from directory.memberships m
    join directory.centers c on c.id = m.center_id
    where m.id = ${id}`.execute(tx.db)
  return rows[0] as MemberRow
}

export const insertActor = (tx: DirectoryTx | OperatorTx, actor: { id: string; email: string; name: string }) =>
  sql`insert into directory.actors (id, email, name) values (${actor.id}, ${actor.email}, ${actor.name})`.execute(tx.db)

export const insertMembership = (
  tx: DirectoryTx | OperatorTx,
  {
    roles,
    ...membership
  }: {
    id: string
    actor_id: string
    roles: readonly ActorRole[]
    name: string
    address: string | null
  },
) =>
  tx.db
    .insertInto('memberships')
    .values({
      ...membership,
      role: roles[0] as ActorRole,
      roles: [...roles],
      center_id: tx.caller.centerId,
      status: 'INVITED',
      invited_at: now(),
      accepted: false,
    })
    .execute()

/** Withdraws earlier invitations of the membership; true if one of them was approved in advance. */
export async function withdrawInvitations(tx: DirectoryTx, membershipId: string): Promise<boolean> {
  const { rows } = await sql<{ approved: boolean }>`
    delete from directory.invitations where center_id = ${tx.caller.centerId} and membership_id = ${membershipId}
    returning approved`.execute(tx.db)
  return rows.some(({ approved }) => approved)
}

/** Whether a link that was mailed can still be used. */
export async function invitationStands(tx: DirectoryTx, membershipId: string): Promise<boolean> {
  const { rows } = await sql`
    select from directory.invitations
    where center_id = ${tx.caller.centerId} and membership_id = ${membershipId} and expires_at > ${now()}`.execute(
    tx.db,
  )
  return rows.length > 0
}

/** Uses up an approval in advance; false if there is none. */
export async function takeApproval(tx: DirectoryTx, membershipId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from directory.invitations where center_id = ${tx.caller.centerId} and membership_id = ${membershipId}
      and approved and expires_at > ${now()}
    returning approved`.execute(tx.db)
  return rows.length > 0
}

export const insertInvitation = (
  tx: DirectoryTx | OperatorTx,
  invitation: { hash: Buffer; membership_id: string; approved: boolean; inviter: string; expires_at: Date },
) =>
  sql`
  insert into directory.invitations (hash, center_id, membership_id, approved, inviter, expires_at)
  values (${invitation.hash}, ${tx.caller.centerId}, ${invitation.membership_id}, ${invitation.approved},
    ${invitation.inviter}, ${invitation.expires_at})`.execute(tx.db)

export interface InvitationsToday {
  readonly invitations: number
  /** By a partner, by the operator who made the center, or by a payment. A plan without a trial begins ACTIVE unpaid. */
  readonly vouched: boolean
}

/** Returns how many invitations the center has sent today, this one included; locks the center as `lockCenter` does. */
export async function countInvitation(tx: DirectoryTx | OperatorTx): Promise<InvitationsToday> {
  const { rows } = await sql<InvitationsToday>`
    update directory.centers c
    set invitations = case when invited_on = ${today()}::date then invitations else 0 end + 1, invited_on = ${today()}::date
    where id = ${tx.caller.centerId} returning invitations, owner_id is null or exists (
      select from directory.subscriptions s join directory.plan_versions p on p.plan_id = s.plan_id and p.version = s.plan_version
      where s.center_id = c.id and s.status = 'ACTIVE' and (s.billed_at is not null or p.trial_days > 0)) as vouched`.execute(
    tx.db,
  )
  return rows[0] as InvitationsToday
}

export async function membersLabeled(
  tx: DirectoryTx,
  labels: readonly string[],
): Promise<readonly { readonly label: string; readonly name: string; readonly actor_id: string }[]> {
  const { rows } = await sql<{ label: string; name: string; actor_id: string }>`
    select label, name, actor_id from directory.memberships
    where center_id = ${tx.caller.centerId} and label = any (${labels}::text[]) and accepted`.execute(tx.db)
  return rows
}

export const isWorkspace = async (tx: DirectoryTx): Promise<boolean> =>
  (await tx.db
    .selectFrom('centers')
    .select('id')
    .where('id', '=', tx.caller.centerId)
    .where('tenant_type', '=', 'WORKSPACE')
    .executeTakeFirst()) !== undefined

/** Names of members by actor, of people whom the center knows. */
export async function namesOfMembers(tx: DirectoryTx, actorIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ actor_id: string; name: string }>`
    select actor_id, name from directory.memberships
    where center_id = ${tx.caller.centerId} and actor_id = any (${actorIds}::uuid[]) and accepted`.execute(tx.db)
  return new Map(rows.map(({ actor_id, name }) => [actor_id, name]))
}

const maxReviewers = 500

/** The staff of the center, by name. */
export async function reviewersIn(tx: DirectoryTx): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select actor_id as id, name from directory.memberships
    where center_id = ${tx.caller.centerId} and status = 'ACTIVE' and roles && array['ADMIN', 'INSTRUCTOR']::text[]
    order by name, actor_id limit ${maxReviewers}`.execute(tx.db)
  return rows
}

export const isActiveMember = async (tx: DirectoryTx, actorId: string): Promise<boolean> =>
  (await tx.db
    .selectFrom('memberships')
    .select('id')
    .where('center_id', '=', tx.caller.centerId)
    .where('actor_id', '=', actorId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()) !== undefined
