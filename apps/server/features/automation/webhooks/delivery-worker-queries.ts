/** SQL of delivery workers: leases on endpoints that have work, and one step of the work for one of them. */
import { type Kysely, sql } from 'kysely'
import type { Lease, LeaseStore } from '../../../concurrency/leases.ts'
import type { Cell, TenantTx } from '../../../data/cells.ts'
import type { Health } from '../../../delivery/health.ts'
import type { WebhookFigures } from '../../../lib/metrics-scanned.ts'
import type { RecoveryRow } from './delivery-queries.ts'
import type { DestinationType } from './queries.ts'

export interface EndpointLease extends Lease {
  readonly center_id: number
  readonly webhook_id: string
}

/** Leases on endpoints that have due deliveries. Every call of `deliveryStep` renews the one it names. */
export const endpointLeases = (cell: Cell): LeaseStore<EndpointLease> => ({
  take: (at, until, most) =>
    cell.asJobs(async (db) => {
      const { rows } = await sql<EndpointLease>`select * from cell.lease_endpoints(${at}, ${until}, ${most})`.execute(
        db,
      )
      return rows
    }),
  release: ({ center_id, webhook_id, epoch }, at) =>
    cell.asJobs(async (db) => {
      await sql`
        update cell.webhook_endpoints set lease_until = ${at}, due_at = greatest(due_at, ${at})
        where center_id = ${center_id} and webhook_id = ${webhook_id} and lease_epoch = ${epoch}`.execute(db)
    }),
})

export interface DueDelivery {
  readonly event_id: string
  readonly next_at: string
  readonly created_at: string
  readonly type: string
  readonly attempts: number
  readonly failed_in_cycle: number
  readonly sign_with: string | null
  readonly public_id: string | null
  /** Null when the payload was deleted at the end of the retention period. */
  readonly data: string | null
}

export interface HealthRow extends Health {
  readonly learned_secret: string | null
  readonly last_delivery_at: string | null
  readonly last_delivery_status: string | null
}

export interface OutcomeRow {
  readonly event_id: string
  readonly number: number
  readonly at: string
  readonly ms: number
  readonly response_status: number | null
  readonly excerpt: string
  readonly error: string | null
  readonly message: string | null
  readonly status: 'success' | 'failed'
  readonly failed_in_cycle: number
  readonly next_at: string | null
  readonly sign_with: string | null
}

export interface StepAnswer {
  readonly version: number
  readonly sending: boolean
  /** Present where the worker did not know this version. */
  readonly endpoint: {
    readonly type: DestinationType
    readonly url: string
    /** In base64. */
    readonly credentials: string | null
    readonly subject: string | null
    readonly exchange: string | null
    readonly routing_key: string | null
    readonly health: HealthRow
    readonly secrets: readonly { id: string; sealed: string; created_at: string; expires_at: string | null }[] | null
  } | null
  readonly due: readonly DueDelivery[] | null
  readonly held: number
  readonly released: boolean
  /** The database that `due` was read from. */
  readonly identity: string | null
}

export interface DeliveryStep {
  readonly lease: EndpointLease
  readonly knownVersion: number
  readonly at: Date
  readonly until: Date
  readonly outcomes: readonly OutcomeRow[]
  readonly health: HealthRow | null
  /** The last delivery that was read, while the worker holds deliveries; null to read from the start. */
  readonly after: Pick<DueDelivery, 'next_at' | 'event_id'> | null
  readonly most: number
  readonly idle: boolean
}

const stepCall = {
  pool: 'deliverers',
  name: 'delivery_step',
  text: 'select cell.delivery_step($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as step',
} as const

/** Null when the epoch is outdated: then nothing was written. */
export async function deliveryStep(cell: Cell, step: DeliveryStep): Promise<StepAnswer | null> {
  const [row] = await cell.call<{ step: StepAnswer | null }>(stepCall, [
    step.lease.center_id,
    step.lease.webhook_id,
    step.lease.epoch,
    step.knownVersion,
    step.at,
    step.until,
    step.outcomes.length > 0 ? JSON.stringify(step.outcomes) : null,
    step.health && JSON.stringify(step.health),
    step.after?.next_at ?? null,
    step.after?.event_id ?? null,
    step.most,
    step.idle,
  ])
  return row?.step ?? null
}

/** True when it was still active, so that one of several workers disables it. */
export async function disableWebhook(tx: TenantTx, webhookId: string, reason: string): Promise<boolean> {
  const disabled = await tx.db
    .updateTable('webhooks')
    .set({ active: false, disabled_reason: reason, version: sql`version + 1` })
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', webhookId)
    .where('active', '=', true)
    .returning('id')
    .executeTakeFirst()
  return disabled !== undefined
}

export async function runningRecoveries(db: Kysely<never>): Promise<RecoveryRow[]> {
  const { rows } = await sql<RecoveryRow>`
    select * from cell.webhook_recoveries where completed_at is null order by created_at`.execute(db)
  return rows
}

export async function keepWeeks(db: Kysely<never>, at: Date, days: number): Promise<void> {
  await sql`select cell.keep_webhook_weeks(${at}, make_interval(days => ${days}))`.execute(db)
}

const ages = {
  'cell.webhook_deliveries': 'created_at',
  'cell.webhook_event_ids': 'created_at',
  'cell.webhook_recoveries': 'completed_at',
} as const

/** A small step, so that no lock is held for long; zero when nothing is left. */
export async function deleteOld(db: Kysely<never>, before: Date): Promise<number> {
  let gone = 0
  for (const [table, age] of Object.entries(ages)) {
    const { numAffectedRows } = await sql`
      delete from ${sql.raw(table)} where ctid = any (array(
        select ctid from ${sql.raw(table)} where ${sql.raw(age)} < ${before} limit 1000))`.execute(db)
    gone += Number(numAffectedRows)
  }
  return gone
}

/** Expired secrets sign nothing, so they are not kept. */
export async function deleteExpiredSecrets(db: Kysely<never>, at: Date): Promise<void> {
  await sql`delete from cell.webhook_secrets where expires_at < ${at}`.execute(db)
}

export interface SealedSecret {
  readonly center_id: number
  readonly webhook_id: string
  readonly id: string
  readonly sealed: Buffer
}

/** Secrets that are not sealed with this key. */
export async function sealedOtherwise(db: Kysely<never>, keyId: Buffer): Promise<SealedSecret[]> {
  const { rows } = await sql<SealedSecret>`
    select center_id, webhook_id, id, sealed from cell.webhook_secrets
    where substring(sealed from 2 for 4) <> ${keyId} limit 500`.execute(db)
  return rows
}

export async function sealAgain(db: Kysely<never>, secret: SealedSecret, sealed: Buffer): Promise<void> {
  await sql`
    update cell.webhook_secrets set sealed = ${sealed}
    where center_id = ${secret.center_id} and webhook_id = ${secret.webhook_id} and id = ${secret.id}
      and sealed = ${secret.sealed}`.execute(db)
}

export type SealedCredentials = Omit<SealedSecret, 'webhook_id'>

/** Credentials of brokers that are not sealed with this key. */
export async function credentialsSealedOtherwise(db: Kysely<never>, keyId: Buffer): Promise<SealedCredentials[]> {
  const { rows } = await sql<SealedCredentials>`
    select center_id, id, credentials as sealed from cell.webhooks
    where substring(credentials from 2 for 4) <> ${keyId} limit 500`.execute(db)
  return rows
}

export async function sealCredentialsAgain(tx: TenantTx, old: SealedCredentials, sealed: Buffer): Promise<void> {
  await sql`
    update cell.webhooks set credentials = ${sealed}
    where center_id = ${old.center_id} and id = ${old.id} and credentials = ${old.sealed}`.execute(tx.db)
}

/** Held deliveries are counted up to a hundred thousand, so that the query stays fast. */
export async function webhookFigures(db: Kysely<never>, at: Date, breakerAt: number): Promise<WebhookFigures> {
  const { rows } = await sql<{ overdue: string | null; held: string; open: string }>`
    select
      (select extract(epoch from ${at}::timestamptz - min(d.next_at)) from cell.webhook_endpoints e
        join cell.webhooks w on w.center_id = e.center_id and w.id = e.webhook_id and w.active
        cross join lateral (
          select d.next_at from cell.webhook_deliveries d
          where d.center_id = e.center_id and d.webhook_id = e.webhook_id and d.next_at is not null
          order by d.next_at limit 1) d
        where e.due_at <= ${at} and (e.not_before is null or e.not_before <= ${at})) as overdue,
      (select count(*) from (
        select from cell.webhook_deliveries d
          join cell.webhooks w on w.center_id = d.center_id and w.id = d.webhook_id and w.deleted_at is null
        where d.held limit 100000) h) as held,
      (select count(*) from cell.webhook_endpoints e
        join cell.webhooks w on w.center_id = e.center_id and w.id = e.webhook_id and w.active
        where e.failures >= ${breakerAt}) as open`.execute(db)
  const [row] = rows
  return {
    overdueSeconds: Math.max(0, Number(row?.overdue ?? 0)),
    held: Number(row?.held ?? 0),
    openBreakers: Number(row?.open ?? 0),
  }
}
