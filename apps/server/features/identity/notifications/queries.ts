import type { MessageChannel, MessagePerson } from '@countersign/contract/messages.ts'
import type { Language } from '@countersign/words/say.ts'
import { type Kysely, sql } from 'kysely'
import type { Lease } from '../../../concurrency/leases.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { LeasedTable } from '../../../delivery/lease-queries.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { uuidOf } from '../../../lib/ids.ts'
import type { CauseFacts } from '../../../mail/causes.ts'
import type { Settings } from './choices.ts'

export interface CauseRow {
  readonly id: string
  readonly event: string
  readonly center_id: number | null
  readonly facts: CauseFacts
  readonly noted_at: Date
}

export interface DueCause extends CauseRow, Lease {}

export const causes: LeasedTable = {
  name: 'directory.message_causes',
  key: ['id'],
  lease: 'next_at',
  epoch: 'attempts',
  due: (at) => sql`told_at is null and next_at <= ${at} and expires_at > ${at}`,
  order: 'next_at',
  columns: 'r.id, r.event, r.center_id, r.facts, r.noted_at',
}

/** False where it was told before, or another worker tells it. Locks it until the end of the transaction. */
export async function settleCause(tx: IdentityTx, { id, epoch }: DueCause): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update directory.message_causes set told_at = ${now()}
    where id = ${id} and attempts = ${epoch} and told_at is null`.execute(tx.db)
  return Number(numAffectedRows) === 1
}

/** False where the person was told of the cause by this channel before. */
export async function takeTold(
  tx: IdentityTx,
  told: { readonly cause: string; readonly actorId: string; readonly channel: MessageChannel },
  seconds: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into directory.messages_told (cause, actor_id, channel, expires_at)
    values (${told.cause}, ${told.actorId}, ${told.channel}, ${secondsFromNow(seconds)})
    on conflict do nothing`.execute(tx.db)
  return Number(numAffectedRows) === 1
}

export interface Recipient {
  readonly actor_id: string
  readonly name: string
  readonly email: string | null
  /** Only where it is verified. */
  readonly phone: string | null
  readonly language: Language | null
  readonly settings: Settings | null
  readonly as: MessagePerson
}

export interface Named {
  readonly actorId: string
  readonly as: MessagePerson
}

const people = sql`
  a.id as actor_id, a.name, a.email, case when a.phone_verified_at is not null then a.phone end as phone, a.language, s.settings`

/** These people, as far as they are members of the center; outside a center whoever they are. */
export async function namedPeople(
  tx: IdentityTx,
  centerId: number | null,
  named: readonly Named[],
  statuses: readonly string[],
): Promise<readonly Recipient[]> {
  if (named.length === 0) return []
  const { rows } = await sql<Recipient>`
    select distinct on (a.id, n."as") ${people}, n."as"
    from json_to_recordset(${JSON.stringify(named)}) as n ("actorId" uuid, "as" text)
      join directory.actors a on a.id = n."actorId"
      left join directory.memberships m on m.center_id = ${centerId} and m.actor_id = a.id
      left join directory.notification_settings s on s.actor_id = a.id
    where ${centerId}::integer is null or m.status = any (${statuses}::text[])`.execute(tx.db)
  return rows
}

export async function guardiansOf(tx: IdentityTx, centerId: number, childId: string): Promise<readonly Recipient[]> {
  const { rows } = await sql<Recipient>`
    select ${people}, 'guardians' as "as"
    from directory.guardianships g
      join directory.memberships m on m.center_id = g.center_id and m.actor_id = g.parent_id and m.status = 'ACTIVE'
      join directory.actors a on a.id = g.parent_id
      left join directory.notification_settings s on s.actor_id = a.id
    where g.center_id = ${centerId} and g.child_id = ${childId} and g.status = 'ACTIVE'`.execute(tx.db)
  return rows
}

export async function adminsOf(tx: IdentityTx, centerId: number): Promise<readonly Recipient[]> {
  const { rows } = await sql<Recipient>`
    select ${people}, 'admins' as "as"
    from directory.memberships m join directory.actors a on a.id = m.actor_id
      left join directory.notification_settings s on s.actor_id = a.id
    where m.center_id = ${centerId} and m.role = 'ADMIN' and m.status = 'ACTIVE'`.execute(tx.db)
  return rows
}

export async function nameOf(tx: IdentityTx, centerId: number | null, actorId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(m.name, a.name) as name from directory.actors a
      left join directory.memberships m on m.center_id = ${centerId} and m.actor_id = a.id
    where a.id = ${actorId}`.execute(tx.db)
  return rows[0]?.name ?? null
}

export async function domainOf(tx: IdentityTx, centerId: number): Promise<string | null> {
  const row = await tx.db.selectFrom('centers').select('domain').where('id', '=', centerId).executeTakeFirst()
  return row?.domain ?? null
}

export async function storedSettings(tx: IdentityTx, actorId: string): Promise<Settings | null> {
  const row = await tx.db
    .selectFrom('notification_settings')
    .select('settings')
    .where('actor_id', '=', actorId)
    .executeTakeFirst()
  return (row?.settings ?? null) as Settings | null
}

export async function phoneOf(
  tx: IdentityTx,
  actorId: string,
): Promise<{ phone: string | null; language: Language | null }> {
  const row = await tx.db
    .selectFrom('actors')
    .select(['phone', 'phone_verified_at', 'language'])
    .where('id', '=', actorId)
    .executeTakeFirst()
  return { phone: row?.phone_verified_at ? row.phone : null, language: (row?.language ?? null) as Language | null }
}

/** Of two changes at once the later one stands. */
export const storeSettings = (tx: IdentityTx, actorId: string, settings: Settings) =>
  sql`
    insert into directory.notification_settings (actor_id, settings, changed_at)
    values (${actorId}, ${JSON.stringify(settings)}, ${now()})
    on conflict (actor_id) do update set settings = excluded.settings, changed_at = excluded.changed_at`.execute(tx.db)

export interface DigestItem {
  readonly actorId: string
  readonly cause: string
  readonly centerId: number | null
  readonly event: string
  readonly url: string
  readonly dueAt: Date
}

const digestSeconds = 7 * 86_400

export const insertDigestItems = (tx: IdentityTx, items: readonly DigestItem[]) =>
  sql`
    insert into directory.digest_items (actor_id, cause, center_id, event, url, due_at, expires_at)
    select "actorId", cause, "centerId", event, url, "dueAt", ${secondsFromNow(digestSeconds)}::timestamptz
    from json_to_recordset(${JSON.stringify(items)}) as i ("actorId" uuid, cause text, "centerId" integer, event text,
      url text, "dueAt" timestamptz)
    on conflict do nothing`.execute(tx.db)

export async function peopleWithDigests(tx: IdentityTx, most: number): Promise<readonly string[]> {
  const { rows } = await sql<{ actor_id: string }>`
    select distinct actor_id from directory.digest_items where due_at <= ${now()} limit ${most}`.execute(tx.db)
  return rows.map(({ actor_id }) => actor_id)
}

export interface WaitingItem {
  readonly cause: string
  readonly center_id: number
  /** Of the decision. */
  readonly event_id: string
}

/** What is about to be announced as waiting for this person. */
export async function dueWaiting(tx: IdentityTx, actorId: string): Promise<readonly WaitingItem[]> {
  const { rows } = await sql<{ cause: string; center_id: number }>`
    select cause, center_id from directory.digest_items
    where actor_id = ${actorId} and due_at <= ${now()} and event = 'decisionWaits' and center_id is not null`.execute(
    tx.db,
  )
  return rows.flatMap(({ cause, center_id }) => {
    const event_id = uuidOf('decisionEvent', cause.split(' ').at(-1) as string)
    return event_id === null ? [] : [{ cause, center_id, event_id }]
  })
}

/** Those of these decisions for which nobody waits anymore. */
export async function decidedSince(tx: TenantTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::uuid[]) id
    where not exists (select from cell.waiting_decisions w where w.center_id = ${tx.caller.centerId} and w.event_id = id)
      and not exists (select from cell.emergencies m
        where m.center_id = ${tx.caller.centerId} and m.event_id = id and m.state = 'open')`.execute(tx.db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Takes them, without those that are `over`: they are deleted in the transaction that queues the email. What is about a center goes only to those who are its
 * members at that time, whatever they were when the item was collected.
 */
export async function takeDigest(tx: IdentityTx, actorId: string, over: readonly string[]) {
  const { rows } = await sql<{
    event: string
    url: string
    center_id: number | null
    center: string | null
    email: string | null
  }>`
    with taken as (
      delete from directory.digest_items where actor_id = ${actorId} and due_at <= ${now()}
      returning cause, event, url, center_id, due_at)
    select t.event, t.url, t.center_id, c.name as center, a.email from taken t
      join directory.actors a on a.id = ${actorId} left join directory.centers c on c.id = t.center_id
    where t.cause <> all (${over}::text[]) and (t.center_id is null or exists (
      select from directory.memberships m
      where m.center_id = t.center_id and m.actor_id = a.id and m.status = 'ACTIVE'))
    order by c.name, t.due_at, t.url`.execute(tx.db)
  return rows
}

export async function centersWithCauses(db: Kysely<never>): Promise<readonly number[]> {
  const { rows } = await sql<{ center_id: number }>`
    select distinct center_id from cell.message_causes where told_at is null order by 1`.execute(db)
  return rows.map(({ center_id }) => center_id)
}

export async function untoldCauses(tx: TenantTx, most: number): Promise<readonly CauseRow[]> {
  const { rows } = await sql<CauseRow>`
    select id, event, center_id, facts, noted_at from cell.message_causes
    where center_id = ${tx.caller.centerId} and told_at is null order by noted_at, id limit ${most}`.execute(tx.db)
  return rows
}

export const settleCellCauses = (tx: TenantTx, ids: readonly string[]) =>
  sql`
    update cell.message_causes set told_at = ${now()}
    where center_id = ${tx.caller.centerId} and id = any (${ids}::text[])`.execute(tx.db)
