import type { PartnerRole } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { IdentityTx, PartnerTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly role: PartnerRole
  readonly invited_by: string
  readonly created_at: Date
  readonly expires_at: Date
}

const own = (tx: PartnerTx) =>
  tx.db.selectFrom('partner_invitations').where('partner_id', '=', tx.partnerId).where('expires_at', '>', now())

export const pageOfInvitations = (tx: PartnerTx, limit: number, offset: number): Promise<InvitationRow[]> =>
  own(tx)
    .select(['id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .$castTo<InvitationRow>()
    .execute()

export const countOpen = async (tx: PartnerTx): Promise<number> =>
  (
    await own(tx)
      .select((eb) => eb.fn.count<number>('id').as('n'))
      .executeTakeFirstOrThrow()
  ).n

/** Earlier invitations to the same address, expired ones included. */
export const withdraw = (tx: PartnerTx, email: string) =>
  tx.db.deleteFrom('partner_invitations').where('partner_id', '=', tx.partnerId).where('email', '=', email).execute()

export const insertInvitation = (tx: PartnerTx, row: InvitationRow, hash: Buffer) =>
  tx.db
    .insertInto('partner_invitations')
    .values({ ...row, hash, partner_id: tx.partnerId })
    .execute()

export const deleteInvitation = async (tx: PartnerTx, id: string): Promise<boolean> =>
  (await tx.db
    .deleteFrom('partner_invitations')
    .where('partner_id', '=', tx.partnerId)
    .where('id', '=', id)
    .where('expires_at', '>', now())
    .returning('id')
    .executeTakeFirst()) !== undefined

interface TakenInvitation {
  readonly partner_id: string
  readonly partner_name: string
  readonly email: string
  readonly role: string
}

/** Uses the invitation by deleting it. */
export async function takeInvitation(tx: IdentityTx, hash: Buffer): Promise<TakenInvitation | undefined> {
  const { rows } = await sql<TakenInvitation>`
    delete from directory.partner_invitations i using directory.partners p
    where i.hash = ${hash} and i.expires_at > ${now()} and p.id = i.partner_id
    returning i.partner_id, p.name as partner_name, i.email, i.role`.execute(tx.db)
  return rows[0]
}

export const insertActor = (tx: IdentityTx, row: { id: string; email: string; name: string }) =>
  tx.db
    .insertInto('actors')
    .values({ ...row, role: 'PARENT' })
    .execute()

/** False when the person acts for a partner already. */
export const insertAccount = async (
  tx: IdentityTx,
  row: { partner_id: string; actor_id: string; role: PartnerRole },
): Promise<boolean> =>
  (await tx.db
    .insertInto('partner_accounts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('actor_id')
    .executeTakeFirst()) !== undefined
