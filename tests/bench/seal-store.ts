/**
 * What the fence store adds to sealing by POST /api/v1/decision-events/{id}/approvals: one API process with a store in a file
 * and one without a store, each on a database of its own, in interleaved windows, on one chain and on 64.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorld } from '../support/world.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, say, settings, startProcess } from './place.ts'
import { load, supply, type Tenant, type Window } from './seal-load.ts'
import { sized } from './sized.ts'

const most = sized(64, 8)

async function open(name: string, fence: string) {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const tenants: Tenant[] = await Promise.all(
    Array.from({ length: most }, async () => {
      const center = await world.center()
      return { centerId: center.id, key: await world.key(center) }
    }),
  )
  const server = await startProcess('../../apps/server/main.ts', { ...settings(place, 'api'), TLOG_FENCE: fence })
  return {
    name,
    async measure(chains: number, seconds: number): Promise<Window> {
      const targets = await supply(world, tenants.slice(0, chains), 5000 * seconds, true)
      return load([server], targets, seconds)
    },
    async close() {
      await server.stop()
      await world.close()
      await place.close()
    },
  }
}

export async function benchSealStore({ seconds, windows }: BenchOptions): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-store-'))
  const sides = [await open('without', 'none'), await open('with', folder)] as const
  const measured = new Map<string, Window[]>()
  try {
    for (const side of sides) await side.measure(most, 1)
    for (let window = 0; window < windows; window++) {
      for (const chains of [1, most]) {
        // The order changes, because the second of two windows may run on a warmer or a busier machine.
        for (const side of window % 2 === 0 ? sides : sides.toReversed()) {
          const result = await side.measure(chains, seconds)
          const key = `${side.name} ${chains}`
          measured.set(key, [...(measured.get(key) ?? []), result])
          say(
            `${chains} chains, ${side.name} a store: ${Math.round(result.perSecond)}/s, server ${Math.round(result.cpuMicros)} µs`,
          )
        }
      }
    }
  } finally {
    for (const side of sides) await side.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const of = (key: string, figure: 'perSecond' | 'cpuMicros') => (measured.get(key) ?? []).map((each) => each[figure])
  const ratios = (chains: number, figure: 'perSecond' | 'cpuMicros') => {
    const without = of(`without ${chains}`, figure)
    return of(`with ${chains}`, figure).map((value, n) => Number((value / (without[n] as number)).toFixed(3)))
  }
  return {
    value: Math.round(median(of('with 1', 'perSecond'))),
    unit: 'seals/s with a store, one chain',
    bare: Math.round(median(of('without 1', 'perSecond'))),
    ratio: median(ratios(1, 'perSecond')),
    ratios: ratios(1, 'perSecond'),
    ratio64: median(ratios(most, 'perSecond')),
    ratios64: ratios(most, 'perSecond'),
    cpu: median(ratios(1, 'cpuMicros')),
    cpu64: median(ratios(most, 'cpuMicros')),
  }
}
