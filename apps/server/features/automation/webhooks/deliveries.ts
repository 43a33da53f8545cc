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
  findGivenId,
  insertRecovery,
  isDelivered,
  type RecoveryRow,
  retryEvent,
} from './delivery-queries.ts'
import { invalid } from './destination.ts'
import type { DeliveryRow, WebhookFigures } from './overview-queries.ts'
import type { WebhookRow } from './queries.ts'
import { envelopeBody } from './signing.ts'
import { heldWebhook } from './subscriptions.ts'

const publicEventId = (row: Pick<DeliveryRow, 'public_id' | 'event_id'>) =>
  row.public_id ?? typedId('webhookEvent', row.event_id)

/** As the specification shows a delivery, which was attempted at least once. */
export const shownDelivery = (row: DeliveryRow) => ({
  eventId: publicEventId(row),
  eventType: row.event_type,
  deliveredAt: (row.attempted_at as Date).toISOString(),
  status: row.status as 'success' | 'failed',
  responseStatus: row.response_status,
  attempts: row.attempts,
  nextRetryAt: row.next_at?.toISOString() ?? null,
})

export const trackedDelivery = (row: DeliveryRow) => ({
  eventId: publicEventId(row),
  eventType: row.event_type,
  createdAt: row.created_at.toISOString(),
  state: row.state,
  attempts: row.attempts,
  attemptedAt: row.attempted_at?.toISOString() ?? null,
  responseStatus: row.response_status,
  nextRetryAt: row.next_at?.toISOString() ?? null,
})

/** The attempt is part of the body: that of the last attempt, or of the first before there was one. */
export const bodyOf = ({ data, event_type, created_at, attempts, ...row }: DeliveryRow): string | null =>
  data === null
    ? null
    : envelopeBody({
        id: publicEventId(row),
        type: event_type,
        createdAt: created_at.toISOString(),
        data,
        attempt: Math.max(1, attempts),
      })

/** As its first attempt would be. */
export const shownEvent = (row: DeliveryRow) => ({
  id: publicEventId(row),
  type: row.event_type,
  createdAt: row.created_at.toISOString(),
  body: bodyOf({ ...row, attempts: 1 }),
})

/** A cursor is the UUID of the last event of the page before, as an id of ours, whatever id the event has. */
export function eventCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const uuid = uuidOf('webhookEvent', cursor)
  if (uuid === null)
    throw new Problem(
      'VALIDATION_ERROR',
      "The cursor isn't a `next` value from this list. Send the value as you received it.",
      { details: { reason: 'cursor', field: 'cursor' } },
    )
  return uuid
}

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

export const shownFigures = ({ succeeded, failed, pending, held, secrets, recovery }: WebhookFigures) => ({
  recent: { succeeded, failed, pending, held },
  secrets: (secrets ?? []).map(({ created_at, expires_at }) => ({
    createdAt: new Date(created_at).toISOString(),
    expiresAt: expires_at && new Date(expires_at).toISOString(),
  })),
  recovery:
    recovery &&
    shownRecovery({
      ...recovery,
      since: new Date(recovery.since),
      created_at: new Date(recovery.created_at),
      completed_at: recovery.completed_at === null ? null : new Date(recovery.completed_at),
    }),
})

/** The UUID of the event with this envelope id, which is ours or was given by a companion app. */
export async function eventUuid(tx: TenantTx, eventId: string): Promise<string | null> {
  return (await findGivenId(tx, eventId))?.id ?? uuidOf('webhookEvent', eventId)
}

export async function retry(tx: TenantTx, eventId: string) {
  const given = await findGivenId(tx, eventId)
  const uuid = given?.id ?? uuidOf('webhookEvent', eventId)
  if (!given && (uuid === null || !(await isDelivered(tx, uuid)))) {
    throw new Problem('NOT_FOUND', "This center hasn't published an event with this ID. Check the ID.")
  }
  const webhookIds = (await retryEvent(tx, uuid as string)).map((id) => typedId('webhook', id))
  if (webhookIds.length === 0) {
    throw new Problem(
      'CONFLICT',
      "There's nothing to retry: no delivery of this event to an active webhook has failed, or a retry is already scheduled. Check the event's deliveries.",
      { details: { reason: 'nothingFailed' } },
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
  new Problem('CONFLICT', 'This webhook is turned off, so nothing would be sent. Set "active" to true first.', {
    details: { reason: 'webhookOff' },
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
  if (since > now()) throw invalid('since', '"since" is in the future. Send a time in the past.')
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
        new Problem('CONFLICT', "A recovery for this webhook is already running. Wait until it's complete.", {
          details: { reason: 'recovering' },
          passing: true,
        }),
    }),
  )
  const { centerId } = tx.caller
  tx.afterCommit(() => jobs.wake(cell, 'recover-webhooks', { centerId }))
  return shownRecovery(row)
}
