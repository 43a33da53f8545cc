/** A center with endpoints at a consumer process, publishers that keep acknowledgments, and workers for the test to kill. */
import { uuidOf } from '@countersign/server/lib/ids.ts'
import { say } from '../bench/place.ts'
import type { Client } from '../support/client.ts'
import type { Answer } from '../support/contract-check.ts'
import type { Center, World } from '../support/world.ts'
import { type Ask, startConsumer } from './deliver-consumer.ts'
import { startKillable } from './killable-server.ts'

/** Every `failpoint` of a delivery, in order; `leases.test.ts` kills at those of the lease. */
export const failpoints = ['deliver.send', 'deliver.sent', 'deliver.record', 'deliver.recorded'] as const
export type Failpoint = (typeof failpoints)[number]

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The answer to a publisher: when the event was acknowledged, and for how many endpoints. */
export interface Acknowledgment {
  readonly ackedAt: number
  readonly endpoints: number
}

/** A kill or a crash, and the state at that moment. */
export interface Disturbance {
  readonly what: string
  readonly at: number
  readonly round: number
  /** `endpoint eventId` of each delivery whose success the database has not recorded. */
  readonly unrecorded: ReadonlySet<string>
  /** The lease epoch of each endpoint. */
  readonly epochs: readonly number[]
}

export interface Ground {
  readonly world: World
  readonly api: Client
  readonly center: Center
  readonly key: string
  readonly ports: readonly number[]
  /** UUIDs of webhooks, in the order of endpoints. */
  readonly webhooks: string[]
  readonly secrets: string[]
  readonly workerEnvironment: Readonly<Record<string, string>>
  readonly acknowledged: Map<string, Acknowledgment>
  /** Every event that a publisher tried to publish. */
  readonly published: Set<string>
  readonly disturbances: Disturbance[]
  readonly faults: readonly string[]
  /** Reports a fault as soon as it is found. */
  fault(what: string): void
  readonly ask: Ask
  close(): Promise<void>
}

export interface GroundOptions {
  readonly world: World
  readonly api: Client
  readonly environment: Readonly<Record<string, string>>
  readonly endpoints: number
  readonly seed: number
}

export const workerSettings = {
  ROLE: 'worker',
  WEBHOOK_RETRY_DELAYS: '0,0.2,0.3,0.4,0.5,0.6,0.7',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
}

export async function openGround({ world, api, environment, endpoints, seed }: GroundOptions): Promise<Ground> {
  const { ask, stop } = await startConsumer(endpoints, seed)
  const center = await world.center()
  const faults: string[] = []
  return {
    world,
    api,
    center,
    key: await world.key(center, { scopes: ['proof:write', 'events:write'] }),
    ports: await ask('ports'),
    webhooks: [],
    secrets: [],
    workerEnvironment: { ...environment, ...workerSettings },
    acknowledged: new Map(),
    published: new Set(),
    disturbances: [],
    faults,
    fault(what) {
      faults.push(what)
      say(`fault: ${what}`)
    },
    ask,
    close: stop,
  }
}

/** Registers this many of the endpoints that have no webhook yet. */
export async function register(ground: Ground, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const url = `http://127.0.0.1:${ground.ports[ground.webhooks.length]}/hook`
    const body = { url, events: ['payment.*'] }
    const answer = await ground.api.call('POST', '/api/v1/webhooks', { token: ground.key, body })
    if (answer.status !== 201) throw new Error(`could not be registered: ${answer.text}`)
    ground.webhooks.push(uuidOf('webhook', answer.body.id) as string)
    ground.secrets.push(answer.body.signingSecret)
  }
  await ground.ask('secrets', ground.secrets)
}

/** The longest time that the database is away. */
const longestAwayMs = 60_000

/** Retries with the same id until the event is acknowledged. */
async function publishOne(ground: Ground, id: string): Promise<void> {
  const body = { id, type: 'payment.completed', data: { paymentId: id, amount: 45_000, currency: 'KRW' } }
  const endpoints = ground.webhooks.length
  const end = Date.now() + longestAwayMs
  while (Date.now() < end) {
    const answer: Answer | null = await ground.api
      .call('POST', '/api/v1/events', { token: ground.key, body })
      .catch((error: Error) => {
        if (/outside the contract/.test(error.message)) ground.fault(error.message)
        return null
      })
    if (answer?.status === 202) {
      if (answer.body.data.deliveries !== endpoints)
        ground.fault(`${id} was acknowledged for ${answer.body.data.deliveries} endpoints, not ${endpoints}`)
      ground.acknowledged.set(id, { ackedAt: Date.now(), endpoints })
      return
    }
    if (answer && answer.status !== 503) ground.fault(`${id} was answered ${answer.status}: ${answer.text}`)
    await pause(200)
  }
  ground.fault(`${id} could not be published for ${longestAwayMs} ms`)
}

const publishers = 4

export async function publish(ground: Ground, count: number): Promise<void> {
  const first = ground.published.size
  const ids = Array.from({ length: count }, (_, i) => `payment-${first + i}`)
  for (const id of ids) ground.published.add(id)
  const waiting = ids.values()
  await Promise.all(
    Array.from({ length: publishers }, async () => {
      for (const id of waiting) await publishOne(ground, id)
    }),
  )
}

/** Starts a worker that dies at this failpoint. */
export async function dieAt(ground: Ground, failpoint: Failpoint): Promise<void> {
  // The worker starts work before it is ready, so it may die before that.
  const doomed = await startKillable({ ...ground.workerEnvironment, FAILPOINT: failpoint }).catch((error: Error) => {
    if (/\(SIGKILL\) before it was ready/.test(error.message)) return null
    throw error
  })
  const signal = doomed ? await Promise.race([doomed.ended, pause(30_000).then(() => 'nothing')]) : 'SIGKILL'
  if (signal === 'SIGKILL') return
  ground.fault(`a worker that was to die at ${failpoint} ended by ${signal}`)
  if (signal === 'nothing') await doomed?.stop()
}

/** A database that has just restarted refuses connections from before. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 20) throw error
      await pause(250)
    }
  }
}

/** Records the state right after a kill: the leases have at least four seconds left. */
export async function note(ground: Ground, what: string, round: number, explains = true): Promise<void> {
  const { world, center, webhooks } = ground
  const at = Date.now()
  const open = await patiently(() =>
    world.query<{ webhook_id: string; public_id: string }>(
      `select d.webhook_id, e.public_id from cell.webhook_deliveries d
       join cell.webhook_events e on e.center_id = d.center_id and e.created_at = d.created_at and e.id = d.event_id
       where d.center_id = $1 and d.next_at is not null`,
      [center.id],
    ),
  )
  const unrecorded = new Set(
    explains ? open.map(({ webhook_id, public_id }) => `${webhooks.indexOf(webhook_id)} ${public_id}`) : [],
  )
  const leases = await patiently(() =>
    world.query<{ webhook_id: string; epoch: number }>(
      'select webhook_id, lease_epoch::int as epoch from cell.webhook_endpoints where center_id = $1',
      [center.id],
    ),
  )
  const epochOf = new Map(leases.map(({ webhook_id, epoch }) => [webhook_id, epoch]))
  const epochs = webhooks.map((id) => epochOf.get(id) ?? 0)
  ground.disturbances.push({ what, at, round, unrecorded, epochs })
}
