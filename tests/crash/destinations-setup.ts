/** A center with a webhook to a stream of NATS and one to a queue of RabbitMQ, and what each of them has stored. */
import { createHmac } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { connect as connectAmqp } from 'amqplib'
import type { Broker } from '../support/brokers.ts'
import { brokerLogin } from '../support/brokers.ts'
import type { Client } from '../support/client.ts'
import type { Center, World } from '../support/world.ts'
import { pause } from './deliver-setup.ts'

const { user, password } = brokerLogin
const userinfo = `${user}:${encodeURIComponent(password)}`
export const route = { subject: 'countersign.events', exchange: 'countersign', routingKey: 'events', queue: 'events' }

export const urls = ({ nats, rabbit }: BothBrokers) => ({
  nats: `nats://${userinfo}@${nats.host}:${nats.port}`,
  rabbitmq: `amqp://${userinfo}@${rabbit.host}:${rabbit.port}`,
})

export interface BothBrokers {
  readonly nats: Broker
  readonly rabbit: Broker
}

/** As a client of the broker would: with another library than the one that sends to NATS. */
const natsClient = ({ nats }: BothBrokers) =>
  connectNats({ servers: `${nats.host}:${nats.port}`, user, pass: password, timeout: 20_000 })
const amqpClient = (brokers: BothBrokers) => connectAmqp(urls(brokers).rabbitmq)

export async function declare(brokers: BothBrokers): Promise<void> {
  const nats = await natsClient(brokers)
  const manager = await jetstreamManager(nats)
  await manager.streams.add({ name: 'EVENTS', subjects: ['countersign.>'] })
  await nats.close()
  const rabbit = await amqpClient(brokers)
  const channel = await rabbit.createChannel()
  await channel.assertExchange(route.exchange, 'direct', { durable: true })
  await channel.assertQueue(route.queue, { durable: true })
  await channel.bindQueue(route.queue, route.exchange, route.routingKey)
  await rabbit.close()
}

export interface Stored {
  /** The id that the broker or its client recognizes a repeat by. */
  readonly messageId: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly isPersistent: boolean
}

async function storedInNats(brokers: BothBrokers): Promise<Stored[]> {
  const nats = await natsClient(brokers)
  const manager = await jetstreamManager(nats)
  const { state } = await manager.streams.info('EVENTS')
  const found: Stored[] = []
  for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++) {
    const message = await manager.streams.getMessage('EVENTS', { seq })
    if (!message) continue
    const headers = Object.fromEntries([...message.header].map(([name, [value]]) => [name, String(value)]))
    const body = Buffer.from(message.data)
    found.push({ messageId: String(headers['Nats-Msg-Id']), headers, body, isPersistent: true })
  }
  await nats.close()
  return found
}

async function storedInRabbit(brokers: BothBrokers): Promise<Stored[]> {
  const rabbit = await amqpClient(brokers)
  const channel = await rabbit.createChannel()
  const { messageCount } = await channel.checkQueue(route.queue)
  const found: Stored[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  if (messageCount === 0) resolve()
  else
    await channel.consume(
      route.queue,
      (message) => {
        if (!message) return
        const { messageId, headers, deliveryMode } = message.properties
        found.push({
          messageId: String(messageId),
          headers: headers as Record<string, string>,
          body: message.content,
          isPersistent: deliveryMode === 2,
        })
        if (found.length === messageCount) resolve()
      },
      { noAck: true },
    )
  await promise
  await rabbit.close()
  return found
}

export interface DestinationGround {
  readonly world: World
  readonly api: Client
  readonly center: Center
  readonly key: string
  readonly brokers: BothBrokers
  readonly secrets: Readonly<Record<'nats' | 'rabbitmq', string>>
  readonly webhooks: Readonly<Record<'nats' | 'rabbitmq', string>>
  readonly acknowledged: Set<string>
}

export async function openDestinations(world: World, api: Client, brokers: BothBrokers): Promise<DestinationGround> {
  await declare(brokers)
  const center = await world.center()
  const key = await world.key(center, { scopes: ['proof:write', 'events:write'] })
  const register = async (type: 'nats' | 'rabbitmq', given: object) => {
    const body = { type, url: urls(brokers)[type], ...given, events: ['payment.*'] }
    const answer = await api.call('POST', '/api/v1/webhooks', { token: key, body })
    if (answer.status !== 201) throw new Error(`could not be registered: ${answer.text}`)
    return answer.body as { id: string; signingSecret: string }
  }
  const nats = await register('nats', { subject: route.subject })
  const rabbitmq = await register('rabbitmq', { exchange: route.exchange, routingKey: route.routingKey })
  const secrets = { nats: nats.signingSecret, rabbitmq: rabbitmq.signingSecret }
  const webhooks = { nats: nats.id, rabbitmq: rabbitmq.id }
  return { world, api, center, key, brokers, secrets, webhooks, acknowledged: new Set() }
}

export async function publishPayments(ground: DestinationGround, count: number, publishers = 8): Promise<void> {
  const first = ground.acknowledged.size
  const ids = Array.from({ length: count }, (_, i) => `payment-${first + i}`).values()
  await Promise.all(
    Array.from({ length: publishers }, async () => {
      for (const id of ids) {
        const body = { id, type: 'payment.completed', data: { paymentId: id, amount: 45_000, currency: 'KRW' } }
        for (;;) {
          const answer = await ground.api.call('POST', '/api/v1/events', { token: ground.key, body }).catch(() => null)
          if (answer?.status === 202) break
          await pause(200)
        }
        ground.acknowledged.add(id)
      }
    }),
  )
}

/** Waits until no delivery is scheduled; returns how many of the deliveries did not succeed. */
export async function untilRecorded(ground: DestinationGround, patienceMs: number): Promise<number> {
  for (const end = Date.now() + patienceMs; ; ) {
    const [row] = await ground.world.query<{ open: number; failed: number }>(
      `select count(*) filter (where next_at is not null)::int as open,
         count(*) filter (where status is distinct from 'success')::int as failed
       from cell.webhook_deliveries where center_id = $1`,
      [ground.center.id],
    )
    if (row && (row.open === 0 || Date.now() > end)) return row.failed
    await pause(250)
  }
}

export interface DestinationLedger {
  readonly faults: readonly string[]
  readonly nats: Figures
  readonly rabbitmq: Figures
  /** Attempts by their error; `null` are acknowledged. */
  readonly attempts: Readonly<Record<string, number>>
}

interface Figures {
  readonly stored: number
  readonly repeated: number
}

const hex = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('hex')

function standard(secret: string, { headers, body }: Stored): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const head = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  return `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`
}

/** Compares what a broker has stored with what the API acknowledged: nothing is lost, and a repeat has the same id. */
function examine(
  type: 'nats' | 'rabbitmq',
  ground: DestinationGround,
  stored: readonly Stored[],
  faults: string[],
): Figures {
  const { acknowledged, secrets, webhooks } = ground
  const seen = new Map<string, number>()
  for (const message of stored) {
    const { headers, body } = message
    const { id, data, deliveryAttempt } = JSON.parse(body.toString())
    const wanted = type === 'nats' ? `${webhooks.nats}/${id}` : id
    const names = [message.messageId === wanted, headers['webhook-id'] === id, data.paymentId === id]
    if (names.includes(false))
      faults.push(`${type}: ${id} has other ids: ${message.messageId}, ${headers['webhook-id']}`)
    if (headers['x-service-delivery-attempt'] !== String(deliveryAttempt))
      faults.push(`${type}: ${id} has two attempts`)
    if (headers['x-service-signature'] !== hex(secrets[type], body)) faults.push(`${type}: ${id} is not signed`)
    if (headers['webhook-signature'] !== standard(secrets[type], message)) faults.push(`${type}: ${id} is not signed`)
    if (!message.isPersistent) faults.push(`${type}: ${id} is not persistent`)
    if (!acknowledged.has(id)) faults.push(`${type}: ${id} was never published`)
    seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  const missing = [...acknowledged].filter((id) => !seen.has(id))
  if (missing.length > 0) faults.push(`${type}: ${missing.length} are lost, such as ${missing[0]}`)
  return { stored: stored.length, repeated: stored.length - seen.size }
}

export async function readLedger(ground: DestinationGround): Promise<DestinationLedger> {
  const faults: string[] = []
  const nats = examine('nats', ground, await storedInNats(ground.brokers), faults)
  const rabbitmq = examine('rabbitmq', ground, await storedInRabbit(ground.brokers), faults)
  if (nats.repeated > 0) faults.push(`JetStream stored ${nats.repeated} repeats`)
  const rows = await ground.world.query<{ error: string | null; count: number }>(
    'select error, count(*)::int from cell.webhook_attempts where center_id = $1 group by error order by error',
    [ground.center.id],
  )
  const attempts = Object.fromEntries(rows.map(({ error, count }) => [String(error), count]))
  return { faults, nats, rabbitmq, attempts }
}
