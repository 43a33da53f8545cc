/**
 * Nine centers that seal, while another transaction holds the chain head of a tenth for eight seconds and the tenth keeps
 * sealing; next to the same load without the lock, in interleaved windows.
 */
import pg from 'pg'
import { openWorld } from '../support/world.ts'
import { errorsOf } from './neighbour.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, percentile, say, settings, startProcess } from './place.ts'
import { sized } from './sized.ts'
import type { SteadyLoad, SteadyResult } from './steady-callers.process.ts'

const others = 9
const perSecond = 45
/** Requests of the center whose head is locked. */
const lockedPerSecond = 5
const heldSeconds = sized(8, 2)

/** Holds the chain head of a center until the work is done. */
export async function withHeadLocked<T>(url: string, centerId: number, work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  try {
    await holder.query('begin')
    const held = await holder.query(
      `select from cell.chain_heads where center_id = $1 and domain = 'proof' for update`,
      [centerId],
    )
    if (held.rowCount !== 1) throw new Error(`center ${centerId} has no chain head to lock`)
    return await work()
  } finally {
    await holder.end()
  }
}

export async function benchLockedHead({ windows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const keys = await Promise.all(Array.from({ length: others }, async () => world.key(await world.center())))
  const locked = await world.center()
  const lockedKey = await world.key(locked)
  // A seal that fails is counted below; its stack trace would fill the terminal.
  const server = await startProcess('../../apps/server/main.ts', { ...settings(place, 'api'), LOG_LEVEL: 'fatal' })
  const callers = await startProcess('./steady-callers.process.ts', {})
  const stuck = await startProcess('./steady-callers.process.ts', {})
  const load = { url: server.url, kind: 'decide' } as const
  const run = async (seconds: number): Promise<[SteadyResult, SteadyResult]> =>
    Promise.all([
      callers.ask<SteadyResult>({ ...load, keys, perSecond, seconds } satisfies SteadyLoad),
      stuck.ask<SteadyResult>({ ...load, keys: [lockedKey], perSecond: lockedPerSecond, seconds } satisfies SteadyLoad),
    ])
  const latencies: { free: number[]; held: number[] } = { free: [], held: [] }
  const own: Record<string, number> = {}
  let errors = 0
  try {
    await run(2)
    for (let window = 0; window < windows; window++) {
      for (const kind of ['free', 'held'] as const) {
        let freed: Promise<unknown> = Promise.resolve()
        const [rest, stuckOnes] =
          kind === 'free'
            ? await run(heldSeconds)
            : await new Promise<[SteadyResult, SteadyResult]>((resolve, reject) => {
                // The lock ends after its time, not with the answers that wait for it.
                freed = withHeadLocked(place.url, locked.id, async () => {
                  run(heldSeconds).then(resolve, reject)
                  await new Promise((done) => setTimeout(done, 1000 * heldSeconds))
                })
                freed.catch(reject)
              })
        await freed
        latencies[kind].push(...rest.latencies)
        errors += errorsOf(rest)
        if (kind === 'held')
          for (const [status, count] of Object.entries(stuckOnes.statuses)) own[status] = (own[status] ?? 0) + count
        say(
          `window ${window + 1}, ${kind}: p50 ${percentile(rest.latencies, 0.5).toFixed(1)} ms, p99 ${percentile(rest.latencies, 0.99).toFixed(1)} ms, ${JSON.stringify(rest.statuses)}; the locked center ${JSON.stringify(stuckOnes.statuses)}`,
        )
      }
    }
    const round = (value: number) => Number(value.toFixed(2))
    const p99 = round(percentile(latencies.held, 0.99))
    const p99Free = round(percentile(latencies.free, 0.99))
    return {
      value: p99,
      unit: 'ms, p99 of the other centers while one chain head is locked',
      bare: p99Free,
      ratio: round(p99 / p99Free),
      moreMs: round(p99 - p99Free),
      p50: round(percentile(latencies.held, 0.5)),
      p50Free: round(percentile(latencies.free, 0.5)),
      errors,
      lockedCenter: own,
      samples: latencies.held.length,
      heldSeconds,
      others,
      perSecond,
    }
  } finally {
    for (const each of [callers, stuck, server]) await each.stop()
    await world.close()
    await place.close()
  }
}
