/** A center with a key and running delivery workers, and helpers that register webhooks and publish events. */
import { useClock } from '@countersign/server/lib/clock.ts'
import { type Consumer, startConsumer } from './consumer.ts'
import type { Answer } from './contract-check.ts'
import { openProofFixture, type ProofFixture } from './proof-fixture.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

export interface Registered {
  readonly id: string
  readonly url: string
  readonly signingSecret: string
}

export type Delivery = Record<string, unknown>

export interface WebhookFixture extends ProofFixture {
  readonly consumer: Consumer
  /** Starts another consumer, closed with the fixture. */
  newConsumer(): Promise<Consumer>
  register(overrides?: Record<string, unknown>): Promise<Registered>
  /** Returns the new secret. */
  rotate(webhookId: string): Promise<string>
  publish(overrides?: Record<string, unknown>): Promise<Answer>
  deliveries(webhookId: string): Promise<Delivery[]>
  /** Waits until the deliveries of the webhook are as expected, and returns them. */
  settled(webhookId: string, wanted: (deliveries: Delivery[]) => boolean): Promise<Delivery[]>
  /** Waits long enough for every due delivery. */
  quiet(): Promise<void>
  /** Advances the clock by this many seconds; the clock does not advance by itself after that. */
  turn(seconds: number): void
  /** Closes the server that sends, and starts another. */
  restart(): Promise<void>
  /** Deletes every webhook, so that the next test starts without one. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Settings for consumers on this machine. */
export const localNetworks = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

let events = 0

export async function startWebhookFixture({ env, ...options }: ServerOptions = {}): Promise<WebhookFixture> {
  const server = await startServer({ env: { ...localNetworks, ...env }, ...options })
  const fixture = await openProofFixture(server)
  const consumer = await startConsumer()
  const consumers = [consumer]
  const key = await server.world.key(fixture.center, { scopes: ['proof:write', 'events:write'] })
  const v1: ProofFixture['v1'] = (method, path, body, headers = {}) =>
    server.call(method, path, { token: key, headers, ...(body !== undefined && { body }) })
  let turned: number | null = null
  let restore = () => {}
  let successor: TestServer | null = null
  server.services.deliveryWorkers.start()

  const deliveries = async (id: string) => (await v1('GET', `/api/v1/webhooks/${id}/deliveries?limit=100`)).body.data
  return {
    ...fixture,
    key,
    v1,
    consumer,
    deliveries,
    async newConsumer() {
      const another = await startConsumer()
      consumers.push(another)
      return another
    },
    async register(overrides) {
      const answer = await v1('POST', '/api/v1/webhooks', { url: consumer.url, events: ['*'], ...overrides })
      if (answer.status !== 201) throw new Error(`could not be registered: ${answer.text}`)
      return answer.body as Registered
    },
    async rotate(id) {
      const answer = await v1('POST', `/api/v1/webhooks/${id}/rotate-secret`)
      if (answer.status !== 200) throw new Error(`could not be rotated: ${answer.text}`)
      return answer.body.signingSecret
    },
    publish: (overrides) =>
      v1('POST', '/api/v1/events', {
        id: `event-${++events}`,
        type: 'payment.completed',
        data: { paymentId: 'pay-1', amount: 45000 },
        ...overrides,
      }),
    async settled(id, wanted) {
      const end = performance.now() + 10_000
      for (;;) {
        const found = await deliveries(id)
        if (wanted(found)) return found
        if (performance.now() > end)
          throw new Error(`the deliveries did not reach the expected state: ${JSON.stringify(found)}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    // Twice the poll interval of the delivery workers.
    quiet: () => new Promise((resolve) => setTimeout(resolve, 350)),
    turn(seconds) {
      turned = (turned ?? Date.now()) + Math.round(seconds * 1000)
      restore = useClock(() => turned as number)
    },
    async restart() {
      await (successor ? successor.close() : server.services.deliveryWorkers.stop())
      successor = await startServer({ env: { ...localNetworks, ...env }, beside: server })
      successor.services.deliveryWorkers.start()
    },
    async clear() {
      const { data } = (await v1('GET', '/api/v1/webhooks')).body
      for (const { id } of data) await v1('DELETE', `/api/v1/webhooks/${id}`)
      consumer.received.length = 0
      consumer.answer(() => 200)
    },
    async close() {
      restore()
      // The consumer closes first: requests in flight must not delay the end of the delivery workers.
      await Promise.all(consumers.map((each) => each.close()))
      await successor?.close()
      await server.close()
    },
  }
}
