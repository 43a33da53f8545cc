import { listEventTypes } from '@countersign/contract/events.ts'
import * as contract from '@countersign/contract/webhooks.ts'
import type { Config } from '../../../config/config.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { beginRecovery, eventUuid, ping, retry, shownAttempt, shownDelivery, shownRecovery } from './deliveries.ts'
import { findRecovery, listAttempts, listDeliveries } from './delivery-queries.ts'
import { shownTypes } from './event-types.ts'
import { listWebhooks } from './queries.ts'
import { namedWebhook, register, remove, rotate, shownWebhook, update } from './subscriptions.ts'

interface WebhookNeeds {
  readonly config: Pick<Config, 'perCenter'>
  readonly transports: Transports
  readonly box: SecretBox
  readonly jobs: Jobs
}

export const webhookRoutes = ({ config, transports, box, jobs }: WebhookNeeds): Route[] => [
  route(contract.registerWebhook, async ({ tx, body, principal }, reply) =>
    reply(201, await register(tx, { transports, box, config }, principal.center, body)),
  ),

  route(contract.listWebhooks, async ({ tx }, reply) => reply(200, (await listWebhooks(tx)).map(shownWebhook))),

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
    return reply(200, (await listDeliveries(tx, id, query.limit)).map(shownDelivery))
  }),

  route(contract.retryWebhookEvent, async ({ tx, params }, reply) => reply(202, await retry(tx, params.eventId))),

  route(contract.listDeliveryAttempts, async ({ tx, params }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const uuid = await eventUuid(tx, params.eventId)
    const attempts = uuid === null ? [] : await listAttempts(tx, id, uuid)
    if (attempts.length === 0) throw new Problem('NOT_FOUND', 'This event has no delivery attempt at this webhook.')
    return reply(200, attempts.map(shownAttempt))
  }),

  route(contract.testWebhook, async ({ tx, params }, reply) =>
    reply(202, await ping(tx, await namedWebhook(tx, params.webhookId))),
  ),

  route(contract.recoverWebhook, async ({ tx, params, body, principal }, reply) => {
    return reply(202, await beginRecovery(tx, jobs, principal.cell, params.webhookId, body.since))
  }),

  route(contract.getRecovery, async ({ tx, params }, reply) => {
    const { id } = await namedWebhook(tx, params.webhookId)
    const uuid = uuidOf('recovery', params.recoveryId)
    const row = uuid === null ? undefined : await findRecovery(tx, id, uuid)
    if (!row) throw new Problem('NOT_FOUND', 'This webhook has no such recovery.')
    return reply(200, shownRecovery(row))
  }),

  route(listEventTypes, (_context, reply) => reply(200, shownTypes)),
]
