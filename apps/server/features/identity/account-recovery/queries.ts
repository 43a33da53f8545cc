import type { ActorRole, PartnerRole, Vertical } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { lockCenter } from '../members/api.ts'

export interface InvitationRow {
  readonly center_id: number
  readonly center_domain: string
  readonly center_name: string
  readonly membership_id: string
  readonly approved: boolean
  readonly actor_id: string
  readonly email: string
  readonly status: string
}

/** Of a person who has another address since, the mailbox of the old one neither learns the new one nor accepts. */
const stillTheirs = sql`a.email is not null and (m.address is null or lower(m.address) = lower(a.email))`

/** Uses the invitation by deleting it. Returns the membership too, locked. */
export async function takeInvitation(tx: IdentityTx, hash: Buffer): Promise<InvitationRow | undefined> {
  const taken = await tx.db
    .deleteFrom('invitations')
    .where('hash', '=', hash)
    .where('expires_at', '>', now())
    .returning(['center_id', 'membership_id', 'approved'])
    .executeTakeFirst()
  if (!taken) return undefined
  await lockCenter(tx, taken.center_id)
  const { rows } = await sql<Omit<InvitationRow, 'approved'>>`
    select m.center_id, c.domain as center_domain, c.name as center_name, m.id as membership_id, m.actor_id, a.email, m.status
    from directory.memberships m join directory.centers c on c.id = m.center_id join directory.actors a on a.id = m.actor_id
    where m.center_id = ${taken.center_id} and m.id = ${taken.membership_id} and ${stillTheirs} for update of m`.execute(
    tx.db,
  )
  return rows[0] && { ...rows[0], approved: taken.approved }
}

export interface ReadInvitation {
  readonly center_name: string | null
  readonly vertical: Vertical | null
  readonly settings: unknown
  readonly partner_name: string | null
  readonly role: ActorRole | null
  readonly partner_role: PartnerRole | null
  readonly guardian: boolean
  readonly inviter: string | null
  readonly email: string
  readonly name: string | null
  readonly has_account: boolean
  readonly expires_at: Date
}

/** Of a center or of a partner; the link stays valid. */
export async function readInvitation(tx: IdentityTx, hash: Buffer): Promise<ReadInvitation | undefined> {
  const { rows } = await sql<ReadInvitation>`
    with invited as (
      select c.name as center_name, c.vertical, c.settings, null as partner_name, m.role, null as partner_role, exists (
          select from directory.guardianships g
          where g.center_id = m.center_id and g.parent_id = m.actor_id and g.status = 'INVITED') as guardian,
        i.inviter, a.email, m.name, i.expires_at, m.actor_id
      from directory.invitations i
      join directory.memberships m on m.center_id = i.center_id and m.id = i.membership_id
      join directory.centers c on c.id = m.center_id join directory.actors a on a.id = m.actor_id
      where i.hash = ${hash} and i.expires_at > ${now()} and ${stillTheirs}
      union all
      select null, null, null, p.name, null, i.role, false, a.name, i.email, null, i.expires_at, null
      from directory.partner_invitations i join directory.partners p on p.id = i.partner_id
      left join directory.actors a on a.id = i.invited_by
      where i.hash = ${hash} and i.expires_at > ${now()})
    select invited.*, exists (select from directory.login_identifiers l where l.identifier = 'email:' || invited.email)
      as has_account
    from invited`.execute(tx.db)
  return rows[0]
}

/** Whether this person, by id or by a verified address, is the one who was invited. */
export async function isInvited(tx: IdentityTx, actorId: string, invitedId: string): Promise<boolean> {
  const { rows } = await sql`
    select from directory.actors own, directory.actors invited
    where own.id = ${actorId} and invited.id = ${invitedId} and (own.id = invited.id
      or invited.id in (select directory.family_of(own.id))
      or own.email = invited.email and own.email_verified_at is not null)`.execute(tx.db)
  return rows.length > 0
}

export const nameActor = (tx: IdentityTx, actorId: string, name: string) =>
  tx.db.updateTable('actors').set({ name }).where('id', '=', actorId).execute()

/** What a stranger knows of a person: the address, the name, and the centers. */
export async function namesAround(tx: IdentityTx, actorId: string): Promise<readonly (string | null)[]> {
  const { rows } = await sql<{ known: string | null }>`
    select unnest(array[email, name]) as known from directory.actors where id = ${actorId}
    union select c.name from directory.memberships m join directory.centers c on c.id = m.center_id
    where m.actor_id = ${actorId}`.execute(tx.db)
  return rows.map(({ known }) => known)
}

/**
 * The address is verified; the first account that verifies it signs in with it, even where others share it. The password is
 * `chosen` only where it becomes that of the account.
 */
export async function proveAddress(
  tx: IdentityTx,
  actorId: string,
  identifier: string,
  chosen: (actorId: string) => Promise<string>,
): Promise<void> {
  await sql`update directory.actors set email_verified_at = coalesce(email_verified_at, ${now()}) where id = ${actorId}`.execute(
    tx.db,
  )
  const taken = await tx.db
    .selectFrom('login_identifiers')
    .select('actor_id')
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  if (taken) return
  const passwordHash = await chosen(actorId)
  await sql`insert into directory.credentials (actor_id, password_hash) values (${actorId}, ${passwordHash}) on conflict do nothing`.execute(
    tx.db,
  )
  await sql`insert into directory.login_identifiers (identifier, actor_id) values (${identifier}, ${actorId}) on conflict do nothing`.execute(
    tx.db,
  )
}

export async function findForReset(
  tx: IdentityTx,
  identifier: string,
): Promise<{ actor_id: string; email: string | null } | undefined> {
  return tx.db
    .selectFrom('login_identifiers')
    .innerJoin('actors', 'actors.id', 'login_identifiers.actor_id')
    .select(['actor_id', 'email'])
    .where('identifier', '=', identifier)
    .executeTakeFirst()
}

export const insertReset = (tx: IdentityTx, row: { hash: Buffer; actor_id: string; expires_at: Date }) =>
  tx.db.insertInto('password_resets').values(row).execute()

/** Deletes all reset tokens of the actor together with the one that is used. */
export async function takeReset(tx: IdentityTx, hash: Buffer): Promise<string | undefined> {
  const taken = await tx.db
    .deleteFrom('password_resets')
    .where('hash', '=', hash)
    .where('expires_at', '>', now())
    .returning('actor_id')
    .executeTakeFirst()
  if (taken) await withdrawResets(tx, taken.actor_id)
  return taken?.actor_id
}

/** Links that were mailed before open nothing any more. */
export const withdrawResets = (tx: IdentityTx, actorId: string) =>
  tx.db.deleteFrom('password_resets').where('actor_id', '=', actorId).execute()

/** False for a person who never had a password. */
export const storePassword = async (tx: IdentityTx, actorId: string, passwordHash: string): Promise<boolean> =>
  (await tx.db
    .updateTable('credentials')
    .set({ password_hash: passwordHash, updated_at: now() })
    .where('actor_id', '=', actorId)
    .returning('actor_id')
    .executeTakeFirst()) !== undefined
