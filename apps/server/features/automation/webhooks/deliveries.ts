/** Delivery logs, retries and tests. */
import { audit } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { meaning } from '../../../data/transaction.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { publishTo } from './api.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  findGivenId,
  insertRecovery,
  isDelivered,
  type RecoveryRow,
  retryEvent,
} from './delivery-queries.ts'
import { invalid } from './destination.ts'
import type { WebhookRow } from './queries.ts'
import { heldWebhook } from './subscriptions.ts'

export const shownDelivery = (row: DeliveryRow) => ({
  eventId: row.public_id ?? typedId('webhookEvent', row.event_id),
  eventType: row.event_type,
  deliveredAt: row.attempted_at.toISOString(),
  status: row.status,
  responseStatus: row.response_status,
  attempts: row.attempts,
  nextRetryAt: row.next_at?.toISOString() ?? null,
})

export const shownAttempt = (row: AttemptRow) => ({
  attempt: row.number,
  at: row.at.toISOString(),
  ms: row.ms,
  status: row.error === null ? ('success' as const) : ('failed' as const),
  responseStatus: row.response_status,
  responseBody: row.excerpt,
  error: row.error,
  message: row.message,
})

export const shownRecovery = (row: RecoveryRow) => ({
  id: typedId('recovery', row.id),
  webhookId: typedId('webhook', row.webhook_id),
  since: row.since.toISOString(),
  status: row.completed_at ? ('completed' as const) : ('running' as const),
  total: row.total,
  recovered: row.recovered,
  createdAt: row.created_at.toISOString(),
  completedAt: row.completed_at?.toISOString() ?? null,
})

/** The UUID of the event with this envelope id, which is ours or was given by a companion app. */
export async function eventUuid(tx: TenantTx, eventId: string): Promise<string | null> {
  return (await findGivenId(tx, eventId))?.id ?? uuidOf('webhookEvent', eventId)
}

export async function retry(tx: TenantTx, eventId: string) {
  const given = await findGivenId(tx, eventId)
  const uuid = given?.id ?? uuidOf('webhookEvent', eventId)
  if (!given && (uuid === null || !(await isDelivered(tx, uuid)))) {
    throw new Problem('NOT_FOUND', 'This center has published no such event.')
  }
  const webhookIds = (await retryEvent(tx, uuid as string)).map((id) => typedId('webhook', id))
  if (webhookIds.length === 0) {
    throw new Problem(
      'CONFLICT',
      'No delivery of this event to an active webhook has failed, or its retry is already scheduled. There is nothing to retry.',
    )
  }
  for (const id of webhookIds) {
    await audit(tx, {
      type: 'webhook.changed',
      action: 'retried',
      target: { type: 'webhook', id },
      details: { eventId },
    })
  }
  return { eventId, deliveries: webhookIds.map((webhookId) => ({ webhookId, status: 'scheduled' as const })) }
}

const inactive = () =>
  new Problem('CONFLICT', 'This webhook is not active, so nothing would be sent. Set "active" to true first.', {
    passing: true,
  })

/** Sends to this webhook only, whatever it is subscribed to. */
export async function ping(tx: TenantTx, webhook: WebhookRow) {
  if (!webhook.active) throw inactive()
  const id = typedId('webhook', webhook.id)
  const data = { webhookId: id, message: 'This is a test. Your endpoint is reachable; verify the signature.' }
  const { uuid } = await publishTo(tx, [webhook], { type: 'ping', data }, () => true)
  await audit(tx, { type: 'webhook.changed', action: 'tested', target: { type: 'webhook', id } })
  return { eventId: typedId('webhookEvent', uuid), type: 'ping' as const }
}

async function recover(tx: TenantTx, webhook: WebhookRow, since: Date): Promise<RecoveryRow> {
  if (!webhook.active) throw inactive()
  if (since > now()) throw invalid('since', '"since" must not be in the future.')
  const row = await insertRecovery(tx, newUuid(), webhook.id, since)
  await audit(tx, {
    type: 'webhook.changed',
    action: 'recovery_started',
    target: { type: 'webhook', id: typedId('webhook', webhook.id) },
    details: { since: since.toISOString(), total: row.total },
  })
  return row
}

/** One recovery of a webhook runs at a time; a job does the work after the commit. */
export async function beginRecovery(tx: TenantTx, jobs: Jobs, cell: string, webhookId: string, since: string) {
  const webhook = await heldWebhook(tx, webhookId)
  const row = await recover(tx, webhook, new Date(since)).catch(
    meaning({
      webhook_recoveries_running: () =>
        new Problem('CONFLICT', 'A recovery of this webhook is running. Wait until it is completed.', {
          passing: true,
        }),
    }),
  )
  const { centerId } = tx.caller
  tx.afterCommit(() => jobs.wake(cell, 'recover-webhooks', { centerId }))
  return shownRecovery(row)
}
