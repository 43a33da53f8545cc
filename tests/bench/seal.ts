/**
 * POST /api/v1/decision-events/{id}/approvals by one API process, on one chain, 64 and 1,000, with an Idempotency-Key, and
 * by two processes; next to a bare route, to the engine run bare, to the same server with a row lock per request, and to one
 * without trees, signatures and receipts: same load, interleaved windows, Redis and autovacuum on.
 */
import pg from 'pg'
import { openWorld } from '../support/world.ts'
import { type Cost, costOf } from './cost.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Running, say, settings, startProcess } from './place.ts'
import { callers, load, supply, type Tenant, type Window } from './seal-load.ts'
import { short, sized } from './sized.ts'
import { walByTable, walPosition, walTotal } from './wal.ts'

const mostChains = sized(1000, 64)
const mostUnsigned = sized(64, 8)

const runs = [
  ['bare', 1],
  ['bare', 64],
  ['engine', 1],
  ['engine', 64],
  ['ours', 1],
  ['ours', 64],
  ['ours', 1000],
  ['keyed', 1],
  ['two', 1],
  ['two', 64],
  ['unsigned', 1],
  ['unsigned', 64],
  ['locked', 1],
  ['locked', 64],
] as const
type Name = (typeof runs)[number][0]

interface Measured extends Window {
  readonly postgresMicros: number
  /** Of this database, where it was read. */
  readonly walBytes: number
  /** Of the whole cluster: the same if no other database is written to. */
  readonly walBytesCluster: number
}

export async function benchSeal({ seconds, windows, profile }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  const autovacuum = (await client.query('show autovacuum')).rows[0]?.autovacuum
  if (autovacuum !== 'on')
    throw new Error('autovacuum is off; set "autovacuum = on" in PostgreSQL and run the bench again')
  const tenants: Tenant[] = await Promise.all(
    Array.from({ length: mostChains + mostUnsigned }, async () => {
      const center = await world.center()
      return { centerId: center.id, key: await world.key(center) }
    }),
  )
  const env = settings(place, 'api')
  const flags = profile ? ['--cpu-prof', '--cpu-prof-dir=.dev/profile'] : []
  const main = () => startProcess('../../apps/server/main.ts', env, flags)
  const [ours, second] = [await main(), await main()]
  const servers: Record<Name, readonly Running[]> = {
    bare: [await startProcess('./bare-approval.process.ts', {})],
    engine: [await startProcess('./bare-engine.process.ts', { DATABASE_URL: place.url })],
    ours: [ours],
    keyed: [ours],
    two: [ours, second],
    unsigned: [await startProcess('./unsigned.process.ts', env)],
    locked: [await startProcess('./row-lock.process.ts', env)],
  }
  /** The best rate so far, by which events are supplied: a server that runs out ends the measurement. */
  const best = new Map<Name, number>()
  const measure = async (name: Name, chains: number, time: number): Promise<Measured> => {
    // The server without trees gets separate chains: a signing server would first build the missing trees.
    const from = name === 'unsigned' ? mostChains : 0
    // Neither reference reads events.
    const stored = name !== 'bare' && name !== 'engine'
    const enough = stored ? Math.max(2 * (best.get(name) ?? 0), name === 'locked' ? 1500 : 6000) : 60_000
    const targets = await supply(world, tenants.slice(from, from + chains), Math.ceil(enough * time) + callers, stored)
    let window: Window | undefined
    const before = await walPosition(client)
    const cost: Cost = await costOf(client, async () => {
      window = await load(servers[name], targets, time, name === 'keyed')
    })
    const done = window as unknown as Window
    best.set(name, Math.max(best.get(name) ?? 0, done.perSecond))
    const wal = name === 'ours' ? walTotal(await walByTable(client, before, await walPosition(client))) : Number.NaN
    return {
      ...done,
      postgresMicros: cost.postgresMicros / done.seals,
      walBytes: wal / done.seals,
      walBytesCluster: cost.walBytes / done.seals,
    }
  }
  const measured: Record<string, Measured[]> = {}
  try {
    if (!short) for (const name of Object.keys(servers) as Name[]) await measure(name, 64, 1)
    for (let window = 0; window < windows; window++) {
      for (const [name, chains] of runs) {
        const result = await measure(name, Math.min(chains, name === 'unsigned' ? mostUnsigned : mostChains), seconds)
        const key = `${name} ${chains}`
        measured[key] = [...(measured[key] ?? []), result]
        say(
          `${chains} chains, ${name}: ${Math.round(result.perSecond)}/s, p99 ${result.p99} ms, server ${Math.round(result.cpuMicros)} µs, PostgreSQL ${Math.round(result.postgresMicros)} µs, WAL ${Math.round(result.walBytesCluster)}`,
        )
      }
    }
    return results(measured)
  } finally {
    for (const server of new Set(Object.values(servers).flat())) await server.stop()
    await client.end()
    await world.close()
    await place.close()
  }
}

function results(measured: Readonly<Record<string, readonly Measured[]>>): BenchResult {
  const of = (run: string, figure: keyof Measured) =>
    median((measured[run] ?? []).map((window) => window[figure]).filter(Number.isFinite))
  const round = (value: number) => Number(value.toFixed(3))
  const rate = (run: string) => Math.round(of(run, 'perSecond'))
  const micros = ({ cpuMicros, postgresMicros }: Measured) => cpuMicros + postgresMicros
  /** The median of the ratios of windows, because two figures of one window share the machine's pace. */
  const over = (own: string, other: string, figure: (window: Measured) => number = ({ perSecond }) => perSecond) =>
    round(median((measured[own] ?? []).map((window, at) => figure(window) / figure(measured[other]?.[at] as Measured))))
  return {
    value: rate('ours 1'),
    unit: 'seals/s',
    bare: rate('bare 1'),
    ratio: over('ours 1', 'bare 1'),
    ratio64: over('ours 64', 'bare 64'),
    value64: rate('ours 64'),
    value1000: rate('ours 1000'),
    engine: rate('engine 1'),
    engine64: rate('engine 64'),
    ratioEngine: over('ours 1', 'engine 1'),
    ratioEngine64: over('ours 64', 'engine 64'),
    cost1000: over('ours 1000', 'ours 1', micros),
    cost64: over('ours 64', 'ours 1', micros),
    walBytes: Math.round(of('ours 1', 'walBytes')),
    walBytesCluster: Math.round(of('ours 1', 'walBytesCluster')),
    walBytes1000: Math.round(of('ours 1000', 'walBytes')),
    keyed: rate('keyed 1'),
    ratioKeyed: over('keyed 1', 'ours 1'),
    twoProcesses: rate('two 1'),
    twoProcesses64: rate('two 64'),
    locked: rate('locked 1'),
    locked64: rate('locked 64'),
    overLocked: over('ours 1', 'locked 1'),
    overLocked64: over('ours 64', 'locked 64'),
    unsigned: rate('unsigned 1'),
    unsigned64: rate('unsigned 64'),
    overUnsigned: over('ours 1', 'unsigned 1'),
    overUnsigned64: over('ours 64', 'unsigned 64'),
    unsignedCpuMicros: Math.round(of('unsigned 1', 'cpuMicros')),
    p99Ms: of('ours 1', 'p99'),
    p99Ms64: of('ours 64', 'p99'),
    p99Ms1000: of('ours 1000', 'p99'),
    cpuMicros: Math.round(of('ours 1', 'cpuMicros')),
    cpuMicros64: Math.round(of('ours 64', 'cpuMicros')),
    cpuMicros1000: Math.round(of('ours 1000', 'cpuMicros')),
    postgresMicros: Math.round(of('ours 1', 'postgresMicros')),
    postgresMicros64: Math.round(of('ours 64', 'postgresMicros')),
    postgresMicros1000: Math.round(of('ours 1000', 'postgresMicros')),
    bareCpuMicros: Math.round(of('bare 1', 'cpuMicros')),
    autovacuum: 'on',
    callers,
  }
}
