/**
 * Approvals by two processes on one cell next to the same load on one of them, on one chain and on 64, in interleaved windows:
 * rates, waiting times, and the processor time of a seal in the servers and in PostgreSQL.
 */
import pg from 'pg'
import { openWorld } from '../support/world.ts'
import { type Cost, costOf } from './cost.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Running, say, settings, startProcess } from './place.ts'
import { callers, load, supply, type Tenant, type Window } from './seal-load.ts'
import { short, sized } from './sized.ts'

const chainCounts = [1, sized(64, 8)]

interface Measured extends Window {
  readonly micros: number
}

export async function benchTwo({ seconds, windows, profile }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  const tenants: Tenant[] = await Promise.all(
    Array.from({ length: Math.max(...chainCounts) }, async () => {
      const center = await world.center()
      return { centerId: center.id, key: await world.key(center) }
    }),
  )
  const flags = profile ? ['--cpu-prof', '--cpu-prof-dir=.dev/profile'] : []
  const env = settings(place, 'api')
  const [one, other] = [
    await startProcess('../../apps/server/main.ts', env, flags),
    await startProcess('../../apps/server/main.ts', env, flags),
  ]
  const measure = async (servers: readonly Running[], chains: number, time: number): Promise<Measured> => {
    const targets = await supply(world, tenants.slice(0, chains), Math.ceil(6000 * time) + callers, true)
    let window: Window | undefined
    const cost: Cost = await costOf(client, async () => {
      window = await load(servers, targets, time)
    })
    const done = window as unknown as Window
    return { ...done, micros: done.cpuMicros + cost.postgresMicros / done.seals }
  }
  const measured = new Map<string, Measured[]>()
  try {
    if (!short)
      for (const servers of [[one], [one, other]]) await measure(servers, chainCounts.at(-1) as number, seconds)
    for (let window = 0; window < windows; window++)
      for (const chains of chainCounts)
        for (const [name, servers] of [['one', [one]] as const, ['two', [one, other]] as const]) {
          const result = await measure(servers, chains, seconds)
          const key = `${name} ${chains}`
          measured.set(key, [...(measured.get(key) ?? []), result])
          say(
            `${chains} chains, ${name}: ${Math.round(result.perSecond)}/s, p99 ${result.p99} ms, ${Math.round(result.micros)} µs a seal`,
          )
        }
    const of = (key: string) => measured.get(key) ?? []
    const middle = (key: string, figure: keyof Measured) => Math.round(median(of(key).map((each) => each[figure])))
    /** Two over one, window by window. */
    const over = (chains: number, figure: keyof Measured) =>
      Number(
        median(
          of(`two ${chains}`).map((each, at) => each[figure] / (of(`one ${chains}`)[at] as Measured)[figure]),
        ).toFixed(3),
      )
    const [, many = 1] = chainCounts
    return {
      value: middle(`two ${many}`, 'perSecond'),
      unit: `seals/s of two processes on ${many} chains`,
      bare: middle(`one ${many}`, 'perSecond'),
      ratio: over(many, 'perSecond'),
      ratioOne: over(1, 'perSecond'),
      microsRatio: over(many, 'micros'),
      microsRatioOne: over(1, 'micros'),
      micros: middle(`two ${many}`, 'micros'),
      microsOne: middle('two 1', 'micros'),
      valueOne: middle('two 1', 'perSecond'),
      bareOne: middle('one 1', 'perSecond'),
      p99Ms: middle(`two ${many}`, 'p99'),
      bareP99Ms: middle(`one ${many}`, 'p99'),
      callers,
    }
  } finally {
    for (const server of [one, other]) await server.stop()
    await client.end()
    await world.close()
    await place.close()
  }
}
