/** Subscriptions of sessions, and the notices that wait to be sent to them. */
import { sql } from 'kysely'
import type { Lease } from '../../../concurrency/leases.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { type LeasedTable, removeRow } from '../../../delivery/lease-queries.ts'

export interface SubscriptionRow {
  readonly session_id: string
  readonly actor_id: string
  readonly endpoint_hash: Buffer
  readonly sealed: Buffer
  readonly created_at: Date
}

/** Replaces that of the session and that of the browser, and removes the oldest of a person who has more than `most`. */
export async function keepSubscription(tx: IdentityTx, row: SubscriptionRow, most: number): Promise<void> {
  await sql`
    delete from directory.push_subscriptions
    where session_id = ${row.session_id} or endpoint_hash = ${row.endpoint_hash}`.execute(tx.db)
  await tx.db.insertInto('push_subscriptions').values(row).execute()
  await sql`
    delete from directory.push_subscriptions where session_id in (
      select session_id from directory.push_subscriptions where actor_id = ${row.actor_id}
      order by created_at desc, session_id desc offset ${most})`.execute(tx.db)
}

export async function dropSubscription(tx: IdentityTx, sessionId: string): Promise<void> {
  await tx.db.deleteFrom('push_subscriptions').where('session_id', '=', sessionId).execute()
}

export const hasSubscription = async (tx: IdentityTx, sessionId: string): Promise<boolean> =>
  (await tx.db
    .selectFrom('push_subscriptions')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()) !== undefined

export const passOn = (tx: IdentityTx, from: string, to: string) =>
  tx.db.updateTable('push_subscriptions').set({ session_id: to }).where('session_id', '=', from).execute()

/** What the browser gets and shows. */
export interface Shown {
  readonly kind: string
  readonly center: string
  readonly language: 'ko' | 'en'
  readonly text: string
  readonly url: string
}

export interface NewNotice {
  readonly actorId: string
  readonly centerId: number | null
  readonly cause: string
  /** The newest decision that waits; else `message`. */
  readonly eventId: string | null
  readonly message?: Shown
  readonly at: Date
  readonly until: Date
}

/**
 * A session of a provider or a custom domain learns of the center that it has entered and of no other, and of none after the
 * provider or the domain was removed.
 */
export async function insertNotices(tx: IdentityTx, notice: NewNotice): Promise<number> {
  const { actorId, centerId, cause, eventId, message, at, until } = notice
  const { numAffectedRows } = await sql`
    insert into directory.push_notices (session_id, cause, center_id, event_id, message, next_at, expires_at)
    select p.session_id, ${cause}, ${centerId}::integer, ${eventId}::uuid, ${message ? JSON.stringify(message) : null}::json,
      ${at}::timestamptz, ${until}::timestamptz
    from directory.push_subscriptions p join directory.sessions s on s.id = p.session_id
      left join directory.oidc_providers o on o.id = s.provider_id
      left join directory.domains d on d.id = s.site_id and d.purpose = 'site'
    where p.actor_id = ${actorId} and s.revoked_at is null and s.expires_at > ${at}::timestamptz
      and (coalesce(s.provider_id, s.site_id) is null or s.center_id = ${centerId})
      and (s.provider_id is null or o.id is not null) and (s.site_id is null or d.proven_at <= s.created_at)
    order by p.session_id
    on conflict (session_id, cause) do update set event_id = excluded.event_id, expires_at = excluded.expires_at`.execute(
    tx.db,
  )
  return Number(numAffectedRows)
}

export interface DueNotice extends Lease {
  readonly session_id: string
  readonly cause: string
  readonly center_id: number | null
  readonly event_id: string | null
  readonly message: Shown | null
  readonly actor_id: string
  readonly sealed: Buffer
  readonly center_domain: string | null
}

export const notices: LeasedTable = {
  name: 'directory.push_notices',
  key: ['session_id', 'cause'],
  lease: 'next_at',
  epoch: 'attempts',
  due: (at) => sql`next_at <= ${at} and expires_at > ${at}`,
  order: 'next_at',
  perCenter: 5,
  joins: 'join directory.push_subscriptions p on p.session_id = free.session_id',
  columns: `r.session_id, r.cause, r.center_id, r.event_id, r.message, p.actor_id, p.sealed,
    (select c.domain from directory.centers c where c.id = r.center_id) as center_domain`,
}

/** Unless another decision began to wait meanwhile. */
export const endNotice = (tx: IdentityTx, notice: DueNotice) =>
  removeRow(tx.db, notices, notice, sql`event_id is distinct from ${notice.event_id}::uuid`)
