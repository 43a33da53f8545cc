/** SQL of the lists of webhooks and of their deliveries. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import type { RecoveryRow } from './delivery-queries.ts'

export interface WebhookFigures {
  readonly webhook_id: string
  readonly succeeded: number
  readonly failed: number
  readonly pending: number
  readonly held: number
  readonly secrets: readonly { readonly created_at: string; readonly expires_at: string | null }[] | null
  readonly recovery: (Omit<RecoveryRow, 'since' | 'created_at' | 'completed_at'> & RecoveryTimes) | null
}

interface RecoveryTimes {
  readonly since: string
  readonly created_at: string
  readonly completed_at: string | null
}

const newest = 1000

/** Of the newest deliveries of each webhook, along the primary key. */
export async function webhookFigures(tx: TenantTx): Promise<readonly WebhookFigures[]> {
  const { rows } = await sql<WebhookFigures>`
    select w.id as webhook_id, f.*, (
        select json_agg(json_build_object('created_at', s.created_at, 'expires_at', s.expires_at) order by s.created_at desc)
        from cell.webhook_secrets s where s.center_id = w.center_id and s.webhook_id = w.id
          and (s.expires_at is null or s.expires_at > ${now()})) as secrets, (
        select row_to_json(r) from cell.webhook_recoveries r where r.center_id = w.center_id and r.webhook_id = w.id
        order by r.created_at desc, r.id desc limit 1) as recovery
    from cell.webhooks w cross join lateral (
      select count(*) filter (where d.next_at is not null)::int as pending, count(*) filter (where d.held)::int as held,
        count(*) filter (where d.status = 'success' and d.next_at is null and not d.held)::int as succeeded,
        count(*) filter (where d.status = 'failed' and d.next_at is null and not d.held)::int as failed
      from (select * from cell.webhook_deliveries d where d.center_id = w.center_id and d.webhook_id = w.id
        order by d.event_id desc limit ${newest}) d) f
    where w.center_id = ${tx.caller.centerId} and w.deleted_at is null`.execute(tx.db)
  return rows
}

export type DeliveryState = 'success' | 'failed' | 'pending' | 'held'

export interface DeliveryRow {
  readonly event_id: string
  readonly public_id: string | null
  readonly event_type: string
  readonly created_at: Date
  readonly attempts: number
  readonly attempted_at: Date | null
  readonly response_status: number | null
  readonly next_at: Date | null
  readonly state: DeliveryState
  /** Of the last attempt; null before the first. */
  readonly status: 'success' | 'failed' | null
  /** Null after the retention of events. */
  readonly data: string | null
}

const stateOf = sql`case when d.held then 'held' when d.next_at is not null then 'pending' else d.status end`

const deliveries = (tx: TenantTx, webhookId: string, withData: boolean) => sql`
  select d.event_id, e.public_id, d.event_type, d.created_at, d.attempts, d.attempted_at, d.response_status, d.next_at,
    d.status, ${stateOf} as state, ${withData ? sql`e.data` : sql`null`} as data
  from cell.webhook_deliveries d left join cell.webhook_events e
    on e.center_id = d.center_id and e.created_at = d.created_at and e.id = d.event_id
  where d.center_id = ${tx.caller.centerId} and d.webhook_id = ${webhookId}`

interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly isAttempted?: true
  /** The UUID of an event. */
  readonly before?: string | null
  readonly limit: number
}

/** Oldest first, along the primary key: events of this webhook after the one with this UUID, or from the first. */
export async function eventsAfter(
  tx: TenantTx,
  webhookId: string,
  after: string | null,
  limit: number,
): Promise<DeliveryRow[]> {
  const later = after === null ? sql`` : sql`and d.event_id > ${after}`
  const { rows } = await sql<DeliveryRow>`
    ${deliveries(tx, webhookId, true)} ${later} order by d.event_id limit ${limit}`.execute(tx.db)
  return rows
}

/** Newest first. */
export async function pageOfDeliveries(
  tx: TenantTx,
  webhookId: string,
  { state, isAttempted, before = null, limit }: DeliveryFilter,
): Promise<readonly DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`${deliveries(tx, webhookId, false)}
    ${before === null ? sql`` : sql`and d.event_id < ${before}`}
    ${isAttempted ? sql`and d.attempts > 0` : sql``}
    ${state === undefined ? sql`` : sql`and ${stateOf} = ${state}`}
    order by d.event_id desc limit ${limit}`.execute(tx.db)
  return rows
}

export async function findDelivery(tx: TenantTx, webhookId: string, eventId: string): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`${deliveries(tx, webhookId, true)} and d.event_id = ${eventId}`.execute(tx.db)
  return rows[0]
}
