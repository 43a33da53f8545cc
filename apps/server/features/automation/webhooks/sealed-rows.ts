/** Webhooks, the events for them and their deliveries in a batch. */
import type { RowKind } from '../../../sealing/sealed-rows.ts'

export interface SubscribedWebhookRow {
  readonly center_id: number
  readonly id: string
  readonly events: readonly string[]
  readonly active: boolean
}

export const webhookRows: RowKind<SubscribedWebhookRow, Record<string, never>> = {
  name: 'webhooks',
  order: 60,
  load: 'load_webhooks',
  namesOf: ({ id }) => [id],
}

export interface WebhookEventRow {
  readonly center_id: number
  readonly id: string
  readonly public_id: string | null
  readonly type: string
  readonly created_at: string
  /** JSON, or a function where the message includes the checkpoint that covers the batch. */
  readonly data: string | (() => string)
}

export const webhookEventRows: RowKind<WebhookEventRow, never> = {
  name: 'webhook events',
  order: 61,
  write: 'write_webhook_events',
  namesOf: ({ id }) => [id],
  inserted: (row) => ({ ...row, data: typeof row.data === 'string' ? row.data : row.data() }),
}

export interface DeliveryRow {
  readonly center_id: number
  readonly webhook_id: string
  readonly event_id: string
  readonly event_type: string
  readonly created_at: string
  readonly next_at: string | null
  readonly held: boolean
}

export const deliveryRows: RowKind<DeliveryRow, never> = {
  name: 'deliveries',
  order: 62,
  write: 'write_deliveries',
  namesOf: ({ webhook_id, event_id }) => [`${webhook_id} ${event_id}`],
}
