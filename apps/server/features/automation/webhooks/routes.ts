import { listEventTypes } from '@countersign/contract/events.ts'
import { listWebhookEvents } from '@countersign/contract/webhook-event-list.ts'
import * as contract from '@countersign/contract/webhooks.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { cellOf, centerOf } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { firstUuidAt, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import {
  beginRecovery,
  bodyOf,
  eventCursor,
  eventUuid,
  ping,
  retry,
  shownAttempt,
  shownDelivery,
  shownEvent,
  shownFigures,
  shownRecovery,
  trackedDelivery,
} from './deliveries.ts'
import { findRecovery, listAttempts } from './delivery-queries.ts'
import { shownTypes } from './event-types.ts'
import { eventsAfter, findDelivery, pageOfDeliveries, type WebhookFigures, webhookFigures } from './overview-queries.ts'
import { listWebhooks } from './queries.ts'
import { namedWebhook, register, remove, rotate, shownWebhook, update } from './subscriptions.ts'

interface WebhookNeeds {
  readonly config: Pick<Config, 'perCenter' | 'webhooks'>
  readonly transports: Transports
  readonly box: SecretBox
  readonly centers: CenterProfiles
  readonly jobs: Jobs
}

export const webhookRoutes = ({ config, transports, box, centers, jobs }: WebhookNeeds): Route[] => [
  route(contract.registerWebhook, async ({ tx, body, principal }, reply) => {
    const center = await centerOf(centers, principal)
    return reply(201, await register(tx, { transports, box, config }, center, body))
  }),

  route(contract.listWebhooks, async ({ tx }, reply) => {
    const figures = new Map((await webhookFigures(tx)).map((row) => [row.webhook_id, row]))
    const rows = await listWebhooks(tx)
    return reply(
      200,
      rows.map((row) => ({ ...shownWebhook(row), ...shownFigures(figures.get(row.id) as WebhookFigures) })),
    )
  }),

  route(contract.updateWebhook, async ({ tx, params, body }, reply) =>
    reply(200, await update(tx, { transports, box }, params.webhookId, body)),
  ),

  route(contract.deleteWebhook, async ({ tx, params }, reply) => {
    await remove(tx, params.webhookId)
    return reply(204, null)
  }),

  route(contract.rotateWebhookSecret, async ({ tx, params, body }, reply) =>
    reply(200, await rotate(tx, box, params.webhookId, body.expirePreviousAfterSeconds)),
  ),

  route(contract.listDeliveries, async ({ tx, params, query }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const rows = await pageOfDeliveries(tx, id, { isAttempted: true, limit: query.limit })
    return reply(200, rows.map(shownDelivery))
  }),

  route(listWebhookEvents, async ({ tx, params, query }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const { since, limit } = query
    const from = eventCursor(query.after) ?? (since === undefined ? null : firstUuidAt(Date.parse(since)))
    const rows = await eventsAfter(tx, id, from, limit)
    const last = rows.at(-1)
    return reply(200, {
      events: rows.map(shownEvent),
      next: last ? typedId('webhookEvent', last.event_id) : null,
    })
  }),

  route(contract.trackDeliveries, async ({ tx, params, query }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const { state, limit } = query
    const rows = await pageOfDeliveries(tx, id, {
      state,
      before: eventCursor(query.before),
      limit: limit + 1,
    })
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return reply(200, {
      deliveries: shown.map(trackedDelivery),
      next: rows.length > limit && last ? typedId('webhookEvent', last.event_id) : null,
    })
  }),

  route(contract.getDelivery, async ({ tx, params }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const uuid = await eventUuid(tx, params.eventId)
    const row = uuid === null ? undefined : await findDelivery(tx, id, uuid)
    if (!row) throw new Problem('NOT_FOUND', "This event wasn't sent to this webhook. Check both IDs.")
    return reply(200, {
      ...trackedDelivery(row),
      history: (await listAttempts(tx, id, row.event_id)).map(shownAttempt),
      scheduleSeconds: [...config.webhooks.retryDelays],
      body: bodyOf(row),
    })
  }),

  route(contract.retryWebhookEvent, async ({ tx, params }, reply) => reply(202, await retry(tx, params.eventId))),

  route(contract.listDeliveryAttempts, async ({ tx, params }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const uuid = await eventUuid(tx, params.eventId)
    const attempts = uuid === null ? [] : await listAttempts(tx, id, uuid)
    if (attempts.length === 0)
      throw new Problem(
        'NOT_FOUND',
        'No delivery of this event to this webhook has been attempted yet. Check both IDs, or try again later.',
      )
    return reply(200, attempts.map(shownAttempt))
  }),

  route(contract.testWebhook, async ({ tx, params }, reply) =>
    reply(202, await ping(tx, await namedWebhook(tx, params.webhookId))),
  ),

  route(contract.recoverWebhook, async ({ tx, params, body, principal }, reply) =>
    reply(202, await beginRecovery(tx, jobs, cellOf(principal), params.webhookId, body.since)),
  ),

  route(contract.getRecovery, async ({ tx, params }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const uuid = uuidOf('recovery', params.recoveryId)
    const row = uuid === null ? undefined : await findRecovery(tx, id, uuid)
    if (!row) throw new Problem('NOT_FOUND', 'This webhook has no recovery with this ID. Check the ID.')
    return reply(200, shownRecovery(row))
  }),

  route(listEventTypes, (_context, reply) => reply(200, shownTypes)),
]
