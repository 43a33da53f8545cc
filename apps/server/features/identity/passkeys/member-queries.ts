import { sql } from 'kysely'
import type { IdentityTx, PartnerTx } from '../../../data/directory.ts'

/** In any state: the keys of a suspended member can be seen. */
export async function isMember(tx: IdentityTx, centerId: number, actorId: string): Promise<boolean> {
  const { rows } = await sql`
    select from directory.memberships where center_id = ${centerId} and actor_id = ${actorId}`.execute(tx.db)
  return rows.length > 0
}

/** Names and addresses of ACTIVE members among these people. */
export async function namesOf(
  tx: IdentityTx,
  centerId: number,
  actorIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly name: string; readonly email: string }>> {
  const { rows } = await sql<{ id: string; name: string; email: string | null }>`
    select a.id, a.name, a.email from directory.memberships m join directory.actors a on a.id = m.actor_id
    where m.center_id = ${centerId} and m.status = 'ACTIVE' and a.id = any (${actorIds}::uuid[])`.execute(tx.db)
  return new Map(rows.map(({ id, name, email }) => [id, { name, email: email ?? '' }]))
}

export async function adminsOf(tx: IdentityTx, centerId: number): Promise<readonly string[]> {
  const { rows } = await sql<{ actor_id: string }>`
    select actor_id from directory.memberships
    where center_id = ${centerId} and role = 'ADMIN' and status = 'ACTIVE'`.execute(tx.db)
  return rows.map(({ actor_id }) => actor_id)
}

/** Row-level security shows a partner only its own centers. */
export async function isPartnersCenter(tx: PartnerTx, centerId: number): Promise<boolean> {
  const { rows } = await sql`
    select from directory.partner_centers where partner_id = ${tx.partnerId} and center_id = ${centerId}`.execute(tx.db)
  return rows.length > 0
}
