import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export type Language = 'ko' | 'en'

export interface AccountRow {
  readonly name: string
  readonly language: Language | null
  readonly email: string | null
  readonly phone: string | null
}

/** Locked: of two changes at once the second sees the first. */
export const lockAccount = (tx: IdentityTx, actorId: string): Promise<AccountRow> =>
  tx.db
    .selectFrom('actors')
    .select(['name', 'language', 'email', 'phone'])
    .where('id', '=', actorId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow() as Promise<AccountRow>

export const setAccount = (tx: IdentityTx, actorId: string, set: { name?: string; language?: Language }) =>
  tx.db.updateTable('actors').set(set).where('id', '=', actorId).execute()

export interface RenamedRow {
  readonly id: string
  readonly center_id: number
  readonly old: string
}

/** In the centers that know the person now. One that the person has left keeps the name that it knew. */
export async function renameInCenters(tx: IdentityTx, actorId: string, name: string): Promise<readonly RenamedRow[]> {
  const { rows } = await sql<RenamedRow>`
    with known as (
      select center_id, id, name as old from directory.memberships
      where actor_id = ${actorId} and accepted and name <> ${name} and status in ('PENDING', 'ACTIVE', 'SUSPENDED')
      order by center_id for no key update)
    update directory.memberships m set name = ${name} from known k
    where m.center_id = k.center_id and m.id = k.id returning m.id, m.center_id, k.old`.execute(tx.db)
  return rows
}

/** Locked until the end of the transaction. */
export const sessionLives = async (tx: IdentityTx, sessionId: string): Promise<boolean> =>
  (await tx.db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()) !== undefined

export type AddressKind = 'email' | 'phone'

export interface NewChange {
  readonly actor_id: string
  readonly kind: AddressKind
  readonly address: string
  readonly sealed: Buffer
  readonly code_until: Date
  readonly expires_at: Date
  /** Codes within a day, and seconds between two. */
  readonly most: number
  readonly between: number
}

/** A new code replaces the one before. False, and nothing stored, when the person has asked too often. */
export async function storeChange(tx: IdentityTx, { most, between, ...row }: NewChange): Promise<boolean> {
  const { rows } = await sql`
    insert into directory.address_changes as c (actor_id, kind, address, sealed, asked_at, code_until, expires_at)
    values (${row.actor_id}, ${row.kind}, ${row.address}, ${row.sealed}, ${now()}, ${row.code_until}, ${row.expires_at})
    on conflict (actor_id, kind) do update
      set address = excluded.address, sealed = excluded.sealed, attempts = 0, asked_at = excluded.asked_at,
        code_until = excluded.code_until,
        asked = case when c.expires_at <= ${now()} then 1 else c.asked + 1 end,
        expires_at = case when c.expires_at <= ${now()} then excluded.expires_at else c.expires_at end
      where c.asked_at <= excluded.asked_at - make_interval(secs => ${between})
        and (c.asked < ${most} or c.expires_at <= ${now()})
    returning 1`.execute(tx.db)
  return rows.length > 0
}

export const findChange = (tx: IdentityTx, actorId: string, kind: AddressKind) =>
  tx.db
    .selectFrom('address_changes')
    .select(['address', 'sealed', 'attempts'])
    .where('actor_id', '=', actorId)
    .where('kind', '=', kind)
    .where('code_until', '>', now())
    .executeTakeFirst()

export const countAttempt = (tx: IdentityTx, actorId: string, kind: AddressKind) =>
  sql`update directory.address_changes set attempts = attempts + 1 where actor_id = ${actorId} and kind = ${kind}`.execute(
    tx.db,
  )

export const spendCode = (tx: IdentityTx, actorId: string, kind: AddressKind) =>
  sql`update directory.address_changes set sealed = null where actor_id = ${actorId} and kind = ${kind}`.execute(tx.db)

export const releaseIdentifiers = (tx: IdentityTx, actorId: string, kind: AddressKind, except = '') =>
  tx.db
    .deleteFrom('login_identifiers')
    .where('actor_id', '=', actorId)
    .where('identifier', 'like', `${kind}:%`)
    .where('identifier', '<>', except)
    .execute()

/**
 * False when somebody else signs in with it: of two people who prove the same address at once, one gets it. A person without a
 * password signs in with none.
 */
export async function takeIdentifier(
  tx: IdentityTx,
  actorId: string,
  kind: AddressKind,
  identifier: string,
): Promise<boolean> {
  await sql`insert into directory.login_identifiers (identifier, actor_id)
    select ${identifier}, actor_id from directory.credentials where actor_id = ${actorId} on conflict do nothing`.execute(
    tx.db,
  )
  const { rows } = await sql<{ actor_id: string }>`
    select actor_id from directory.login_identifiers where identifier = ${identifier}`.execute(tx.db)
  if (rows.some(({ actor_id }) => actor_id !== actorId)) return false
  await releaseIdentifiers(tx, actorId, kind, identifier)
  return true
}

export const setAddress = (tx: IdentityTx, actorId: string, kind: AddressKind, address: string | null) =>
  tx.db
    .updateTable('actors')
    .set(
      kind === 'email'
        ? { email: address, email_verified_at: now() }
        : { phone: address, phone_verified_at: address === null ? null : now() },
    )
    .where('id', '=', actorId)
    .execute()

/** Where a center knows the person by the old address. One where somebody else has the new address keeps the old one. */
export async function readdress(tx: IdentityTx, actorId: string, old: string | null, address: string) {
  const { rows } = await sql<{ id: string; center_id: number }>`
    update directory.memberships m set address = ${address}
    where m.actor_id = ${actorId} and m.accepted and m.address is not distinct from ${old}
      and m.status in ('PENDING', 'ACTIVE', 'SUSPENDED') and not exists (
        select from directory.memberships o where o.center_id = m.center_id and o.address = ${address})
    returning m.id, m.center_id`.execute(tx.db)
  return rows
}

/** A link that waits in the old mailbox would accept in the person's name. They accept by signing in. */
export const withdrawInvitations = (tx: IdentityTx, actorId: string) =>
  sql`
    delete from directory.invitations i using directory.memberships m
    where m.actor_id = ${actorId} and i.center_id = m.center_id and i.membership_id = m.id`.execute(tx.db)
