/**
 * Deliveries per second from one worker to one consumer on this machine, each of them recorded, next to a bare loop that
 * signs and posts the same bytes with the same concurrency, in interleaved windows.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { secretContext } from '@countersign/server/features/automation/webhooks/subscriptions.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import { secretBox } from '@countersign/server/lib/secret-box.ts'
import { openWorld, type World } from '../support/world.ts'
import { concurrency, sampleData, sampleSecret } from './deliver-sample.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Running, say, settings, startProcess } from './place.ts'
import { sized } from './sized.ts'

/** Deliveries per window: more than a worker can send, so that the backlog never runs dry. */
const perSecond = sized(12_000, 500)

interface Target {
  readonly centerId: number
  readonly webhook: string
}

async function register(world: World, url: string, secretKey: string): Promise<Target> {
  const { id: centerId } = await world.center()
  const [webhook, secret] = [newUuid(), newUuid()]
  const sealed = secretBox([Buffer.from(secretKey, 'base64')]).seal(sampleSecret, secretContext(secret))
  await world.query(
    `with w as (
       insert into cell.webhooks (center_id, id, url, events, description, active, created_at)
       values ($1, $2, $3, '{*}', '', true, now())
     ), s as (
       insert into cell.webhook_secrets (center_id, webhook_id, id, sealed, created_at) values ($1, $2, $4, $5, now())
     )
     insert into cell.webhook_endpoints (center_id, webhook_id) values ($1, $2)`,
    [centerId, webhook, url, secret, sealed],
    true,
  )
  return { centerId, webhook }
}

/** Makes all deliveries due at the same moment. */
async function supply(world: World, { centerId, webhook }: Target, count: number, dueAt: Date): Promise<void> {
  const ids = Array.from({ length: count }, () => newUuid())
  await world.query(
    `with e as (
       insert into cell.webhook_events (center_id, created_at, id, type, data)
       select $1, $4, i, 'dpu.sealed', $5 from unnest($3::uuid[]) i
     )
     insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, next_at)
     select $1, $2, i, 'dpu.sealed', $4, $4 from unnest($3::uuid[]) i`,
    [centerId, webhook, ids, dueAt, sampleData],
    true,
  )
}

/** The time from the due moment until the last delivery is recorded, minus the poll delay of the worker. */
async function delivered(world: World, target: Target, consumer: Running, count: number): Promise<number> {
  const before = await consumer.ask<number>('count')
  const dueAt = new Date(Date.now() + 3000)
  await supply(world, target, count, dueAt)
  await world.query('analyze cell.webhook_deliveries', [], true)
  let first = 0
  for (;;) {
    await sleep(first === 0 ? 2 : 20)
    const received = (await consumer.ask<number>('count')) - before
    if (received > 0 && first === 0) first = performance.now()
    if (received >= count && (await waiting(world, target)) === 0) return (1000 * count) / (performance.now() - first)
  }
}

const waiting = async (world: World, { centerId }: Target): Promise<number> => {
  const [row] = await world.query<{ left: number }>(
    'select count(*)::integer as left from cell.webhook_deliveries where center_id = $1 and next_at is not null',
    [centerId],
    true,
  )
  return row?.left ?? 0
}

export async function benchDeliver({ seconds, windows, profile }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const consumer = await startProcess('./consumer.process.ts', {})
  const env: Record<string, string> = { ...settings(place, 'worker'), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const url = `${consumer.url}/hook`
  const target = await register(world, url, env.SECRET_KEY as string)
  const flags = profile ? ['--cpu-prof', '--cpu-prof-dir=.dev/profile'] : []
  const bare = await startProcess('./bare-deliver.process.ts', {})
  const worker = await startProcess('../../apps/server/main.ts', env, flags)
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  const micros: number[] = []
  try {
    await bare.ask({ url, seconds: 1 })
    await delivered(world, target, consumer, perSecond)
    for (let window = 0; window < windows; window++) {
      rates.bare.push(await bare.ask<number>({ url, seconds }))
      const before = worker.cpuSeconds()
      rates.ours.push(await delivered(world, target, consumer, perSecond * seconds))
      micros.push((1e6 * (worker.cpuSeconds() - before)) / (perSecond * seconds))
      say(`bare ${Math.round(rates.bare[window] as number)}/s, ours ${Math.round(rates.ours[window] as number)}/s`)
    }
    const [recorded] = await world.query<{ attempts: number; successes: number }>(
      `select (select count(*)::integer from cell.webhook_attempts) as attempts,
         (select count(*)::integer from cell.webhook_deliveries where status = 'success' and attempts = 1) as successes`,
      [],
      true,
    )
    return {
      value: Math.round(median(rates.ours)),
      unit: 'deliveries/s',
      bare: Math.round(median(rates.bare)),
      ratio: Number(median(rates.ours.map((rate, i) => rate / (rates.bare[i] as number))).toFixed(3)),
      cpuMicros: Math.round(median(micros)),
      concurrency,
      published: perSecond * (1 + seconds * windows),
      ...recorded,
    }
  } finally {
    await worker.stop()
    await bare.stop()
    await consumer.stop()
    await world.close()
    await place.close()
  }
}
