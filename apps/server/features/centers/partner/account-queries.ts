/** The accounts of a partner. Row-level security shows a partner its own only. */
import type { PartnerRole } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { PartnerTx } from '../../../data/directory.ts'

export interface AccountRow {
  readonly actor_id: string
  readonly name: string
  readonly email: string | null
  readonly role: PartnerRole
  readonly last: boolean
}

const accounts = (tx: PartnerTx) => sql`
  select o.actor_id, a.name, a.email, o.role, o.role = 'PARTNER_ADMIN' and
    count(*) filter (where o.role = 'PARTNER_ADMIN') over () = 1 as last
  from directory.partner_accounts o join directory.actors a on a.id = o.actor_id where o.partner_id = ${tx.partnerId}`

export async function pageOfAccounts(tx: PartnerTx, limit: number, offset: number): Promise<readonly AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    ${accounts(tx)} order by a.name, o.actor_id limit ${limit} offset ${offset}`.execute(tx.db)
  return rows
}

export async function countAccounts(tx: PartnerTx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from directory.partner_accounts where partner_id = ${tx.partnerId}`.execute(tx.db)
  return rows[0]?.n ?? 0
}

export async function findAccount(tx: PartnerTx, actorId: string): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`select * from (${accounts(tx)}) t where t.actor_id = ${actorId}`.execute(tx.db)
  return rows[0]
}

/** Of two concurrent changes of one account the second sees the result of the first. */
export const lockAccount = (tx: PartnerTx, actorId: string) =>
  tx.db
    .selectFrom('partner_accounts')
    .select('role')
    .where('partner_id', '=', tx.partnerId)
    .where('actor_id', '=', actorId)
    .forUpdate()
    .executeTakeFirst()

export const setRole = (tx: PartnerTx, actorId: string, role: PartnerRole) =>
  tx.db
    .updateTable('partner_accounts')
    .set({ role })
    .where('partner_id', '=', tx.partnerId)
    .where('actor_id', '=', actorId)
    .execute()

export const deleteAccount = (tx: PartnerTx, actorId: string) =>
  tx.db.deleteFrom('partner_accounts').where('partner_id', '=', tx.partnerId).where('actor_id', '=', actorId).execute()

/** The open invitations that this person has sent. */
export const withdrawInvitationsOf = (tx: PartnerTx, actorId: string) =>
  tx.db
    .deleteFrom('partner_invitations')
    .where('partner_id', '=', tx.partnerId)
    .where('invited_by', '=', actorId)
    .returning('id')
    .execute()
