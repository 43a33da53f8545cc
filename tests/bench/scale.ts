/**
 * Record, seal, list, verify, proof and deliver in an installation with `--rows` events, a quarter as many seals and one
 * center per 200 events in two cells, against an installation of a tenth: the same load in alternation. A ratio is the rate
 * of the small installation over that of the large one. At the end, what a worker at rest costs in a cell with 100,000 centers.
 * MEASURES=record,idle leaves out the others.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { newUuid, typedId } from '@countersign/server/lib/ids.ts'
import autocannon from 'autocannon'
import { recordedEvent } from './bodies.ts'
import { sampleData } from './deliver-sample.ts'
import { idleCost } from './idle.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { median, type Running, say, settings, startProcess } from './place.ts'
import { directorsOf, type Installation, install, type ScaleTenant, type Sizes } from './scale-data.ts'
import { load } from './seal-load.ts'
import { sized } from './sized.ts'

const callers = 32
const directors = sized(50, 5)
/** Deliveries of one window, each to another endpoint where there are as many. */
const deliveries = sized(1000, 50)
const idleCenters = sized(100_000, 20)

interface Side extends Installation {
  readonly name: 'large' | 'small'
  readonly worker: Running
  readonly consumer: Running
  /** Of directors, who sign in after all is loaded: a token is valid for a quarter of an hour. */
  tokens: readonly string[]
}

const isWanted = (name: string): boolean => (process.env.MEASURES ?? name).split(',').includes(name)

const some = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T

/** Requests per second; any answer but 2xx ends the measurement. */
async function rate(
  side: Side,
  seconds: number,
  make: () => { path: string; token: string; body?: object },
): Promise<number> {
  const result = await autocannon({
    url: side.api.url,
    connections: callers,
    duration: seconds,
    requests: [
      {
        setupRequest: (request: object) => {
          const { path, token, body } = make()
          const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
          const method = body ? 'POST' : 'GET'
          return { ...request, method, path, headers, ...(body && { body: JSON.stringify(body) }) }
        },
      },
    ],
  } as autocannon.Options)
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refusals and ${result.errors} errors`)
  return result.requests.average
}

const measures: Record<string, (side: Side, seconds: number) => Promise<number>> = {
  record: (side, seconds) =>
    rate(side, seconds, () => ({
      path: '/api/v1/decision-events',
      token: some(side.tenants).key,
      body: recordedEvent,
    })),
  seal: async (side, seconds) => (await load([side.api], side.open, seconds)).perSecond,
  list: (side, seconds) =>
    rate(side, seconds, () => ({ path: '/api/v1/decision-events?tag=care-plan', token: some(side.tenants).key })),
  verify: (side, seconds) =>
    rate(side, seconds, () => ({ path: '/api/dpu/verify-chain?mode=records', token: some(side.tokens) })),
  proof: (side, seconds) =>
    rate(side, seconds, () => {
      const { id, key } = some(side.sealed)
      return { path: `/api/v1/evidence/${typedId('evidence', id)}/export`, token: key }
    }),
  deliver,
}

/** From the moment at which all become due until the consumer has received the last. */
async function deliver({ tenants, worldOf, consumer }: Side): Promise<number> {
  const before = await consumer.ask<number>('count')
  const dueAt = new Date(Date.now() + 3000)
  const start = Math.floor(Math.random() * tenants.length)
  const chosen = Array.from({ length: deliveries }, (_, at) => tenants[(start + at) % tenants.length] as ScaleTenant)
  for (const cell of new Set(chosen.map((tenant) => tenant.cell))) {
    const own = chosen.filter((tenant) => tenant.cell === cell)
    await worldOf(cell).query(
      `with wanted as (select * from unnest($1::integer[], $2::uuid[], $3::uuid[]) w (center_id, webhook_id, id)), e as (
         insert into cell.webhook_events (center_id, created_at, id, type, data)
         select center_id, $4, id, 'payment.completed', $5 from wanted
       )
       insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, next_at)
       select center_id, webhook_id, id, 'payment.completed', $4, $4 from wanted`,
      [
        own.map(({ centerId }) => centerId),
        own.map(({ webhook }) => webhook),
        own.map(() => newUuid()),
        dueAt,
        sampleData,
      ],
    )
  }
  await sleep(Math.max(0, dueAt.getTime() - Date.now()))
  const began = performance.now()
  while ((await consumer.ask<number>('count')) - before < deliveries) {
    await sleep(5)
    if (performance.now() - began > 120_000) throw new Error('deliveries are missing after two minutes')
  }
  return (1000 * deliveries) / (performance.now() - began)
}

/**
 * Each center records once, as in a process that has run for a while: three seconds would reach every center of the small
 * installation and few of the large one. What loading left to be written is written.
 */
async function warmUp({ api, tenants, worldOf }: Side): Promise<void> {
  const keys = tenants.map(({ key }) => key)
  const body = JSON.stringify(recordedEvent)
  const call = async () => {
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const answer = await fetch(`${api.url}/api/v1/decision-events`, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`a warm-up was answered ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  await worldOf((tenants[0] as ScaleTenant).cell).query('checkpoint')
}

async function openSide(name: Side['name'], sizes: Sizes): Promise<Side> {
  say(`${name}: ${JSON.stringify(sizes)}`)
  const consumer = await startProcess('./consumer.process.ts', {})
  const installed = await install(sizes, `${consumer.url}/hook`)
  const { env, place } = installed
  const worker = await startProcess('../../apps/server/main.ts', {
    ...env,
    ROLE: settings(place, 'worker').ROLE as string,
  })
  return { ...installed, name, consumer, worker, tokens: [] }
}

async function compare({ rows, seconds, windows }: BenchOptions): Promise<BenchResult> {
  const sizesOf = (events: number): Sizes => ({ centers: events / 200, events, seals: events / 4 })
  const began = performance.now()
  const sides = { small: await openSide('small', sizesOf(rows / 10)), large: await openSide('large', sizesOf(rows)) }
  const loadedSeconds = Math.round((performance.now() - began) / 1000)
  const rates: Record<string, { large: number[]; small: number[] }> = {}
  try {
    for (const side of Object.values(sides)) side.tokens = await directorsOf(side, directors)
    for (const side of Object.values(sides)) await warmUp(side)
    for (const [name, measure] of Object.entries(measures)) {
      if (!isWanted(name)) continue
      const found = { large: [] as number[], small: [] as number[] }
      rates[name] = found
      // The first window is a warm-up.
      for (let window = 0; window <= windows; window++) {
        for (const side of [sides.small, sides.large]) {
          const perSecond = await measure(side, seconds)
          if (window > 0) found[side.name].push(perSecond)
        }
      }
      say(`${name}: ${median(found.large).toFixed(0)}/s against ${median(found.small).toFixed(0)}/s`)
    }
    return {
      ...resultOf(rates),
      loadedSeconds,
      rows,
      perEvent: bytesOf(sides, 'perEvent'),
      perSeal: bytesOf(sides, 'perSeal'),
    }
  } finally {
    for (const { worker, consumer, close } of Object.values(sides)) {
      await worker.stop()
      await consumer.stop()
      await close()
    }
  }
}

export async function benchScale(options: BenchOptions): Promise<BenchResult> {
  const compared = await compare(options)
  if (!isWanted('idle')) return compared
  return { ...compared, idle: { centers: idleCenters, ...(await idleCost(idleCenters)) } }
}

const bytesOf = ({ large }: { large: Side }, of: 'perEvent' | 'perSeal') => ({
  disk: Math.round(large[of].disk),
  wal: Math.round(large[of].wal),
})

function resultOf(rates: Readonly<Record<string, { large: number[]; small: number[] }>>): BenchResult {
  const results = Object.fromEntries(
    Object.entries(rates).map(([name, { large, small }]) => {
      const ratio = median(small.map((perSecond, window) => perSecond / (large[window] as number)))
      return [
        name,
        { large: Math.round(median(large)), small: Math.round(median(small)), ratio: Number(ratio.toFixed(2)) },
      ]
    }),
  )
  const [worst, figures] = Object.entries(results).sort(([, a], [, b]) => b.ratio - a.ratio)[0] as [
    string,
    { large: number; small: number; ratio: number },
  ]
  return { value: figures.large, unit: `${worst}/s`, bare: figures.small, ratio: figures.ratio, results }
}
