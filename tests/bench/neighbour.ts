/**
 * Twenty quiet centers that record and seal, alone, beside one center with 256 callers and bodies of 1 MB, and beside one that
 * downloads its chain over 8 connections, in interleaved windows. Rate limits are off, so that fairness is measured; the bounds on bytes and requests in progress have
 * their defaults.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openWorld } from '../support/world.ts'
import type { GreedyLoad, GreedyResult } from './greedy-callers.process.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, percentile, type Running, say, settings, startProcess } from './place.ts'
import { sized } from './sized.ts'
import type { SteadyLoad, SteadyResult } from './steady-callers.process.ts'

const quietCenters = 20
const perSecond = 100
const callers = 256
const bytes = 990_000
const readers = 8
const chainLength = sized(2000, 100)

const kinds = ['alone', 'record', 'decide', 'read'] as const
type Kind = (typeof kinds)[number]

/** A quiet center gets 2xx, always. */
export const errorsOf = ({ statuses }: Pick<SteadyResult, 'statuses'>): number =>
  Object.entries(statuses).reduce((sum, [status, count]) => sum + (/^2\d\d$/.test(status) ? 0 : count), 0)

const added = (sum: Record<string, number>, statuses: GreedyResult): Record<string, number> => {
  for (const [status, count] of Object.entries(statuses)) sum[status] = (sum[status] ?? 0) + count
  return sum
}

export async function benchNeighbour({ seconds, windows, profile }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const keys = await Promise.all(Array.from({ length: quietCenters }, async () => world.key(await world.center())))
  const noisyKey = await world.key(await world.center())
  const flags = profile ? ['--cpu-prof', '--cpu-prof-dir=.dev/profile'] : []
  const server = await startProcess('../../apps/server/main.ts', settings(place, 'api'), flags)
  const quiet = await startProcess('./steady-callers.process.ts', {})
  const noisy = await startProcess('./greedy-callers.process.ts', {})
  const { url } = server
  const steady = (time: number): Promise<SteadyResult> =>
    quiet.ask({ url, keys, perSecond, seconds: time, kind: 'record and approve' } satisfies SteadyLoad)
  const beside = async <T>(kind: Kind, work: () => Promise<T>): Promise<{ result: T; noise: GreedyResult }> => {
    if (kind === 'alone') return { result: await work(), noise: {} }
    await noisy.ask({
      url,
      key: noisyKey,
      callers: kind === 'read' ? readers : callers,
      bytes,
      kind,
    } satisfies GreedyLoad)
    // The pressure is full when the window begins.
    await sleep(500)
    const result = await work()
    return { result, noise: await noisy.ask<GreedyResult>('stop') }
  }
  const latencies: Record<Kind, number[]> = { alone: [], record: [], decide: [], read: [] }
  const lateness: number[] = []
  const noise: Record<Exclude<Kind, 'alone'>, Record<string, number>> = { record: {}, decide: {}, read: {} }
  const failed: Record<string, number> = {}
  /** The share of one processor that the server used. */
  const shares: Record<Kind, number[]> = { alone: [], record: [], decide: [], read: [] }
  let errors = 0
  try {
    // A chain that is worth downloading.
    await quiet.ask({
      url,
      keys: [noisyKey],
      perSecond: 200,
      seconds: chainLength / 200,
      kind: 'decide',
    } satisfies SteadyLoad)
    await steady(2)
    for (const kind of kinds) await beside(kind, () => steady(1))
    await settle(server, keys[0] as string)
    for (let window = 0; window < windows; window++) {
      for (const kind of kinds) {
        const { result, noise: sent } = await beside(kind, async () => {
          const [cpu, began] = [server.cpuSeconds(), performance.now()]
          const answered = await steady(seconds)
          shares[kind].push((1000 * (server.cpuSeconds() - cpu)) / (performance.now() - began))
          return answered
        })
        latencies[kind].push(...result.latencies)
        lateness.push(...result.lateness)
        errors += errorsOf(result)
        added(failed, Object.fromEntries(Object.entries(result.statuses).filter(([status]) => !/^2/.test(status))))
        if (kind !== 'alone') added(noise[kind], sent)
        const p99 = percentile(result.latencies, 0.99)
        say(
          `window ${window + 1}, ${kind}: p50 ${percentile(result.latencies, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, server ${shares[kind].at(-1)?.toFixed(2)} of a core, ${JSON.stringify(result.statuses)}; noisy ${JSON.stringify(sent)}`,
        )
        await settle(server, keys[0] as string)
      }
    }
    const round = (value: number) => Number(value.toFixed(2))
    const p99 = (kind: Kind) => round(percentile(latencies[kind], 0.99))
    const p99Alone = p99('alone')
    const p99With = Math.max(p99('record'), p99('decide'), p99('read'))
    return {
      value: p99With,
      unit: 'ms, p99 of quiet centers beside a noisy one',
      bare: p99Alone,
      ratio: round(p99With / p99Alone),
      p99Ratio: round(p99With / p99Alone),
      p99Alone,
      p99With,
      p99Record: p99('record'),
      p99Decide: p99('decide'),
      p50Alone: round(percentile(latencies.alone, 0.5)),
      p50Record: round(percentile(latencies.record, 0.5)),
      p50Decide: round(percentile(latencies.decide, 0.5)),
      p50Read: round(percentile(latencies.read, 0.5)),
      p99Read: p99('read'),
      errors,
      failed,
      noisy: noise,
      serverCores: Object.fromEntries(kinds.map((kind) => [kind, round(median(shares[kind]))])),
      samples: latencies.alone.length,
      /** How late the generator itself was, p99. */
      lateness: round(percentile(lateness, 0.99)),
      quietCenters,
      perSecond,
      callers,
      readers,
      bytes,
    }
  } finally {
    for (const each of [noisy, quiet, server]) await each.stop()
    await world.close()
    await place.close()
  }
}

/** Waits until the server has finished what the noisy center sent. */
async function settle({ url }: Running, key: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const began = performance.now()
    await fetch(`${url}/api/v1/decision-events?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    if (performance.now() - began < 20) return
    await sleep(100)
  }
}
