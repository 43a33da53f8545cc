/**
 * One endpoint accepts every connection, never answers, and has 200,000 deliveries due. Next to it 499 healthy endpoints
 * receive 200 events a second for half a minute: all of them arrive within the limit, and no process opens database
 * connections beyond its pools. An API process and a worker run as child processes.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { makePlace, percentile, say, startProcess } from '../bench/place.ts'
import { sized } from '../bench/sized.ts'
import { type Client, openClient } from '../support/client.ts'
import { type Consumer, startConsumer } from '../support/consumer.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { backlog } from '../support/webhook-backlog.ts'
import { openWorld, type World } from '../support/world.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

const backlogSize = sized(200_000, 1000)
const perSecond = 200
/** `--endpoints` and `--events` make the test smaller. */
const full = { endpoints: 499, events: 30 * perSecond }
/** The limit of the 99th percentile for healthy endpoints. */
const mostP99Ms = 1000
const poolSize = 4
/** The pools of one process whose directory and only cell share a database, and those of its job engine. */
const mostConnections = 2 * (4 * poolSize + 13 + 2)

interface Resident {
  readonly centerId: number
  readonly key: string
  readonly webhookId: string
  readonly consumer: Consumer
}

/** Each endpoint has its own center, so that an event has one recipient. */
async function moveIn(world: World, api: Client): Promise<Resident> {
  const center = await world.center()
  const key = await world.key(center, { scopes: ['proof:write', 'events:write'] })
  const consumer = await startConsumer()
  const body = { url: consumer.url, events: ['*'] }
  const answer = await api.call('POST', '/api/v1/webhooks', { token: key, body })
  if (answer.status !== 201) throw new Error(`could not be registered: ${answer.text}`)
  return { centerId: center.id, key, webhookId: answer.body.id, consumer }
}

interface Heard {
  readonly published: number
  readonly refused: number
  readonly lags: number[]
  readonly duplicates: number
  readonly connections: number
}

/** Publishes at an even rate, whether or not the last request was answered. */
async function publishEvenly(
  api: Client,
  residents: readonly Resident[],
  random: () => number,
  names: readonly string[],
) {
  const asked: Promise<number>[] = []
  const expected = new Map<Resident, number>()
  const begun = performance.now()
  for (const [index, id] of names.entries()) {
    const early = begun + (index * 1000) / perSecond - performance.now()
    if (early > 0) await sleep(early)
    const to = residents[Math.floor(random() * residents.length)] as Resident
    const body = { id, type: 'payment.completed', data: { paymentId: id, amount: 45000 } }
    asked.push(
      api.call('POST', '/api/v1/events', { token: to.key, body }).then(({ status }) => {
        if (status === 202) expected.set(to, (expected.get(to) ?? 0) + 1)
        return status
      }),
    )
  }
  const refused = (await Promise.all(asked)).filter((status) => status !== 202).length
  return { expected, refused }
}

async function measure(
  world: World,
  api: Client,
  residents: readonly Resident[],
  random: () => number,
  names: readonly string[],
): Promise<Heard> {
  let connections = 0
  const watching = new AbortController()
  const watch = (async () => {
    while (!watching.signal.aborted) {
      const [row] = await world.query<{ count: number }>(
        `select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and application_name like 'countersign%'`,
      )
      connections = Math.max(connections, row?.count ?? 0)
      await sleep(250)
    }
  })()
  for (const { consumer } of residents) consumer.received.length = 0
  const { expected, refused } = await publishEvenly(api, residents, random, names)
  await Promise.all([...expected].map(([{ consumer }, count]) => consumer.until(count, 15_000).catch(() => {})))
  watching.abort()
  await watch
  const received = residents.flatMap(({ consumer }) => consumer.received)
  const firsts = new Map<string, number>()
  for (const { envelope, atMs } of received) {
    // Counts from the creation time of the event, which is before its commit, so the reported delay is an upper bound.
    const lag = performance.timeOrigin + atMs - Date.parse(envelope.createdAt)
    firsts.set(envelope.id, Math.min(firsts.get(envelope.id) ?? lag, lag))
  }
  const published = [...expected.values()].reduce((sum, count) => sum + count, 0)
  return { published, refused, lags: [...firsts.values()], duplicates: received.length - firsts.size, connections }
}

export async function chaosNoisyNeighbor({ seed, rounds, more }: ChaosOptions): Promise<ChaosResult> {
  const { endpoints, events } = { ...full, ...more }
  const place = await makePlace()
  const world = await openWorld(place.url)
  const random = seededRandom(seed)
  const env = {
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    DATABASE_URL: place.url,
    PUBLIC_URL: 'http://countersign.test',
    SECRET_KEY: randomBytes(32).toString('base64'),
    POOL_SIZE: String(poolSize),
    RATE_LIMIT_PROOF: '1000000/60',
    RATE_LIMIT_STANDARD: '1000000/60',
  }
  const api = await startProcess('../../apps/server/main.ts', { ...env, ROLE: 'api' })
  const client = openClient(api.url)
  const residents: Resident[] = []
  const violations: string[] = []
  let figures = {}
  try {
    for (let index = 0; index <= endpoints; index++) residents.push(await moveIn(world, client))
    const [hung, ...healthy] = residents as [Resident, ...Resident[]]
    hung.consumer.answer(() => undefined)
    for (let left = backlogSize; left > 0; left -= 10_000) {
      await backlog(world, hung.centerId, hung.webhookId, { count: Math.min(left, 10_000) })
    }
    await world.query('analyze cell.webhook_deliveries, cell.webhook_events')
    say(`${endpoints} healthy endpoints, and one that hangs with ${backlogSize} deliveries due`)
    const worker = await startProcess('../../apps/server/main.ts', { ...env, ROLE: 'worker' })
    try {
      await hung.consumer.until(10, 15_000)
      for (let round = 1; round <= rounds; round++) {
        const { published, refused, lags, duplicates, connections } = await measure(
          world,
          client,
          healthy,
          random,
          Array.from({ length: events }, (_, index) => `round-${round}-${index}`),
        )
        const at = (share: number) => Math.round(percentile(lags, share))
        figures = { published, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), duplicates, connections, mostConnections }
        say(`round ${round}: ${JSON.stringify(figures)}`)
        if (refused > 0) violations.push(`${refused} events were refused`)
        if (lags.length !== published)
          violations.push(`${published - lags.length} of ${published} events did not arrive`)
        if (at(0.99) > mostP99Ms) violations.push(`p99 is ${at(0.99)} ms`)
        if (connections > mostConnections) violations.push(`${connections} connections to the database`)
      }
    } finally {
      await worker.stop()
    }
    for (const violation of violations) say(violation)
    return { rounds, violations: violations.length, endpoints, backlog: backlogSize, perSecond, ...figures }
  } finally {
    await api.stop()
    await Promise.all(residents.map(({ consumer }) => consumer.close()))
    await world.close()
    await place.close()
  }
}
