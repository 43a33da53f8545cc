import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'

/** The keys of a suspended member can be seen. Undefined: no member. */
export async function membershipStatus(tx: IdentityTx, centerId: number, actorId: string): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`
    select status from directory.memberships where center_id = ${centerId} and actor_id = ${actorId}`.execute(tx.db)
  return rows[0]?.status
}

export interface Approver {
  readonly membershipId: string
  readonly name: string
  readonly email: string
}

const mostApprovers = 1000

/** The ACTIVE members who may approve. Nobody needs the confirmation of other keys, which only sign in. */
export async function approversOf(tx: IdentityTx, centerId: number): Promise<ReadonlyMap<string, Approver>> {
  const { rows } = await sql<{ id: string; membership_id: string; name: string; email: string | null }>`
    select a.id, m.id as membership_id, m.name, a.email
    from directory.memberships m join directory.actors a on a.id = m.actor_id
    where m.center_id = ${centerId} and directory.may_approve(m.role, m.status)
    order by a.id limit ${mostApprovers}`.execute(tx.db)
  return new Map(
    rows.map((row) => [row.id, { membershipId: row.membership_id, name: row.name, email: row.email ?? '' }]),
  )
}

export async function adminsOf(tx: IdentityTx, centerId: number): Promise<readonly string[]> {
  const { rows } = await sql<{ actor_id: string }>`
    select actor_id from directory.memberships
    where center_id = ${centerId} and role = 'ADMIN' and status = 'ACTIVE'`.execute(tx.db)
  return rows.map(({ actor_id }) => actor_id)
}
