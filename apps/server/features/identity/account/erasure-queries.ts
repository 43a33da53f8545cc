import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

/**
 * The account and the records of the same person that nobody else can sign in to: those with a password of their own go on.
 * Locked, also against rows that would name them.
 */
export async function lockPerson(tx: IdentityTx, actorId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from directory.actors a
    where id in (select directory.family_of(${actorId})) and (id = ${actorId} or not exists (
      select from directory.credentials c where c.actor_id = a.id))
    order by id for update`.execute(tx.db)
  return rows.map(({ id }) => id)
}

/** In the order of every other change, so that no two wait for each other. */
export const lockCentersOf = (tx: IdentityTx, people: readonly string[]) =>
  sql`
    select from directory.centers where id in (
      select center_id from directory.memberships where actor_id = any (${people}::uuid[])) order by id for no key update`.execute(
    tx.db,
  )

export interface ObstacleRow {
  readonly reason: 'LAST_ADMIN' | 'OWN_WORKSPACE' | 'LAST_PARTNER_ADMIN' | 'OPERATOR'
  readonly name: string | null
}

export async function obstaclesOf(tx: IdentityTx, people: readonly string[]): Promise<readonly ObstacleRow[]> {
  const { rows } = await sql<ObstacleRow>`
    select 'OPERATOR' as reason, null as name from directory.actors where id = any (${people}::uuid[]) and is_operator
    union all
    select 'LAST_PARTNER_ADMIN', p.name from directory.partner_accounts a join directory.partners p on p.id = a.partner_id
    where a.actor_id = any (${people}::uuid[]) and a.role = 'PARTNER_ADMIN' and not exists (
      select from directory.partner_accounts o
      where o.partner_id = a.partner_id and o.role = 'PARTNER_ADMIN' and o.actor_id <> all (${people}::uuid[]))
    union all
    select case when c.tenant_type = 'WORKSPACE' then 'OWN_WORKSPACE' else 'LAST_ADMIN' end, c.name
    from directory.centers c join (
      select center_id, count(*) as own from directory.memberships
      where actor_id = any (${people}::uuid[]) and status = 'ACTIVE' and role = 'ADMIN' group by center_id) m on m.center_id = c.id
    where c.admin_count <= m.own and not c.sandbox and c.status <> 'INACTIVE'
    order by reason, name`.execute(tx.db)
  return rows
}

interface CenterRow {
  readonly id: number
  readonly name: string
}

export interface Standing {
  readonly memberships: readonly CenterRow[]
  readonly centers: readonly CenterRow[]
  readonly guarded: number
  readonly kept: number
  readonly passkeys: number
  readonly sessions: number
}

export async function standingOf(tx: IdentityTx, people: readonly string[]): Promise<Standing> {
  const { rows } = await sql<Standing>`
    with own as (
      select m.center_id as id, c.name, m.status, m.accepted
      from directory.memberships m join directory.centers c on c.id = m.center_id where m.actor_id = any (${people}::uuid[])),
    children as (
      select distinct child_id from directory.guardianships where parent_id = any (${people}::uuid[]) and status = 'ACTIVE')
    select
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name, id), '[]') from (
        select distinct id, name from own where status not in ('ENDED', 'REJECTED')) o) as memberships,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name, id), '[]') from (
        select distinct id, name from own where accepted) o) as centers,
      (select count(*)::int from children) as guarded,
      (select count(*)::int from children where not exists (
        select from directory.credentials k where k.actor_id = child_id)) as kept,
      (select count(*)::int from directory.passkeys where actor_id = any (${people}::uuid[]) and removed_at is null) as passkeys,
      (select count(*)::int from directory.sessions
        where actor_id = any (${people}::uuid[]) and revoked_at is null and expires_at > ${now()}) as sessions`.execute(
    tx.db,
  )
  return rows[0] as Standing
}

/** From here on the person is nobody: their ways in are gone, and no membership of theirs begins again. */
export async function erase(tx: IdentityTx, people: readonly string[]): Promise<void> {
  await sql`
    with people as (select unnest(${people}::uuid[]) as id),
    changes as (delete from directory.address_changes where actor_id in (select id from people)),
    resets as (delete from directory.password_resets where actor_id in (select id from people)),
    push as (delete from directory.push_subscriptions where actor_id in (select id from people)),
    settings as (delete from directory.notification_settings where actor_id in (select id from people)),
    calendars as (delete from directory.calendar_feeds where actor_id in (select id from people)),
    views as (delete from directory.saved_views v using directory.memberships m
      where m.actor_id in (select id from people) and v.center_id = m.center_id and v.owner_id = m.actor_id),
    digests as (delete from directory.digest_items where actor_id in (select id from people)),
    devices as (update directory.sessions set browser = null, system = null where actor_id in (select id from people)),
    providers as (delete from directory.oidc_accounts where actor_id in (select id from people)),
    identifiers as (delete from directory.login_identifiers where actor_id in (select id from people)),
    passwords as (delete from directory.credentials where actor_id in (select id from people))
    update directory.actors set erased_at = ${now()}, name = '', email = null, email_verified_at = null, phone = null,
      phone_verified_at = null, language = null
    where id in (select id from people)`.execute(tx.db)
}

/** With the invitations that they have sent: nobody comes in by the word of somebody who is gone. */
export async function leavePartners(tx: IdentityTx, people: readonly string[]) {
  await tx.db.deleteFrom('partner_invitations').where('invited_by', 'in', people).execute()
  return tx.db.deleteFrom('partner_accounts').where('actor_id', 'in', people).returning('partner_id').execute()
}

/** A key stays, because proofs name it; the name that its person gave it does not. */
export async function removePasskeys(tx: IdentityTx, people: readonly string[]) {
  await tx.db.updateTable('passkeys').set({ name: null }).where('actor_id', 'in', people).execute()
  return tx.db
    .updateTable('passkeys')
    .set({ removed_at: now() })
    .where('actor_id', 'in', people)
    .where('removed_at', 'is', null)
    .returning('actor_id')
    .execute()
}

export interface EndedRow {
  readonly id: string
  readonly center_id: number
  readonly was: string
}

/** Without their address, so that an invitation to it begins a new membership. The center keeps the name that it knew. */
export async function endMemberships(tx: IdentityTx, people: readonly string[]): Promise<readonly EndedRow[]> {
  await sql`
    delete from directory.invitations i using directory.memberships m
    where m.actor_id = any (${people}::uuid[]) and i.center_id = m.center_id and i.membership_id = m.id`.execute(tx.db)
  const { rows } = await sql<EndedRow>`
    with known as (
      select center_id, id, status from directory.memberships where actor_id = any (${people}::uuid[])
      order by center_id, id for no key update)
    update directory.memberships m set address = null,
      status = case when k.status = 'REJECTED' then 'REJECTED' else 'ENDED' end,
      ended_at = case when k.status in ('ENDED', 'REJECTED') then m.ended_at else ${now()} end
    from known k where m.center_id = k.center_id and m.id = k.id
    returning m.id, m.center_id, k.status as was`.execute(tx.db)
  return rows.filter(({ was }) => was !== 'ENDED' && was !== 'REJECTED')
}
