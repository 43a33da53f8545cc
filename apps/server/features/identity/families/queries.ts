import type { GuardianshipStatus, MembershipStatus } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { FamilyMembership } from '../../../access/queries.ts'
import type { DirectoryTx, IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface GuardianshipRow {
  readonly id: string
  readonly center_id: number
  readonly child_id: string
  readonly parent_id: string
  readonly status: GuardianshipStatus
  readonly invited_at: Date | null
  readonly accepted_at: Date | null
  readonly ended_at: Date | null
}

export interface GuardianRow extends GuardianshipRow {
  readonly name: string
  readonly address: string | null
  /** Whether the center knows who the person is. */
  readonly accepted: boolean
}

/** The guardians of these children in this center, with what the center knows of them. */
export async function guardiansOf(tx: DirectoryTx, childIds: readonly string[]): Promise<GuardianRow[]> {
  const { rows } = await sql<GuardianRow>`
    select g.id, g.center_id, g.child_id, g.parent_id, g.status, g.invited_at, g.accepted_at, g.ended_at,
      m.name, m.address, m.accepted
    from directory.guardianships g join directory.memberships m on m.center_id = g.center_id and m.actor_id = g.parent_id
    where g.center_id = ${tx.caller.centerId} and g.child_id = any (${childIds}::uuid[])
    order by m.name, g.id`.execute(tx.db)
  return rows
}

/** Locked: of two concurrent changes the second sees the result of the first. */
export const lockPair = (tx: DirectoryTx, childId: string, parentId: string): Promise<GuardianshipRow | undefined> =>
  tx.db
    .selectFrom('guardianships')
    .selectAll()
    .where('center_id', '=', tx.caller.centerId)
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .forUpdate()
    .executeTakeFirst() as Promise<GuardianshipRow | undefined>

export const lockGuardianship = (tx: DirectoryTx, id: string): Promise<GuardianshipRow | undefined> =>
  tx.db
    .selectFrom('guardianships')
    .selectAll()
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<GuardianshipRow | undefined>

/** Of the signed-in person, who may have several accounts by verified addresses. */
export async function lockOwnGuardianship(
  tx: IdentityTx,
  actorId: string,
  id: string,
): Promise<GuardianshipRow | undefined> {
  const { rows } = await sql<GuardianshipRow>`
    select * from directory.guardianships
    where id = ${id} and parent_id in (select directory.family_of(${actorId})) for update`.execute(tx.db)
  return rows[0]
}

/** Those that wait for an answer of this person in this center, locked. */
export async function lockInvited(tx: IdentityTx, centerId: number, parentId: string): Promise<GuardianshipRow[]> {
  const { rows } = await sql<GuardianshipRow>`
    select * from directory.guardianships
    where center_id = ${centerId} and parent_id = ${parentId} and status = 'INVITED' order by id for update`.execute(
    tx.db,
  )
  return rows
}

/** Those of these people that have not ended, as a parent or as a child, locked. */
export async function lockOpenOf(tx: IdentityTx, people: readonly string[]): Promise<GuardianshipRow[]> {
  const { rows } = await sql<GuardianshipRow>`
    select * from directory.guardianships
    where (parent_id = any (${people}::uuid[]) or (center_id, child_id) in (
      select center_id, actor_id from directory.memberships where actor_id = any (${people}::uuid[]))) and status <> 'ENDED'
    order by center_id, id for update`.execute(tx.db)
  return rows
}

export const insertGuardianship = (
  tx: DirectoryTx,
  row: Pick<GuardianshipRow, 'id' | 'child_id' | 'parent_id' | 'status'>,
) =>
  tx.db
    .insertInto('guardianships')
    .values({
      ...row,
      center_id: tx.caller.centerId,
      ...(row.status === 'INVITED' ? { invited_at: now() } : { accepted_at: now() }),
    })
    .execute()

export const setGuardianship = (
  tx: DirectoryTx | IdentityTx,
  { id, center_id }: Pick<GuardianshipRow, 'id' | 'center_id'>,
  to: GuardianshipStatus,
) => {
  const changes = {
    INVITED: { invited_at: now(), accepted_at: null, ended_at: null },
    ACTIVE: { accepted_at: now(), ended_at: null },
    ENDED: { ended_at: now() },
  }
  return (tx as DirectoryTx).db
    .updateTable('guardianships')
    .set({ status: to, ...changes[to] })
    .where('center_id', '=', center_id)
    .where('id', '=', id)
    .execute()
}

export interface FamilyRow extends GuardianshipRow {
  readonly center_name: string
  readonly center_domain: string
  readonly center_status: string
  readonly cell: string
  /** The standing of the signed-in person in this center. */
  readonly standing: MembershipStatus
  readonly child_name: string
  readonly child: Pick<FamilyMembership, 'membership_id' | 'role' | 'roles' | 'status'> & {
    readonly invited_at: string
    readonly ended_at: string | null
  }
}

/** The guardianships of the signed-in person over all centers, except those that have ended. */
export async function familyRows(tx: IdentityTx, actorId: string): Promise<FamilyRow[]> {
  const { rows } = await sql<FamilyRow>`
    select g.*, f.center_name, f.center_domain, f.center_status, f.center_cell as cell, f.status as standing,
      m.name as child_name, json_build_object('membership_id', m.id, 'role', m.role, 'roles', m.roles, 'status', m.status,
        'invited_at', m.invited_at, 'ended_at', m.ended_at) as child
    from directory.guardianships g
    join directory.family_memberships(${actorId}) f on f.center_id = g.center_id
    join directory.memberships m on m.center_id = g.center_id and m.actor_id = g.child_id
    where g.parent_id in (select directory.family_of(${actorId})) and g.status <> 'ENDED'
    order by m.name, g.child_id, f.center_name, g.center_id`.execute(tx.db)
  return rows
}

/** The status of the child's membership where the person is its guardian in this center; otherwise undefined. */
export async function guardedStatus(
  tx: IdentityTx,
  { actorId, centerId, childId }: { actorId: string; centerId: number; childId: string },
): Promise<MembershipStatus | undefined> {
  const { rows } = await sql<{ status: MembershipStatus }>`
    select m.status from directory.guardianships g
    join directory.memberships m on m.center_id = g.center_id and m.actor_id = g.child_id
    where g.center_id = ${centerId} and g.child_id = ${childId} and g.status = 'ACTIVE'
      and g.parent_id in (select directory.family_of(${actorId})) limit 1`.execute(tx.db)
  return rows[0]?.status
}

interface Named {
  readonly center_id: number
  readonly actor_id: string
  readonly name: string
}

export async function namesIn(
  tx: IdentityTx,
  centers: readonly number[],
  people: readonly string[],
): Promise<readonly Named[]> {
  const { rows } = await sql<Named>`
    select center_id, actor_id, name from directory.memberships
    where center_id = any (${centers}::integer[]) and actor_id = any (${people}::uuid[]) and accepted`.execute(tx.db)
  return rows
}
