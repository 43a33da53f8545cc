/** Webhooks for people who are signed in. What they do is what the routes of the Proof API do. */
import * as contract from '@countersign/contract/console-webhooks.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import {
  type ConsoleDeliveryRow,
  findDelivery,
  pageOfDeliveries,
  type WebhookFigures,
  webhookFigures,
} from './console-queries.ts'
import { beginRecovery, eventUuid, ping, retry, shownAttempt, shownRecovery } from './deliveries.ts'
import { listAttempts } from './delivery-queries.ts'
import { shownTypes } from './event-types.ts'
import { listWebhooks } from './queries.ts'
import { envelopeBody } from './signing.ts'
import { namedWebhook, register, remove, rotate, shownWebhook, update } from './subscriptions.ts'

interface ConsoleWebhookNeeds {
  readonly config: Pick<Config, 'perCenter' | 'webhooks'>
  readonly transports: Transports
  readonly box: SecretBox
  readonly centers: CenterProfiles
  readonly jobs: Jobs
}

const figuresOf = ({ succeeded, failed, pending, held, secrets, recovery }: WebhookFigures) => ({
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

const deliveryOf = (row: ConsoleDeliveryRow) => ({
  eventId: row.public_id ?? typedId('webhookEvent', row.event_id),
  eventType: row.event_type,
  createdAt: row.created_at.toISOString(),
  state: row.state,
  attempts: row.attempts,
  attemptedAt: row.attempted_at?.toISOString() ?? null,
  responseStatus: row.response_status,
  nextRetryAt: row.next_at?.toISOString() ?? null,
})

/** The attempt is part of the body: that of the last attempt, or of the first before there was one. */
const bodyOf = ({ data, event_type, created_at, attempts, ...row }: ConsoleDeliveryRow): string | null =>
  data === null
    ? null
    : envelopeBody({
        id: row.public_id ?? typedId('webhookEvent', row.event_id),
        type: event_type,
        createdAt: created_at.toISOString(),
        data,
        attempt: Math.max(1, attempts),
      })

/** A cursor is the UUID of the last event of the page before, as an id of ours, whatever id the event has. */
function eventBefore(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const uuid = uuidOf('webhookEvent', cursor)
  if (uuid === null) throw new Problem('VALIDATION_ERROR', '"before" is not `next` of a page before.')
  return uuid
}

export const consoleWebhookRoutes = ({ config, transports, box, centers, jobs }: ConsoleWebhookNeeds): Route[] => [
  route(contract.consoleListWebhooks, async ({ tx }, reply) => {
    const figures = new Map((await webhookFigures(tx)).map((row) => [row.webhook_id, row]))
    const rows = await listWebhooks(tx)
    return reply(
      200,
      rows.map((row) => ({ ...shownWebhook(row), ...figuresOf(figures.get(row.id) as WebhookFigures) })),
    )
  }),

  route(contract.consoleRegisterWebhook, async ({ tx, body, principal }, reply) => {
    const center = await centers.profile(principal.entered.centerId)
    return reply(201, await register(tx, { transports, box, config }, center, body))
  }),

  route(contract.consoleUpdateWebhook, async ({ tx, params, body }, reply) =>
    reply(200, await update(tx, { transports, box }, params.webhookId, body)),
  ),

  route(contract.consoleDeleteWebhook, async ({ tx, params }, reply) => {
    await remove(tx, params.webhookId)
    return reply(204, null)
  }),

  route(contract.consoleRotateSecret, async ({ tx, params, body }, reply) =>
    reply(200, await rotate(tx, box, params.webhookId, body.expirePreviousAfterSeconds)),
  ),

  route(contract.consoleTestWebhook, async ({ tx, params }, reply) =>
    reply(202, await ping(tx, await namedWebhook(tx, params.webhookId))),
  ),

  route(contract.consoleRecoverWebhook, async ({ tx, params, body, principal }, reply) =>
    reply(202, await beginRecovery(tx, jobs, principal.entered.cell, params.webhookId, body.since)),
  ),

  route(contract.consoleRetryEvent, async ({ tx, params }, reply) => reply(202, await retry(tx, params.eventId))),

  route(contract.consoleListDeliveries, async ({ tx, params, query }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const { state, limit } = query
    const rows = await pageOfDeliveries(tx, id, { state, before: eventBefore(query.before), limit: limit + 1 })
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return reply(200, {
      deliveries: shown.map(deliveryOf),
      next: rows.length > limit && last ? typedId('webhookEvent', last.event_id) : null,
    })
  }),

  route(contract.consoleGetDelivery, async ({ tx, params }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const uuid = await eventUuid(tx, params.eventId)
    const row = uuid === null ? undefined : await findDelivery(tx, id, uuid)
    if (!row) throw new Problem('NOT_FOUND', 'This event has no delivery to this webhook.')
    return reply(200, {
      ...deliveryOf(row),
      history: (await listAttempts(tx, id, row.event_id)).map(shownAttempt),
      scheduleSeconds: [...config.webhooks.retryDelays],
      body: bodyOf(row),
    })
  }),

  route(contract.consoleListEventTypes, (_context, reply) => reply(200, shownTypes)),
]
