/** SQL of webhooks as their owners manage them; sending is in delivery-worker-queries.ts. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { BrokerType } from '../../../lib/brokers/url.ts'
import { now } from '../../../lib/clock.ts'

export type DestinationType = 'http' | BrokerType

/** Where a webhook sends, as it is stored. */
export interface DestinationRow {
  readonly type: DestinationType
  readonly url: string
  readonly subject: string | null
  readonly exchange: string | null
  readonly routing_key: string | null
  /** Sealed; absent where a change keeps those that are stored. */
  readonly credentials?: Buffer | null
}

export interface WebhookRow {
  readonly id: string
  readonly type: DestinationType
  readonly url: string
  readonly subject: string | null
  readonly exchange: string | null
  readonly routing_key: string | null
  readonly events: string[]
  readonly description: string
  readonly active: boolean
  readonly disabled_reason: string | null
  readonly created_at: Date
  readonly last_delivery_at: Date | null
  readonly last_delivery_status: 'success' | 'failed' | null
}

const webhooksOf = (tx: TenantTx) =>
  tx.db
    .selectFrom('webhooks as w')
    .innerJoin('webhook_endpoints as e', (join) =>
      join.onRef('e.center_id', '=', 'w.center_id').onRef('e.webhook_id', '=', 'w.id'),
    )
    .select(['w.id', 'w.type', 'w.url', 'w.subject', 'w.exchange', 'w.routing_key'])
    .select(['w.events', 'w.description', 'w.active', 'w.disabled_reason', 'w.created_at'])
    .select(['e.last_delivery_at', 'e.last_delivery_status'])
    .where('w.center_id', '=', tx.caller.centerId)
    .where('w.deleted_at', 'is', null)

export const listWebhooks = (tx: TenantTx): Promise<WebhookRow[]> =>
  webhooksOf(tx).orderBy('w.id', 'desc').execute() as Promise<WebhookRow[]>

export const findWebhook = (tx: TenantTx, id: string): Promise<WebhookRow | undefined> =>
  webhooksOf(tx).where('w.id', '=', id).executeTakeFirst() as Promise<WebhookRow | undefined>

/** Locks the row until the end of the transaction, so that two changes of one webhook are serialized. */
export async function holdWebhook(tx: TenantTx, id: string): Promise<WebhookRow | undefined> {
  await tx.db
    .selectFrom('webhooks')
    .select('id')
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  return findWebhook(tx, id)
}

/** Takes a lock, so that concurrent registrations cannot exceed the limit of the center. */
export async function countWebhooks(tx: TenantTx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('cell.webhooks'), ${tx.caller.centerId})`.execute(tx.db)
  const { rows } = await sql<{ webhooks: number }>`
    select count(*)::integer as webhooks from cell.webhooks
    where center_id = ${tx.caller.centerId} and deleted_at is null`.execute(tx.db)
  return rows[0]?.webhooks ?? 0
}

export interface NewWebhookRow extends DestinationRow {
  readonly id: string
  readonly events: string[]
  readonly description: string
  readonly active: boolean
}

export async function insertWebhook(tx: TenantTx, webhook: NewWebhookRow): Promise<void> {
  const center_id = tx.caller.centerId
  await tx.db
    .insertInto('webhooks')
    .values({ ...webhook, center_id, created_at: now() })
    .execute()
  await tx.db.insertInto('webhook_endpoints').values({ center_id, webhook_id: webhook.id }).execute()
}

export interface WebhookChange {
  readonly destination?: DestinationRow
  readonly events?: string[]
  readonly description?: string
  readonly active?: boolean
}

/** Activating a webhook resets its failures and its pause, so the five days until it is disabled start over. */
export async function changeWebhook(tx: TenantTx, id: string, change: WebhookChange): Promise<void> {
  const { centerId } = tx.caller
  const { destination, ...rest } = change
  await tx.db
    .updateTable('webhooks')
    .set({
      ...destination,
      ...rest,
      ...(change.active !== undefined && { disabled_reason: null }),
      version: sql`version + 1`,
    })
    .where('center_id', '=', centerId)
    .where('id', '=', id)
    .execute()
  if (change.active !== true) return
  await tx.db
    .updateTable('webhook_endpoints')
    .set({ failures: 0, failing_since: null, not_before: null, due_at: now() })
    .where('center_id', '=', centerId)
    .where('webhook_id', '=', id)
    .execute()
}

export async function markDeleted(tx: TenantTx, id: string): Promise<void> {
  const { centerId } = tx.caller
  await tx.db
    .updateTable('webhooks')
    .set({ deleted_at: now(), active: false, credentials: null, disabled_reason: null, version: sql`version + 1` })
    .where('center_id', '=', centerId)
    .where('id', '=', id)
    .execute()
  await tx.db.deleteFrom('webhook_secrets').where('center_id', '=', centerId).where('webhook_id', '=', id).execute()
}

export interface SecretRow {
  readonly id: string
  readonly expires_at: Date | null
}

export const secretsOf = (tx: TenantTx, webhookId: string): Promise<SecretRow[]> =>
  tx.db
    .selectFrom('webhook_secrets')
    .select(['id', 'expires_at'])
    .where('center_id', '=', tx.caller.centerId)
    .where('webhook_id', '=', webhookId)
    .execute() as Promise<SecretRow[]>

export async function insertSecret(
  tx: TenantTx,
  webhookId: string,
  secret: { id: string; sealed: Buffer },
): Promise<void> {
  await tx.db
    .insertInto('webhook_secrets')
    .values({ ...secret, center_id: tx.caller.centerId, webhook_id: webhookId, created_at: now() })
    .execute()
}

/** Valid secrets expire at this time, or earlier where they would have anyway; expired ones are deleted. */
export async function expireSecrets(tx: TenantTx, webhookId: string, at: Date): Promise<void> {
  const { centerId } = tx.caller
  await tx.db
    .deleteFrom('webhook_secrets')
    .where('center_id', '=', centerId)
    .where('webhook_id', '=', webhookId)
    .where('expires_at', '<=', now())
    .execute()
  await tx.db
    .updateTable('webhook_secrets')
    .set({ expires_at: at })
    .where('center_id', '=', centerId)
    .where('webhook_id', '=', webhookId)
    .where((each) => each.or([each('expires_at', 'is', null), each('expires_at', '>', at)]))
    .execute()
  await tx.db
    .updateTable('webhooks')
    .set({ version: sql`version + 1` })
    .where('center_id', '=', centerId)
    .where('id', '=', webhookId)
    .execute()
}

export const subscriptions = (tx: TenantTx): Promise<{ id: string; events: string[]; active: boolean }[]> =>
  tx.db
    .selectFrom('webhooks')
    .select(['id', 'events', 'active'])
    .where('center_id', '=', tx.caller.centerId)
    .where('deleted_at', 'is', null)
    .execute()

export async function insertPublished(
  tx: TenantTx,
  events: readonly object[],
  deliveries: readonly object[],
): Promise<void> {
  await sql`
    select cell.write_deliveries(${JSON.stringify(deliveries)}, null)
    from (select cell.write_webhook_events(${JSON.stringify(events)}, null) offset 0) events`.execute(tx.db)
}
