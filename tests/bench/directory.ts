/**
 * A directory with `--rows` centers, each with a person and a key, and one with ten thousand: size by table, start of an API
 * process and of a worker, requests with keys that a process has not seen, its memory after 20,000 of them, connections. Then the
 * start of both, and their connections at rest, in an installation with eight empty cells.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withClient } from '../../tools/postgres.ts'
import { openWorld, type World } from '../support/world.ts'
import { fillCenters, fillPeople, sizesOf, smallRows } from './directory-data.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Place, percentile, type Running, say, settings, startProcess } from './place.ts'
import { sized } from './sized.ts'

const usedKeys = sized(20_000, 100)
const callers = 8
/** Their connections at rest fit into the hundred that PostgreSQL accepts by default. */
const cellCount = sized(8, 2)
/** Idle connections are closed after half a minute. */
const restMs = sized(45_000, 500)

interface Measured {
  readonly bytesPerCenter: number
  readonly tables: Record<string, number>
  readonly apiStartMs: number
  readonly workerStartMs: number
  readonly coldMs: { readonly median: number; readonly p99: number }
  readonly warmMs: { readonly median: number; readonly p99: number }
  readonly megabytes: { readonly started: number; readonly after: number }
  readonly connections: { readonly api: number; readonly worker: number }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now()
  return [await work(), Math.round(performance.now() - began)]
}

/** Real keys of centers that are spread over the whole table. */
async function makeKeys(world: World, rows: number): Promise<string[]> {
  const ids = await world.query<{ id: number; domain: string }>(
    'select id, domain from directory.centers where id % $1 = 0 order by id limit $2',
    [Math.max(1, Math.floor(rows / usedKeys)), usedKeys],
  )
  const keys: string[] = []
  for (const center of ids) keys.push(await world.key(center, { scopes: ['proof:read'] }))
  return keys
}

async function useAll({ url }: Running, keys: readonly string[]): Promise<{ median: number; p99: number }> {
  const times: number[] = []
  const left = [...keys]
  async function caller(): Promise<void> {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      const began = performance.now()
      const response = await fetch(`${url}/api/v1/decision-events`, { headers: { authorization: `Bearer ${key}` } })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`a key was answered ${response.status}`)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { median: Number(median(times).toFixed(2)), p99: Number(percentile(times, 0.99).toFixed(2)) }
}

async function measure(rows: number): Promise<Measured> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  const connections = async () =>
    (
      await client.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and application_name like 'countersign%'`,
      )
    ).rows[0]?.n ?? 0
  try {
    await fillCenters(place, rows)
    await fillPeople(place)
    const tables = await sizesOf(place)
    const keys = await makeKeys(world, rows)
    const [api, apiStartMs] = await timed(() => startProcess('../../apps/server/main.ts', settings(place, 'api')))
    const started = api.residentMegabytes()
    const coldMs = await useAll(api, keys)
    const warmMs = await useAll(api, keys)
    const megabytes = { started, after: api.residentMegabytes() }
    const ofApi = await connections()
    await api.stop()
    const [worker, workerStartMs] = await timed(() =>
      startProcess('../../apps/server/main.ts', settings(place, 'worker')),
    )
    const ofWorker = await connections()
    await worker.stop()
    const bytes = Object.values(tables).reduce((sum, each) => sum + each, 0)
    const measured: Measured = {
      ...{ bytesPerCenter: Math.round(bytes / rows), tables, apiStartMs, workerStartMs, coldMs, warmMs, megabytes },
      connections: { api: ofApi, worker: ofWorker },
    }
    say(`${rows} centers: ${JSON.stringify(measured)}`)
    return measured
  } finally {
    await client.end()
    await world.close()
    await place.close()
  }
}

/** Milliseconds until a process is ready, and its connections at rest to all cells. */
async function manyCells(role: 'api' | 'worker', place: Place): Promise<{ startMs: number; connections: number }> {
  const [running, startMs] = await timed(() => startProcess('../../apps/server/main.ts', settings(place, role)))
  await sleep(restMs)
  const { rows } = await withClient(place.url, (client) =>
    client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = any ($1) and application_name like 'countersign%'`,
      [Array.from(place.cells.values(), (url) => new URL(url).pathname.slice(1))],
    ),
  )
  await running.stop()
  return { startMs, connections: rows[0]?.n ?? 0 }
}

async function measureCells() {
  say(`making ${cellCount} cells`)
  const place = await makePlace(Array.from({ length: cellCount }, (_, at) => `c${at}`))
  try {
    return { count: cellCount, api: await manyCells('api', place), worker: await manyCells('worker', place) }
  } finally {
    await place.close()
  }
}

export async function benchDirectory({ rows }: BenchOptions): Promise<BenchResult> {
  const cells = await measureCells()
  say(JSON.stringify(cells))
  const small = await measure(smallRows)
  const large = await measure(rows)
  return {
    value: large.coldMs.median,
    unit: 'ms, a request with a key that the process has not seen',
    bare: small.coldMs.median,
    ratio: Number((large.coldMs.median / small.coldMs.median).toFixed(2)),
    rows,
    cells,
    large,
    small,
  }
}
