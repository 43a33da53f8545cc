/** Centers on one server with running delivery workers; each has a key, a consumer and helpers for requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Consumer, startConsumer } from '../../../../../../tests/support/consumer.ts'
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import type { ServerOptions } from '../../../../../../tests/support/server.ts'
import {
  type Registered,
  startWebhookFixture,
  type WebhookFixture,
} from '../../../../../../tests/support/webhook-fixture.ts'
import type { Center } from '../../../../../../tests/support/world.ts'

type Body = Record<string, unknown>

export interface Tenant {
  readonly center: Center
  readonly key: string
  readonly consumer: Consumer
  v1(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  register(overrides?: Body): Promise<Registered>
  /** A payment, unless said otherwise. */
  publish(overrides?: Body): Promise<Answer>
  webhook(id: string): Promise<Body | undefined>
  /** The deliveries of the webhook, once they satisfy the condition. */
  deliveries(id: string, wanted: (found: Body[]) => boolean): Promise<Body[]>
}

export interface Fixture extends WebhookFixture {
  tenant(): Promise<Tenant>
  /** Closed with the fixture. */
  newConsumer(): Promise<Consumer>
}

/** An endpoint that does not exist. Registration does not look up its name. */
export const elsewhere = 'https://hooks.example.org/countersign'

let events = 0

export async function startFixture(options: ServerOptions = {}): Promise<Fixture> {
  const fixture = await startWebhookFixture(options)
  const { server } = fixture
  const consumers: Consumer[] = []

  async function newConsumer(): Promise<Consumer> {
    const consumer = await startConsumer()
    consumers.push(consumer)
    return consumer
  }

  async function tenant(): Promise<Tenant> {
    const center = await server.world.center()
    const key = await server.world.key(center, { scopes: ['proof:write', 'events:write'] })
    const consumer = await newConsumer()
    const v1: Tenant['v1'] = (method, path, body, headers = {}) =>
      server.call(method, path, { token: key, headers, ...(body !== undefined && { body }) })
    const list = async () => (await v1('GET', '/api/v1/webhooks')).body.data as Body[]
    return {
      ...{ center, key, consumer, v1 },
      async register(overrides) {
        const answer = await v1('POST', '/api/v1/webhooks', { url: consumer.url, events: ['*'], ...overrides })
        if (answer.status !== 201) throw new Error(`could not be registered: ${answer.text}`)
        return answer.body
      },
      publish: (overrides) =>
        v1('POST', '/api/v1/events', {
          id: `of-${center.id}-${++events}`,
          type: 'payment.completed',
          data: { paymentId: 'pay-1', amount: 45000 },
          ...overrides,
        }),
      webhook: async (id) => (await list()).find((each) => each.id === id),
      deliveries: (id, wanted) =>
        until(async () => (await v1('GET', `/api/v1/webhooks/${id}/deliveries?limit=100`)).body.data, wanted),
    }
  }

  return {
    ...fixture,
    tenant,
    newConsumer,
    async close() {
      await fixture.close()
      await Promise.all(consumers.map((consumer) => consumer.close()))
    },
  }
}

export async function until<T>(look: () => Promise<T>, wanted: (found: T) => boolean): Promise<T> {
  const end = performance.now() + 15_000
  for (;;) {
    const found = await look()
    if (wanted(found)) return found
    if (performance.now() > end) throw new Error(`the condition was not met: ${JSON.stringify(found)}`)
    await sleep(20)
  }
}

/** Longer than two polls of the delivery workers: a delivery that has not arrived by then is not sent. */
export const aWhile = (): Promise<void> => sleep(500)

/** Starts all requests together, and repeats those that an overloaded server refused with 503. */
export const atOnce = (contenders: number, run: (number: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: contenders }, async (_, number) => {
      let answer = await run(number)
      while (answer.status === 503) {
        await sleep(200)
        answer = await run(number)
      }
      return answer
    }),
  )

export const statuses = (answers: readonly Answer[]): Record<number, number> =>
  answers.reduce<Record<number, number>>((counts, { status }) => {
    counts[status] = (counts[status] ?? 0) + 1
    return counts
  }, {})

export const said = ({ status, body }: Answer) => [status, body?.error?.code]
