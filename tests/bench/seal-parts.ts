/**
 * The cost of one seal, part by part, at one chain, 64 and 1,000: batches of 256 approvals go to the sequencer in this
 * process, with a part left out in turn, and the difference is the cost of the part. Directory reads are measured alone.
 */

import { readConfig } from '@countersign/server/config/config.ts'
import { approvalItem } from '@countersign/server/features/evidence/decision-events/approve.ts'
import { alarmOfSealing } from '@countersign/server/integrity/faults.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { type Sequencer, sequencer } from '@countersign/server/sealing/sequencer.ts'
import { makeTrees } from '@countersign/server/sealing/trees.ts'
import { openServices, type Services } from '@countersign/server/services.ts'
import pg from 'pg'
import { openWorld } from '../support/world.ts'
import { approval } from './bodies.ts'
import { type Cost, costOf } from './cost.ts'
import { headCosts } from './head-costs.ts'
import { noTrees } from './no-trees.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, say, settings } from './place.ts'
import { supply, type Target, type Tenant } from './seal-load.ts'
import { sized } from './sized.ts'
import { type WalShare, walByTable, walPosition, walTotal } from './wal.ts'

const batchSize = 256
/** Directory reads in flight: few enough that none waits for a connection until it fails. */
const atOnce = 64
const chainCounts = [1, sized(64, 8), sized(1000, 16)]

type Variant = 'full' | 'no signature' | 'no checkpoint row' | 'no trees'
const variants: readonly Variant[] = ['full', 'no signature', 'no checkpoint row', 'no trees']

function sequencers({ cells, logBook, log }: Services): Record<Variant, Sequencer> {
  const line = `— bench ${'A'.repeat(92)}\n`
  const keys = { ...logBook.keys, signLines: async (all: readonly unknown[]) => all.map(() => line) }
  const make = (trees: typeof makeTrees) => sequencer(cells, logBook, log, alarmOfSealing(log), { trees })
  return {
    full: make(makeTrees),
    'no signature': make((book) => makeTrees({ ...book, keys })),
    // The head is known to this process, so the missing row is not read back.
    'no checkpoint row': make((book) => ({ ...makeTrees(book), checkpoints: [] })),
    'no trees': make(noTrees),
  }
}

const voucher = { level: 'claim', by: 'key', line: ['key'], maySpeak: true, boundTo: null } as const
const given = { ...approval, voucher, channel: 'api' } as const

/** Without requests and directory reads: those are measured alone. */
async function sealAll(sealer: Sequencer, targets: readonly Target[]): Promise<void> {
  await Promise.all(
    targets.map(({ id, centerId }) => {
      const center = {
        centerId,
        cell: 'main',
        name: 'Bench',
        vertical: 'education',
        country: null,
        region: null,
        inherited: null,
      }
      const caller = { requestId: 'bench', actorId: 'key', centerId }
      return sealer.seal({ ...approvalItem(id, given, center, caller), center, caller })
    }),
  )
}

const perSeal = (cost: Cost, seals: number): Cost => ({
  serverMicros: cost.serverMicros / seals,
  postgresMicros: cost.postgresMicros / seals,
  walBytes: cost.walBytes / seals,
})

const middle = (costs: readonly Cost[]): Cost => ({
  serverMicros: median(costs.map((each) => each.serverMicros)),
  postgresMicros: median(costs.map((each) => each.postgresMicros)),
  walBytes: median(costs.map((each) => each.walBytes).filter(Number.isFinite)),
})

const minus = (a: Cost, b: Cost): Cost => ({
  serverMicros: a.serverMicros - b.serverMicros,
  postgresMicros: a.postgresMicros - b.postgresMicros,
  walBytes: a.walBytes - b.walBytes,
})

const row = (name: string, { serverMicros, postgresMicros, walBytes }: Cost): void =>
  say(
    `${name.padEnd(44)} ${serverMicros.toFixed(0).padStart(7)} ${postgresMicros.toFixed(0).padStart(7)} ${walBytes.toFixed(0).padStart(8)}`,
  )

/** Reads that a request makes when its key and its center are not in the cache. */
async function directoryCosts(services: Services, client: pg.Client, tenants: readonly Tenant[]) {
  const once = async (read: (tenant: Tenant) => unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 900))
    const all = async () => {
      for (let at = 0; at < tenants.length; at += atOnce) await Promise.all(tenants.slice(at, at + atOnce).map(read))
    }
    return perSeal(await costOf(client, all), tenants.length)
  }
  const rounds: { key: Cost[]; center: Cost[] } = { key: [], center: [] }
  for (let round = 0; round < 5; round++) {
    rounds.key.push(await once(({ key }) => services.authenticate.key(key)))
    rounds.center.push(await once(({ centerId }) => services.centers.profile(centerId)))
  }
  return { key: middle(rounds.key.slice(1)), center: middle(rounds.center.slice(1)) }
}

export async function benchSealParts({ windows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  const config = readConfig({ ...settings(place, 'api'), LOG_LEVEL: 'warn' })
  const services = openServices(config, makeLog(config))
  const most = Math.max(...chainCounts)
  const tenants: Tenant[] = []
  for (let i = 0; i < 2 * most; i++) {
    const center = await world.center()
    tenants.push({ centerId: center.id, key: await world.key(center) })
  }
  const make = sequencers(services)
  const figures: Record<string, Record<Variant | 'alone', Cost>> = {}
  const wal: Record<string, readonly WalShare[]> = {}
  try {
    for (const chains of chainCounts) {
      const measured = Object.fromEntries([...variants, 'alone'].map((name) => [name, []])) as unknown as Record<
        Variant | 'alone',
        Cost[]
      >
      const targetsOf = (variant: Variant, count: number) =>
        supply(
          world,
          variant === 'no trees' ? tenants.slice(most, most + chains) : tenants.slice(0, chains),
          count,
          true,
        )
      const run = async (variant: Variant, targets: Target[], size: number) => {
        const before = await walPosition(client)
        const cost = await costOf(client, async () => {
          for (let at = 0; at < targets.length; at += size) await sealAll(make[variant], targets.slice(at, at + size))
        })
        const shares = await walByTable(client, before, await walPosition(client))
        if (variant === 'full' && size > 1 && shares.length > 0) wal[chains] = shares
        return perSeal({ ...cost, walBytes: walTotal(shares) }, targets.length)
      }
      const rounds = Math.max(1, Math.ceil(most / batchSize))
      for (const variant of variants) await run(variant, await targetsOf(variant, batchSize * rounds), batchSize)
      for (let window = 0; window < windows; window++) {
        for (const variant of variants.toSorted(() => Math.random() - 0.5)) {
          const targets = await targetsOf(variant, batchSize * rounds)
          measured[variant].push(await run(variant, targets, batchSize))
        }
        measured.alone.push(await run('full', await targetsOf('full', 100), 1))
      }
      figures[chains] = Object.fromEntries(
        Object.entries(measured).map(([name, costs]) => [name, middle(costs)]),
      ) as Record<Variant | 'alone', Cost>
      say(`\n${chains} chains, batches of ${batchSize}; per seal    server µs  postgres µs  WAL bytes`)
      for (const [name, cost] of Object.entries(figures[chains])) row(name, cost)
      const { full, 'no signature': bareSign, 'no checkpoint row': bareRow, 'no trees': none } = figures[chains]
      row('  signature', minus(full, bareSign))
      row('  checkpoint row', minus(full, bareRow))
      row(
        '  tree, its text, and the check of the head',
        minus(minus(minus(full, none), minus(full, bareSign)), minus(full, bareRow)),
      )
      if (chains > 1) row('  heads and rows per center', minus(none, (figures[1] as (typeof figures)[1])['no trees']))
      const seals = batchSize * rounds
      for (const { part, bytes, pageImages, records } of wal[chains] ?? [])
        say(
          `  WAL ${part.padEnd(24)} ${(bytes / seals).toFixed(0).padStart(7)} bytes (${(pageImages / seals).toFixed(0)} page images), ${(records / seals).toFixed(2)} records`,
        )
    }
    const directory = await directoryCosts(services, client, tenants.slice(0, most))
    say('\nper directory read')
    row('  key', directory.key)
    row('  center profile', directory.center)
    const heads = await headCosts(
      place.url,
      tenants.slice(0, batchSize).map(({ centerId }) => centerId),
    )
    say('\nper row, in a statement of 256')
    for (const [name, cost] of Object.entries(heads)) row(`  ${name}`, cost)
    const total = ({ serverMicros, postgresMicros }: Cost) => serverMicros + postgresMicros
    const at = (chains: number) => total((figures[chains] as Record<Variant, Cost>).full)
    return {
      value: Math.round(at(most)),
      unit: 'µs of processor time per seal at 1,000 chains, without HTTP',
      bare: Math.round(at(1)),
      ratio: Number((at(most) / at(1)).toFixed(2)),
      figures,
      directory,
      heads,
      wal,
    }
  } finally {
    await services.close()
    await client.end()
    await world.close()
    await place.close()
  }
}
