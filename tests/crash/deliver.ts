/**
 * Kills workers while they deliver, at every step and at random, and the database under them. Events are published all the
 * while to consumers that refuse a third. At the end every acknowledged event has arrived, and every repeat is explained.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { databaseUrl, freePort, startEmbedded, withClient } from '../../tools/postgres.ts'
import { say } from '../bench/place.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import { duplicateJudge, ledgerFaults, longestSilenceMs, rowFaults, silences } from './deliver-judge.ts'
import {
  dieAt,
  failpoints,
  type Ground,
  note,
  openGround,
  pause,
  publish,
  register,
  workerSettings,
} from './deliver-setup.ts'
import { type KillableServer, startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { environmentFor } from './seal.ts'
import { crash, restart } from './seal-postgres.ts'
import type { Progress } from './webhook-consumer.process.ts'

type Judge = ReturnType<typeof duplicateJudge>

const expectedOf = ({ acknowledged }: Ground): number =>
  [...acknowledged.values()].reduce((sum, { endpoints }) => sum + endpoints, 0)

/** Asks the consumer for its progress, and judges the requests since the last question. */
async function look(ground: Ground, judge: Judge): Promise<Progress> {
  const progress = await ground.ask('progress')
  for (const fault of [...progress.faults, ...judge.judge(progress.again)]) ground.fault(fault)
  return progress
}

/** Waits until every acknowledged event was taken, or until none was for this long. */
async function untilTaken(ground: Ground, judge: Judge, patienceMs: number): Promise<Progress> {
  let last = await look(ground, judge)
  let movedAt = Date.now()
  while (last.taken < expectedOf(ground) && Date.now() - movedAt < patienceMs) {
    await pause(250)
    const now = await look(ground, judge)
    if (now.taken > last.taken) movedAt = Date.now()
    last = now
  }
  return last
}

/** Waits until the last deliveries are recorded. */
async function untilRecorded({ world, center }: Ground, patienceMs: number): Promise<void> {
  const end = Date.now() + patienceMs
  while (Date.now() < end) {
    const [row] = await world.query<{ open: number }>(
      'select count(*)::int as open from cell.webhook_deliveries where center_id = $1 and next_at is not null',
      [center.id],
    )
    if (row?.open === 0) return
    await pause(250)
  }
}

/** All faults at the end, and the figures. */
export async function verdict(ground: Ground, judge: Judge) {
  const { requests, refused, verified } = await untilTaken(ground, judge, 2 * longestSilenceMs)
  await untilRecorded(ground, 2 * longestSilenceMs)
  const ledger = await ground.ask('ledger')
  const silent = silences(ground, ledger)
  const { faults, rows } = await rowFaults(ground)
  const found = [...ledgerFaults(ground, ledger), ...faults]
  for (const { ms, endpoint, after } of silent) {
    if (ms > longestSilenceMs) found.push(`endpoint ${endpoint} received no request for ${ms} ms after ${after}`)
  }
  if (verified === 0) found.push('no signature was checked')
  for (const fault of found) ground.fault(fault)
  const duplicates = judge.result()
  return {
    ...{ requests, refused, verified, ...rows },
    duplicates: duplicates.total,
    mostDuplicatesOfOneKillAtOneEndpoint: duplicates.most,
    longestSilenceSeconds: (silent[0]?.ms ?? 0) / 1000,
    longestSilenceAfter: silent[0]?.after ?? null,
  }
}

/** The workers, and the next failpoint to kill at. */
interface Field {
  readonly ground: Ground
  readonly workers: KillableServer[]
  readonly random: () => number
  /** Kills so far. */
  kills: number
}

/** Kills at a random moment under load; the replacement dies at a failpoint, and the next one lives. */
async function killTwice(field: Field, slot: number, round: number, events: number): Promise<void> {
  const { ground, workers, random } = field
  const failpoint = failpoints[Math.floor(field.kills / 2) % failpoints.length] as (typeof failpoints)[0]
  field.kills += 2
  const first = publish(ground, Math.ceil(events / 2))
  await pause(100 + random() * 1500)
  await workers[slot]?.stop()
  await note(ground, `kill at random, round ${round}`, round)
  const second = publish(ground, Math.floor(events / 2))
  await dieAt(ground, failpoint)
  await note(ground, `kill at ${failpoint}, round ${round}`, round)
  workers[slot] = await startKillable(ground.workerEnvironment)
  await Promise.all([first, second])
}

/** Uses a separate cluster, so that the test can kill it. */
async function openCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-chaos-'))
  const port = await freePort()
  let postgres = await startEmbedded(folder, { port, auth: 'trust' })
  await withClient(postgres.url, (client) => client.query('create database chaos'))
  const url = databaseUrl(postgres.url, 'chaos')
  await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
  return {
    url,
    async crash() {
      await crash(folder)
      postgres = await restart(folder, port)
    },
    async close() {
      await postgres.stop().catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A lease is valid for at least this long: a database that returns earlier causes no repeat. */
const shortestLeaseMs = 4000

async function crashUnderLoad(field: Field, cluster: { crash(): Promise<void> }, round: number, events: number) {
  const { ground, random } = field
  const publishing = publish(ground, events)
  await pause(300 + random() * 1500)
  const from = Date.now()
  await cluster.crash()
  const away = Date.now() - from
  await note(ground, `crash of the database, round ${round}`, round, away >= shortestLeaseMs)
  say(`round ${round}: the database crashed and was away for ${away} ms`)
  await publishing
}

/** `rounds` is the number of workers to kill. */
export async function chaosDeliver({ seed, rounds: kills, more }: ChaosOptions): Promise<ChaosResult> {
  const { events = 2000, endpoints = 50, crashes = 3 } = more
  const started = Date.now()
  const random = seededRandom(seed)
  const cluster = await openCluster()
  const environment = environmentFor(cluster.url)
  const api = await startKillable({ ...environment, ...workerSettings, ROLE: 'api' })
  const world = await openWorld(cluster.url)
  const ground = await openGround({ world, api: openClient(api.url), environment, endpoints, seed })
  const workers: KillableServer[] = []
  try {
    await register(ground, endpoints)
    for (let i = 0; i < 2; i++) workers.push(await startKillable(ground.workerEnvironment))
    const field: Field = { ground, workers, random, kills: 0 }
    const judge = duplicateJudge(ground)
    const share = Math.max(1, Math.floor(events / (kills + crashes)))
    let crashed = 0
    for (let round = 1; field.kills < kills; round++) {
      if (field.kills * (crashes + 1) >= (crashed + 1) * kills && crashed < crashes) {
        crashed++
        await crashUnderLoad(field, cluster, round, share)
      } else {
        const one = Math.floor(random() * 2)
        const both = random() < 0.5 && kills - field.kills >= 4
        const slots = both ? [one, 1 - one] : [one]
        await Promise.all(slots.map((slot) => killTwice(field, slot, round, 2 * share)))
      }
      const { taken, requests } = await untilTaken(ground, judge, longestSilenceMs)
      say(
        `round ${round}: ${field.kills} kills, ${crashed} crashes, ${taken} of ${expectedOf(ground)} taken in ${requests} requests, ${judge.result().total} twice, ${ground.faults.length} faults so far`,
      )
    }
    await publish(ground, Math.max(0, events - ground.published.size))
    const figures = await verdict(ground, judge)
    const seconds = Math.round((Date.now() - started) / 1000)
    const load = loadavg().map((each) => Math.round(each * 10) / 10)
    const made = { events: ground.acknowledged.size, endpoints, kills: field.kills, crashes: crashed }
    const faults = ground.faults.length
    return { rounds: kills, violations: faults, faults, ...made, ...figures, seconds, load }
  } finally {
    for (const server of [...workers, api]) await server.stop()
    await ground.close()
    await world.close()
    await cluster.close()
  }
}
