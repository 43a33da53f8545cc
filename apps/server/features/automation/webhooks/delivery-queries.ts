/** SQL of deliveries, attempts, retries and recoveries. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import { firstUuidAt } from '../../../lib/ids.ts'

export interface AttemptRow {
  readonly number: number
  readonly at: Date
  readonly ms: number
  readonly response_status: number | null
  readonly excerpt: string
  readonly error: string | null
  readonly message: string | null
}

export const listAttempts = (tx: TenantTx, webhookId: string, eventId: string): Promise<AttemptRow[]> =>
  tx.db
    .selectFrom('webhook_attempts')
    .select(['number', 'at', 'ms', 'response_status', 'excerpt', 'error', 'message'])
    .where('center_id', '=', tx.caller.centerId)
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .orderBy('number')
    .orderBy('at')
    .execute()

export interface GivenId {
  readonly id: string
  readonly fingerprint: Buffer
  readonly deliveries: number
}

export const findGivenId = (tx: TenantTx, publicId: string): Promise<GivenId | undefined> =>
  tx.db
    .selectFrom('webhook_event_ids')
    .select(['id', 'fingerprint', 'deliveries'])
    .where('center_id', '=', tx.caller.centerId)
    .where('public_id', '=', publicId)
    .executeTakeFirst()

/** False when the id is taken; the transaction that took it has then committed. */
export async function claimGivenId(tx: TenantTx, publicId: string, row: GivenId): Promise<boolean> {
  const claimed = await tx.db
    .insertInto('webhook_event_ids')
    .values({ ...row, center_id: tx.caller.centerId, public_id: publicId, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Searches by endpoint along the primary key: a center has few endpoints, and there is no index by event. */
export async function isDelivered(tx: TenantTx, eventId: string): Promise<boolean> {
  const { rows } = await sql`
    select from cell.webhooks w join cell.webhook_deliveries d
      on d.center_id = w.center_id and d.webhook_id = w.id and d.event_id = ${eventId}
    where w.center_id = ${tx.caller.centerId} and w.deleted_at is null limit 1`.execute(tx.db)
  return rows.length > 0
}

const wake = (tx: TenantTx, webhookIds: readonly string[]) =>
  sql`
    select cell.wake_endpoints(array_agg(${tx.caller.centerId}::integer), array_agg(id), array_agg(${now()}::timestamptz))
    from unnest(${webhookIds}::uuid[]) id`.execute(tx.db)

/** Of concurrent callers one schedules the retry; the others then see a cycle without a failure. */
export async function retryEvent(tx: TenantTx, eventId: string): Promise<string[]> {
  const webhooks = await tx.db
    .selectFrom('webhooks')
    .select('id')
    .where('center_id', '=', tx.caller.centerId)
    .where('active', '=', true)
    .execute()
  // An endpoint without such a delivery finds nothing due, and is due again when its next delivery is.
  if (webhooks.length > 0)
    await wake(
      tx,
      webhooks.map(({ id }) => id),
    )
  const { rows } = await sql<{ webhook_id: string }>`
    update cell.webhook_deliveries d set next_at = ${now()}, held = false, failed_in_cycle = 0
    from cell.webhooks w
    where w.center_id = ${tx.caller.centerId} and w.active and w.deleted_at is null
      and d.center_id = w.center_id and d.webhook_id = w.id and d.event_id = ${eventId}
      and d.status = 'failed' and (d.next_at is null or d.failed_in_cycle > 0)
    returning d.webhook_id`.execute(tx.db)
  return rows.map((row) => row.webhook_id)
}

export interface RecoveryRow {
  readonly id: string
  readonly center_id: number
  readonly webhook_id: string
  readonly since: Date
  readonly seen: string | null
  readonly total: number
  readonly recovered: number
  readonly created_at: Date
  readonly completed_at: Date | null
}

const recoveryColumns = [
  'id',
  'center_id',
  'webhook_id',
  'since',
  'seen',
  'total',
  'recovered',
  'created_at',
  'completed_at',
] as const

const placeOf = (at: Date): string => firstUuidAt(at.getTime())

const recoverable = sql`(d.held or (d.status = 'failed' and d.next_at is null))`

export async function insertRecovery(tx: TenantTx, id: string, webhookId: string, since: Date): Promise<RecoveryRow> {
  const at = now()
  const { rows } = await sql<RecoveryRow>`
    insert into cell.webhook_recoveries (center_id, id, webhook_id, since, total, created_at)
    select ${tx.caller.centerId}, ${id}, ${webhookId}, ${since}, count(*), ${at}
    from cell.webhook_deliveries d
    where d.center_id = ${tx.caller.centerId} and d.webhook_id = ${webhookId} and d.event_id >= ${placeOf(since)} and ${recoverable}
    returning *`.execute(tx.db)
  return rows[0] as RecoveryRow
}

export const findRecovery = (tx: TenantTx, webhookId: string, id: string): Promise<RecoveryRow | undefined> =>
  tx.db
    .selectFrom('webhook_recoveries')
    .select(recoveryColumns)
    .where('center_id', '=', tx.caller.centerId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()

const recoveryStep = 1000

/**
 * Schedules the next thousand deliveries and records the progress in the same transaction; true when none are left. The
 * row of the recovery holds the position and is locked, so two workers never schedule the same delivery.
 */
export async function recoverStep(tx: TenantTx, recovery: RecoveryRow): Promise<boolean> {
  const { centerId } = tx.caller
  const progress = await tx.db
    .selectFrom('webhook_recoveries')
    .select('seen')
    .where('center_id', '=', centerId)
    .where('id', '=', recovery.id)
    .where('completed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!progress) return true
  await wake(tx, [recovery.webhook_id])
  const from = progress.seen ?? placeOf(recovery.since)
  const { rows } = await sql<{ done: boolean }>`
    with looked as (
      select d.event_id, d.ctid as place, ${recoverable} as recoverable from cell.webhook_deliveries d
      where d.center_id = ${centerId} and d.webhook_id = ${recovery.webhook_id} and d.event_id > ${from}
        and d.created_at <= ${recovery.created_at}
      order by d.event_id limit ${recoveryStep}
    ), moved as (
      update cell.webhook_deliveries d set next_at = ${now()}, held = false, failed_in_cycle = 0
      where d.ctid = any (array(select l.place from looked l where l.recoverable))
      returning 1
    ), last as (select (array_agg(event_id order by event_id desc))[1] as event_id, count(*) as looked from looked)
    update cell.webhook_recoveries r set seen = coalesce(last.event_id, r.seen),
      recovered = r.recovered + (select count(*) from moved),
      completed_at = case when last.looked < ${recoveryStep} then ${now()}::timestamptz end
    from last where r.center_id = ${centerId} and r.id = ${recovery.id} and r.completed_at is null
    returning r.completed_at is not null as done`.execute(tx.db)
  return rows[0]?.done ?? true
}
