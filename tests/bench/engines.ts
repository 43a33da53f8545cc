/**
 * `npm run bench -- engines [--rows N]`: the same workflow of three steps on our runner, on pg-boss jobs, on DBOS and on
 * Temporal's server, one after another on one machine, each with a database of its own in one cluster with fsync: a burst of N
 * (10,000), thirty one by one, and a thousand with kill -9 of both workers in turn, and of the server where there is one.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseUrl, freePort, startEmbedded, withClient } from '../../tools/postgres.ts'
import { dbosEngine, type Engine, type Opened, oursEngine, pgBossEngine, temporalEngine } from './engines/drivers.ts'
import { ledgerSql } from './engines/steps.ts'
import { type EngineWorker, startWorker } from './engines/worker.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { say } from './place.ts'
import { short } from './sized.ts'

const usualRows = 1_000_000
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const round = (value: number, digits = 0) => Math.round(value * 10 ** digits) / 10 ** digits
const idsOf = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`)

interface Site {
  readonly url: string
  readonly opened: Opened
  ask<T>(sql: string, values?: unknown[]): Promise<T>
}

const stepsOf = (site: Site, prefix: string) =>
  site.ask<{ steps: number; ended: number }>(
    `select count(*)::int as steps, count(distinct execution) filter (where step = 3)::int as ended
       from public.engine_steps where execution like $1 || '-%'`,
    [prefix],
  )

/** Waits until so many have ended; gives up after a minute without progress. */
async function untilEnded(site: Site, prefix: string, count: number): Promise<number> {
  let [last, movedAt] = [0, Date.now()]
  while (last < count && Date.now() - movedAt < 60_000) {
    const ended = await site.opened.ended(prefix, async () => (await stepsOf(site, prefix)).ended)
    if (ended > last) movedAt = Date.now()
    last = ended
    await pause(100)
  }
  return last
}

async function burst(site: Site, worker: EngineWorker, count: number) {
  const bytesBefore = await site.opened.bytes()
  const [cpuBefore, serverBefore] = [worker.cpuSeconds(), site.opened.server?.cpuSeconds() ?? 0]
  const startedAt = performance.now()
  await worker.start(idsOf('burst', count))
  const acceptedIn = performance.now() - startedAt
  const ended = await untilEnded(site, 'burst', count)
  const seconds = (performance.now() - startedAt) / 1000
  return {
    executions: count,
    lost: count - ended,
    acceptedPerSecond: round((1000 * count) / acceptedIn),
    endedPerSecond: round(ended / seconds, 1),
    seconds: round(seconds, 1),
    workerCpuMsEach: round((1000 * (worker.cpuSeconds() - cpuBefore)) / count, 2),
    serverCpuMsEach: round((1000 * ((site.opened.server?.cpuSeconds() ?? 0) - serverBefore)) / count, 2),
    bytesEach: round(((await site.opened.bytes()) - bytesBefore) / count),
    workerMb: worker.residentMb(),
    serverMb: site.opened.server?.residentMb() ?? 0,
  }
}

async function oneByOne(site: Site, worker: EngineWorker) {
  const times: number[] = []
  for (const id of idsOf('single', 30)) {
    const startedAt = Date.now()
    await worker.start([id])
    for (let tries = 0; tries < 3000; tries++) {
      const found = await site.ask<{ at: Date } | undefined>(
        'select at from public.engine_steps where execution = $1 and step = 3',
        [id],
      )
      if (found) {
        times.push(found.at.getTime() - startedAt)
        break
      }
      await pause(10)
    }
  }
  times.sort((a, b) => a - b)
  return { medianMs: times[Math.floor(times.length / 2)] ?? null, worstMs: times.at(-1) ?? null }
}

/** Steps that take a while, so that a kill always hits some. */
const slowly = (site: Site) => ({ ...site.opened.env, STEP_MS: '300' })

async function underKills(site: Site, workers: EngineWorker[], count: number) {
  const startedAt = performance.now()
  const passed = async (share: number) => {
    while ((await stepsOf(site, 'killed')).steps < 3 * count * share) await pause(10)
  }
  const killWorker = async (slot: number) => {
    await workers[slot]?.kill()
    await pause(2000)
    workers[slot] = await startWorker(site.opened.file, slowly(site), slot)
  }
  const starting = workers[1]?.start(idsOf('killed', count))
  await passed(0.2)
  await killWorker(0)
  await starting
  await Promise.all([killWorker(1), site.opened.server?.restart()])
  const ended = await untilEnded(site, 'killed', count)
  const found = await site.ask<{ repeated: number; pause: number }>(
    `with s as (select execution, step, count(*) as times, min(at) as at from public.engine_steps
       where execution like 'killed-%' group by 1, 2),
     gaps as (select at - lag(at) over (partition by execution order by step) as gap from s)
     select (select coalesce(sum(times - 1), 0)::int from s) as repeated,
       (select coalesce(extract(epoch from max(gap)), 0)::float8 from gaps) as pause`,
  )
  return {
    executions: count,
    lost: count - ended,
    repeatedSteps: found.repeated,
    longestPauseSeconds: round(found.pause, 1),
    seconds: round((performance.now() - startedAt) / 1000, 1),
  }
}

async function measure(engine: Engine, clusterUrl: string, count: number) {
  const name = `engine_${engine.name.replaceAll(/\W/g, '_').toLowerCase()}`
  await withClient(clusterUrl, (client) => client.query(`create database ${name}`))
  const url = databaseUrl(clusterUrl, name)
  const opened = await engine.open(url)
  const workers: EngineWorker[] = []
  try {
    await withClient(url, (client) => client.query(ledgerSql))
    const ask = <T>(sql: string, values: unknown[] = []) =>
      withClient(url, async (client) => (await client.query(sql, values)).rows[0] as T)
    const site: Site = { url, opened, ask }
    const load = round(loadavg()[0] ?? 0, 1)
    workers.push(await startWorker(opened.file, opened.env, 0))
    const single = await oneByOne(site, workers[0] as EngineWorker)
    const all = await burst(site, workers[0] as EngineWorker, count)
    say(`${engine.name}: ${JSON.stringify({ ...all, ...single })}`)
    await workers.pop()?.kill()
    for (const slot of [0, 1]) workers.push(await startWorker(opened.file, slowly(site), slot))
    const kills = await underKills(site, workers, Math.min(1000, count))
    say(`${engine.name}: ${JSON.stringify(kills)}`)
    return { engine: engine.name, version: engine.version, load, burst: all, single, kills }
  } finally {
    for (const worker of workers) await worker.kill()
    await opened.close()
  }
}

type Measured =
  | Awaited<ReturnType<typeof measure>>
  | { readonly engine: string; readonly version: string; readonly failure: string }

export async function benchEngines({ rows }: BenchOptions): Promise<BenchResult> {
  const count = rows === usualRows ? 10_000 : rows
  const folder = await mkdtemp(join(tmpdir(), 'countersign-engines-'))
  const postgres = await startEmbedded(folder, { port: await freePort(), auth: 'trust' })
  const only = process.env.ENGINES?.split(',')
  try {
    const engines: Measured[] = []
    for (const engine of short ? [oursEngine, pgBossEngine] : [oursEngine, pgBossEngine, dbosEngine, temporalEngine]) {
      if (only && !only.includes(engine.name)) continue
      try {
        engines.push(await measure(engine, postgres.url, count))
      } catch (error) {
        say(`${engine.name} could not be measured: ${error}`)
        engines.push({ engine: engine.name, version: engine.version, failure: String(error).slice(0, 500) })
      }
    }
    const rateOf = (name: string) =>
      engines.flatMap((each) => (each.engine === name && 'burst' in each ? [each.burst.endedPerSecond] : []))[0] ?? 0
    const [value, bare] = [rateOf('ours'), rateOf('pg-boss')]
    return { value, unit: 'executions/s', bare, ratio: round(value / (bare || 1), 2), engines }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
