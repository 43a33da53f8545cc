/**
 * What a fence store adds to a seal, with 1, 10,000 and 300,000 logs: reading the log, reserving and confirming the next
 * size of a random one, as a batch of one log does. The stores are used in turn, so that the noise of the machine is
 * the same for all.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStoreAt } from '@countersign/server/sealing/fence/open.ts'
import type { FenceStore } from '@countersign/server/sealing/fence/store.ts'
import { databaseUrl, findPostgres, withClient } from '../../tools/postgres.ts'
import { seededRandom } from '../support/seeded-random.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { median, say } from './place.ts'
import { sized } from './sized.ts'

const waitMs = 10_000
const root = '7'.repeat(64)
const logOf = (n: number): string => `bench.example/c/${n}/proof`

type Kind = 'file' | 'postgres'

interface Measured {
  readonly logs: number
  readonly startMs: number
  readonly micros: number
  /** The cost relative to the store with the fewest logs, by window. */
  readonly ratios: readonly number[]
}

interface Filled {
  readonly logs: number
  readonly startMs: number
  readonly store: FenceStore
  readonly sizes: Map<number, number>
  readonly windows: number[]
}

/** Stores with so many logs each, of which every one has one confirmed entry. */
async function fill(kind: Kind, counts: readonly number[], folder: string, server: string | null) {
  const drops: (() => Promise<unknown>)[] = []
  const filled: Filled[] = []
  for (const logs of counts) {
    let at = join(folder, String(logs))
    if (kind === 'postgres') {
      const name = `cs_bench_fence_${randomUUID().slice(0, 8)}`
      await withClient(server as string, (client) => client.query(`create database ${name}`))
      drops.push(() => withClient(server as string, (client) => client.query(`drop database ${name} with (force)`)))
      at = databaseUrl(server as string, name)
    }
    const empty = openStoreAt({ at, copy: null }, 'main')
    await empty.write('bind', waitMs, 'database', 'identity')
    await empty.close()
    if (kind === 'postgres') {
      await withClient(at, (client) =>
        client.query(`insert into countersign_fence_main.logs (name, confirmed_size, confirmed_root)
          select 'bench.example/c/' || n || '/proof', 1, '${root}' from generate_series(1, ${logs}) n;
          analyze countersign_fence_main.logs`),
      )
    } else {
      const file = new DatabaseSync(join(at, 'main.fence'))
      file.exec(`insert into logs with recursive n (n) as (select 1 union all select n + 1 from n where n < ${logs})
        select 'bench.example/c/' || n || '/proof', 1, '${root}', null, null from n`)
      file.close()
    }
    const started = performance.now()
    const store = openStoreAt({ at, copy: null }, 'main')
    await store.opened
    await store.read([logOf(1)])
    filled.push({ logs, startMs: performance.now() - started, store, sizes: new Map(), windows: [] })
  }
  return { filled, drops }
}

async function seal({ store, sizes }: Filled, n: number): Promise<void> {
  const [log, from] = [logOf(n), sizes.get(n) ?? 1]
  await store.read([log])
  const next = { log, size: from + 1, root }
  const reserved = await store.write('reserve', waitMs, 'identity', [{ ...next, from, fromRoot: root, replaces: null }])
  const confirmed = await store.write('confirm', waitMs, 'identity', [next])
  if (reserved !== null || confirmed !== null) throw new Error(`refused: ${reserved ?? confirmed}`)
  sizes.set(n, from + 1)
}

export async function measureStores(
  kind: Kind,
  counts: readonly number[],
  seals: number,
  windows: number,
  seed: number,
) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-fence-'))
  const server = kind === 'postgres' ? await findPostgres(new URL('../../.dev/bench/', import.meta.url).pathname) : null
  // The thread of a store does not keep a process alive.
  const alive = setInterval(() => {}, 1000)
  const { filled, drops } = await fill(kind, counts, folder, server?.url ?? null)
  const random = seededRandom(seed)
  try {
    // The first window warms up.
    for (let window = 0; window <= windows; window++) {
      const times = filled.map((): number[] => [])
      for (let at = 0; at < seals; at++) {
        for (const [which, each] of filled.entries()) {
          const started = performance.now()
          await seal(each, 1 + Math.floor(random() * each.logs))
          times[which]?.push(performance.now() - started)
        }
      }
      if (window > 0) for (const [which, each] of filled.entries()) each.windows.push(median(times[which] as number[]))
    }
    const [least] = filled as [Filled]
    return filled.map(
      ({ logs, startMs, windows }): Measured => ({
        logs,
        startMs: Math.round(startMs),
        micros: Math.round(median(windows) * 1000),
        ratios: windows.map((each, at) => Number((each / (least.windows[at] as number)).toFixed(2))),
      }),
    )
  } finally {
    clearInterval(alive)
    for (const { store } of filled) await store.close()
    for (const drop of drops) await drop()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const counts = [1, sized(10_000, 10), sized(300_000, 100)]

export async function benchFence({ seconds, windows }: BenchOptions): Promise<BenchResult> {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const stores: Record<string, readonly Measured[]> = {}
  for (const kind of ['file', 'postgres'] as const) {
    stores[kind] = await measureStores(kind, counts, seconds * 50, windows, seed)
    for (const { logs, startMs, micros, ratios } of stores[kind]) {
      say(`${kind}, ${logs} logs: start ${startMs} ms, ${micros} µs per seal, ratios ${ratios.join(', ')}`)
    }
  }
  const [least, most] = [stores.file?.at(0), stores.file?.at(-1)] as [Measured, Measured]
  const ratio = Math.max(...Object.values(stores).map((all) => median([...(all.at(-1)?.ratios ?? [])])))
  return {
    value: most.micros,
    unit: 'µs of the store per seal at 300,000 logs',
    bare: least.micros,
    ratio,
    seed,
    stores,
  }
}
