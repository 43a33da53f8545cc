/**
 * Whole-chain verification of a million entries by the server's code, next to SQL that only hashes the same rows, the
 * minimum work of any verifier, and to a Node process that copies them out and hashes them. Each reads through one
 * connection, in alternation.
 */
import { randomBytes } from 'node:crypto'
import { withClient } from '../../tools/postgres.ts'
import { openWorld } from '../support/world.ts'
import type { BareVerified } from './bare-verify.process.ts'
import { benchLog, fillChain } from './chains.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Running, say, startProcess } from './place.ts'
import type { Verified } from './verify.process.ts'

/** Limits the heap, so that garbage that V8 has not collected yet does not count as memory use. */
const nodeFlags = ['--max-semi-space-size=4']

const bareScan = `
  select count(*)::integer as n from cell.chain_entries where center_id = $1 and domain = 'proof'
    and hash = 'sha256:' || encode(sha256(convert_to(content || coalesce(previous_hash, '') || sealed_at, 'UTF8')), 'hex')`

/** With or without the parallel workers that the planner would add: the verifier uses none. */
async function hashInSql(url: string, centerId: number, entries: number, parallel: boolean): Promise<number> {
  return withClient(url, async (client) => {
    if (!parallel) await client.query('set max_parallel_workers_per_gather = 0')
    const started = performance.now()
    const { rows } = await client.query<{ n: number }>(bareScan, [centerId])
    if (rows[0]?.n !== entries) throw new Error(`SQL found ${rows[0]?.n} good hashes of ${entries}`)
    return performance.now() - started
  })
}

async function verify(server: Running, centerId: number, entries: number): Promise<Verified> {
  const verified = await server.ask<Verified>({ centerId, mode: 'chain' })
  if (!verified.valid || verified.entries !== entries) throw new Error(JSON.stringify(verified))
  return verified
}

async function hashInNode(node: Running, centerId: number, entries: number): Promise<number> {
  const verified = await node.ask<BareVerified>(centerId)
  if (verified.entries !== entries) throw new Error(`Node found ${verified.entries} good hashes of ${entries}`)
  return verified.ms
}

export async function benchVerify({ rows, windows, profile }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  let server: Running | undefined
  let node: Running | undefined
  try {
    const { id } = await world.center()
    await fillChain(place.url, id, benchLog, rows)
    await world.query('vacuum analyze cell.entries')
    server = await startProcess(
      './verify.process.ts',
      { DATABASE_URL: place.url, ...benchLog.settings, SECRET_KEY: randomBytes(32).toString('base64') },
      profile ? [...nodeFlags, '--cpu-prof', '--cpu-prof-dir=.dev/profile'] : nodeFlags,
    )
    node = await startProcess('./bare-verify.process.ts', { DATABASE_URL: place.url }, nodeFlags)
    type Times = Record<'ours' | 'bare' | 'parallel' | 'node', number[]>
    const times: Times = { ours: [], bare: [], parallel: [], node: [] }
    let peakMegabytes = 0
    for (let window = 0; window < windows; window++) {
      times.bare.push(await hashInSql(place.url, id, rows, false))
      times.node.push(await hashInNode(node, id, rows))
      const verified = await verify(server, id, rows)
      times.ours.push(verified.ms)
      peakMegabytes = verified.peakMegabytes
      times.parallel.push(await hashInSql(place.url, id, rows, true))
      const seconds = (values: number[]) => ((values.at(-1) as number) / 1000).toFixed(1)
      say(
        `window ${window + 1}: SQL ${seconds(times.bare)} s, ours ${seconds(times.ours)} s, SQL in parallel ${seconds(times.parallel)} s, Node ${seconds(times.node)} s`,
      )
    }
    const ratios = times.ours.map((ms, window) => ms / (times.bare[window] as number))
    const round = (value: number) => Number(value.toFixed(2))
    return {
      value: round(median(times.ours) / 1000),
      unit: 's',
      bare: round(median(times.bare) / 1000),
      ratio: round(median(ratios)),
      ratios: ratios.map(round),
      node: round(median(times.node) / 1000),
      ratioNode: round(median(times.ours.map((ms, window) => ms / (times.node[window] as number)))),
      bareParallel: round(median(times.parallel) / 1000),
      entries: rows,
      peakMegabytes,
      nodeFlags,
    }
  } finally {
    await server?.stop()
    await node?.stop()
    await world.close()
    await place.close()
  }
}
