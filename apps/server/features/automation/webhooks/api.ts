/**
 * The entry point of this feature. An event is written in the transaction that caused it, with one delivery for each
 * subscribed webhook; without a subscribed webhook nothing is written. A delivery worker sends it after the commit.
 */
import type { EventData, EventType } from '@countersign/contract/webhook-events.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { fingerprintOf } from '../../../idempotency/idempotency.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { claimGivenId, findGivenId } from './delivery-queries.ts'
import { matches } from './matching.ts'
import { insertPublished, subscriptions } from './queries.ts'
import { deliveryRows, type SubscribedWebhookRow, webhookEventRows, webhookRows } from './sealed-rows.ts'

export { webhookFigures } from './delivery-worker-queries.ts'
export { keepWebhooks } from './retention.ts'

export interface OutgoingEvent {
  readonly type: string
  readonly data: object
  /** The id that a companion app gave. Ids of our own events are made from the UUID. */
  readonly publicId?: string
  readonly createdAt?: string
  readonly uuid?: string
}

/** What an item needs that publishes. */
export const needWebhooks: Need = need(webhookRows, {})

/** Inside the sequencer's batch: committed with the seal that it reports. A function is called when the batch is complete. */
export function publishInBatch<T extends EventType>(
  batch: Batch,
  centerId: number,
  type: T,
  data: EventData<T> | (() => EventData<T>),
  subject?: Subject,
): void {
  const listening = batch
    .rows(webhookRows)
    .all()
    .filter(({ events }) => matches(events, type))
  if (listening.length === 0) return
  const known = typeof data === 'function' ? {} : data
  const { event, deliveries } = rowsOf(centerId, listening, { type, data: known, ...subject }, batch.at)
  batch
    .rows(webhookEventRows)
    .insert(typeof data === 'function' ? { ...event, data: () => JSON.stringify(data()) } : event)
  for (const delivery of deliveries) batch.rows(deliveryRows).insert(delivery)
}

/** For an event that is published once, however often it is requested: it has the UUID and the time of its subject. */
interface Subject {
  readonly uuid: string
  readonly createdAt: string
}

/** In a transaction of the center, which sees only webhooks of this center. */
export async function publish<T extends EventType>(tx: TenantTx, type: T, data: EventData<T>): Promise<void> {
  await publishTo(tx, await subscriptions(tx), { type, data })
}

/** Publishes to those of these webhooks that subscribe to it; returns the event's UUID and how many do. */
export async function publishTo(
  tx: TenantTx,
  webhooks: readonly Listener[],
  event: OutgoingEvent,
  wants = (webhook: Listener) => matches(webhook.events, event.type),
): Promise<{ uuid: string; deliveries: number }> {
  const rows = rowsOf(tx.caller.centerId, webhooks.filter(wants), event, now().toISOString())
  if (rows.deliveries.length > 0) await insertPublished(tx, [rows.event], rows.deliveries)
  return { uuid: rows.event.id, deliveries: rows.deliveries.length }
}

/**
 * An event under an id that its publisher gave. The same event again changes nothing and is answered as before; another one under
 * the id is refused.
 */
export async function publishGiven(
  tx: TenantTx,
  event: { readonly id: string; readonly type: string; readonly data: object },
): Promise<{ readonly isNew: boolean; readonly deliveries: number }> {
  const fingerprint = fingerprintOf(event)
  const webhooks = await subscriptions(tx)
  const deliveries = webhooks.filter(({ events }) => matches(events, event.type)).length
  const uuid = newUuid()
  if (await claimGivenId(tx, event.id, { id: uuid, fingerprint, deliveries })) {
    await publishTo(tx, webhooks, { type: event.type, data: event.data, publicId: event.id, uuid })
    return { isNew: true, deliveries }
  }
  const first = await findGivenId(tx, event.id)
  if (!first?.fingerprint.equals(fingerprint)) {
    throw new Problem(
      'CONFLICT',
      `The event ID "${event.id}" was already used for another event. Use a new ID for a new event.`,
    )
  }
  return { isNew: false, deliveries: first.deliveries }
}

type Listener = Pick<SubscribedWebhookRow, 'id' | 'events' | 'active'>

function rowsOf(center_id: number, listening: readonly Listener[], event: OutgoingEvent, at: string) {
  const { type, data, publicId, createdAt: created_at = at, uuid: id = newUuid() } = event
  return {
    event: { center_id, id, public_id: publicId ?? null, type, created_at, data: JSON.stringify(data) },
    deliveries: listening.map(({ id: webhook_id, active }) => ({
      center_id,
      webhook_id,
      event_id: id,
      event_type: type,
      created_at,
      next_at: active ? at : null,
      held: !active,
    })),
  }
}
