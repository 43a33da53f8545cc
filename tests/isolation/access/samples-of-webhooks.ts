/** Valid calls of the operations on webhooks. No delivery worker runs, so deliveries are inserted directly. */
import { newId, newUuid } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample, SampleCall } from './sample.ts'

const registration = { url: 'https://hooks.example.org/countersign', events: ['payment.*'] }
const since = '2026-11-01T00:00:00.000Z'
const newEvent = () => ({ id: `sample-${newUuid()}`, type: 'payment.completed', data: { amount: 45000 } })

async function made(server: TestServer, { center }: Cast, path: string, body: unknown) {
  const token = await server.world.key(center, { scopes: ['proof:write', 'events:write'] })
  const answer = await server.call('POST', path, { token, body })
  if (answer.status >= 300) throw new Error(`could not make a sample: ${answer.text}`)
  return answer.body
}

/** Deletes the webhooks of earlier samples: there are more calls than a center may have webhooks. */
async function newWebhook(server: TestServer, cast: Cast): Promise<string> {
  await server.world.query('update cell.webhooks set active = false, deleted_at = now() where center_id = $1', [
    cast.center.id,
  ])
  return (await made(server, cast, '/api/v1/webhooks', registration)).id
}

/** An event whose only delivery has failed permanently. */
async function failedDelivery(server: TestServer, cast: Cast): Promise<{ webhookId: string; eventId: string }> {
  const webhookId = await newWebhook(server, cast)
  const event = newEvent()
  await made(server, cast, '/api/v1/events', event)
  await server.world.query(
    `with failed as (
       update cell.webhook_deliveries d set status = 'failed', attempts = 1, failed_in_cycle = 1, attempted_at = now(), next_at = null
       from cell.webhook_event_ids i
       where d.center_id = i.center_id and d.event_id = i.id and i.center_id = $1 and i.public_id = $2
       returning d.*)
     insert into cell.webhook_attempts (center_id, webhook_id, event_id, number, at, ms, excerpt, error, message)
     select center_id, webhook_id, event_id, 1, attempted_at, 5000, '', 'timeout', 'No answer within 5 seconds.' from failed`,
    [cast.center.id, event.id],
  )
  return { webhookId, eventId: event.id }
}

async function newRecovery(server: TestServer, cast: Cast): Promise<{ webhookId: string; recoveryId: string }> {
  const webhookId = await newWebhook(server, cast)
  const { data } = await made(server, cast, `/api/v1/webhooks/${webhookId}/recover`, { since })
  return { webhookId, recoveryId: data.id }
}

const nowhere = () => ({
  webhookId: newId('webhook'),
  eventId: newId('webhookEvent'),
  recoveryId: newId('recovery'),
})

/** A call that names an object created for it. */
const about = (
  status: number,
  make: (server: TestServer, cast: Cast) => Promise<Record<string, string>>,
  rest: Omit<SampleCall, 'params'> = {},
): Sample => ({
  status,
  call: async (server, cast) => ({ ...rest, params: await make(server, cast) }),
  nowhere: () => ({ ...rest, params: nowhere() }),
})

const ofWebhook = (status: number, rest?: Omit<SampleCall, 'params'>): Sample =>
  about(status, async (server, cast) => ({ webhookId: await newWebhook(server, cast) }), rest)

/** The same for people who are signed in. */
const memberSamples: Readonly<Record<string, Sample>> = {
  'webhooks.listAsMember': { call: () => ({}), status: 200 },
  'webhooks.registerAsMember': {
    async call(server, cast) {
      await newWebhook(server, cast)
      return { body: registration }
    },
    status: 201,
  },
  'webhooks.updateAsMember': ofWebhook(200, { body: { events: ['*'] } }),
  'webhooks.deleteAsMember': ofWebhook(204),
  'webhooks.rotateSecretAsMember': ofWebhook(200, { body: {} }),
  'webhooks.testAsMember': ofWebhook(202),
  'webhooks.recoverAsMember': ofWebhook(202, { body: { since } }),
  'webhooks.retryEventAsMember': about(202, failedDelivery),
  'deliveries.list': about(200, failedDelivery, { query: 'state=failed' }),
  'deliveries.get': about(200, failedDelivery),
  'webhooks.listEventTypesAsMember': { call: () => ({}), status: 200 },
}

export const webhookSamples: Readonly<Record<string, Sample>> = {
  ...memberSamples,
  'webhooks.register': { call: () => ({ body: registration }), status: 201 },
  'webhooks.list': { call: () => ({}), status: 200 },
  'webhooks.update': ofWebhook(200, { body: { events: ['*'] } }),
  'webhooks.delete': ofWebhook(204),
  'webhooks.rotateSecret': ofWebhook(200),
  'webhooks.retryEvent': about(202, failedDelivery),
  'webhooks.listEvents': about(200, failedDelivery),
  'webhooks.listDeliveries': about(200, failedDelivery, { query: 'limit=10' }),
  'webhooks.listAttempts': about(200, failedDelivery),
  'webhooks.test': ofWebhook(202),
  'webhooks.recover': ofWebhook(202, { body: { since } }),
  'webhooks.getRecovery': about(200, newRecovery),
  'webhooks.listEventTypes': { call: () => ({}), status: 200 },
  'events.publish': { call: () => ({ body: newEvent() }), status: 202 },
}
