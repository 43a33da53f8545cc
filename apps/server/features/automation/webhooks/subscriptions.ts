/** Registration, change, deletion and secret rotation of webhooks. */

import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import type { BodyOf, SpecOf } from '@countersign/contract/operation.ts'
import { eventTypeNames } from '@countersign/contract/webhook-events.ts'
import type { Webhook as WebhookSchema } from '@countersign/contract/webhook-schemas.ts'
import type { registerWebhook, updateWebhook } from '@countersign/contract/webhooks.ts'
import type { Static } from 'typebox'
import type { KnownCenter } from '../../../access/center-profiles.ts'
import { requireWebhooks } from '../../../access/promises.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { limitReached, Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { changedDestination, invalid, newDestination } from './destination.ts'
import { unknownPattern } from './matching.ts'
import {
  changeWebhook,
  countWebhooks,
  expireSecrets,
  findWebhook,
  holdWebhook,
  insertSecret,
  insertWebhook,
  markDeleted,
  secretsOf,
  type WebhookRow,
} from './queries.ts'
import { newSigningSecret } from './signing.ts'

/** Limits rotations while older secrets are valid. */
const mostSecrets = 5
const oldSecretSeconds = 24 * 60 * 60

export type Webhook = Static<typeof WebhookSchema>

export const shownWebhook = (row: WebhookRow): Webhook => ({
  id: typedId('webhook', row.id),
  type: row.type,
  url: row.url,
  ...(row.type === 'nats' && { subject: row.subject ?? '' }),
  ...(row.type === 'rabbitmq' && { exchange: row.exchange ?? '', routingKey: row.routing_key ?? '' }),
  events: row.events,
  description: row.description,
  active: row.active,
  createdAt: row.created_at.toISOString(),
  lastDeliveryAt: row.last_delivery_at?.toISOString() ?? null,
  lastDeliveryStatus: row.last_delivery_status,
  disabledReason: row.disabled_reason,
})

const unknownWebhook = () =>
  new Problem('NOT_FOUND', 'This center has no webhook with this ID. List its webhooks to find the ID.')

/** The webhook that the path names, for reading. */
export async function namedWebhook(tx: TenantTx, id: string): Promise<WebhookRow> {
  const uuid = uuidOf('webhook', id)
  const row = uuid === null ? undefined : await findWebhook(tx, uuid)
  if (!row) throw unknownWebhook()
  return row
}

/** The same, with a lock for a change: concurrent changes wait. */
export async function heldWebhook(tx: TenantTx, id: string): Promise<WebhookRow> {
  const uuid = uuidOf('webhook', id)
  const row = uuid === null ? undefined : await holdWebhook(tx, uuid)
  if (!row) throw unknownWebhook()
  return row
}

function checkEvents(events: readonly string[] | undefined): void {
  const unknown = events === undefined ? null : unknownPattern(events, eventTypeNames)
  if (unknown === null) return
  throw invalid(
    'events',
    `"${unknown}" isn't an event type. GET /api/v1/webhooks/event-types lists them; "*" means all types, and "payment.*" means all types that start with "payment.".`,
  )
}

type WebhookBody = BodyOf<SpecOf<typeof registerWebhook>>

interface RegisterNeeds {
  readonly transports: Transports
  readonly box: SecretBox
  readonly config: Pick<Config, 'perCenter'>
}

export async function register(
  tx: TenantTx,
  { transports, box, config }: RegisterNeeds,
  center: KnownCenter,
  body: WebhookBody,
) {
  checkEvents(body.events)
  const id = newUuid()
  const destination = newDestination({ transports, box, webhookId: id }, body)
  // Every seal writes one delivery for each webhook.
  const most = config.perCenter.maxWebhooks
  const used = await countWebhooks(tx)
  requireWebhooks(used, center)
  if (used >= most) {
    throw limitReached('maxWebhooks', most, 'webhooks', "Delete one you don't need")
  }
  const { events, description = '', active = true } = body
  await insertWebhook(tx, { id, ...destination, events: [...new Set(events)], description, active })
  const signingSecret = await addSecret(tx, box, id)
  const { lastDeliveryAt, lastDeliveryStatus, disabledReason, ...shown } = shownWebhook(await namedRow(tx, id))
  await audit(tx, change('created', shown.id))
  return { ...shown, signingSecret }
}

const namedRow = async (tx: TenantTx, id: string): Promise<WebhookRow> => (await findWebhook(tx, id)) as WebhookRow

const change = (action: AuditAction<'webhook.changed'>, id: string) =>
  ({ type: 'webhook.changed', action, target: { type: 'webhook', id } }) as const

/** The context that binds the box to its row; the delivery worker opens it with the same context. */
export const secretContext = (id: string): string => `webhook secret ${id}`

async function addSecret(tx: TenantTx, box: SecretBox, webhookId: string): Promise<string> {
  const secret = newSigningSecret()
  const id = newUuid()
  await insertSecret(tx, webhookId, { id, sealed: box.seal(secret, secretContext(id)) })
  return secret
}

export async function update(
  tx: TenantTx,
  { transports, box }: Pick<RegisterNeeds, 'transports' | 'box'>,
  id: string,
  body: BodyOf<SpecOf<typeof updateWebhook>>,
): Promise<Webhook> {
  const { type, url, subject, exchange, routingKey, events, ...rest } = body
  checkEvents(events)
  const row = await heldWebhook(tx, id)
  const destination = changedDestination({ transports, box, webhookId: row.id }, row, {
    ...{ type, url, subject, exchange, routingKey },
  })
  await changeWebhook(tx, row.id, {
    ...rest,
    ...(destination && { destination }),
    ...(events && { events: [...new Set(events)] }),
  })
  await audit(tx, {
    ...change('updated', id),
    details: { fields: Object.keys(body).sort().join(' '), ...(body.active !== undefined && { active: body.active }) },
  })
  return shownWebhook(await namedRow(tx, row.id))
}

export async function remove(tx: TenantTx, id: string): Promise<void> {
  const row = await heldWebhook(tx, id)
  await markDeleted(tx, row.id)
  await audit(tx, change('deleted', id))
}

/** With 0 seconds only the new secret is valid afterwards, for use after a leak. */
export async function rotate(tx: TenantTx, box: SecretBox, id: string, seconds = oldSecretSeconds) {
  const row = await heldWebhook(tx, id)
  const end = secondsFromNow(seconds)
  const valid = (await secretsOf(tx, row.id)).filter(({ expires_at }) => expires_at === null || expires_at > now())
  if (seconds > 0 && valid.length >= mostSecrets) {
    throw new Problem(
      'CONFLICT',
      `This webhook already has ${mostSecrets} valid secrets. Wait until an old one expires, 24 hours after it was replaced.`,
      { details: { reason: 'secrets' }, passing: true },
    )
  }
  await expireSecrets(tx, row.id, end)
  const signingSecret = await addSecret(tx, box, row.id)
  await audit(tx, { ...change('secret_rotated', id), details: { previousValidSeconds: seconds } })
  return { id, signingSecret }
}
