/**
 * An upgrade from the release before: its server seals decisions on its schema, this version's migrations run, and this version's
 * server exports what was sealed. A migration holds its locks until it commits, so the longest one bounds the longest lock. The
 * bare reference is the same upgrade of a database without decisions.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { databaseUrl, findPostgres, withClient } from '../../tools/postgres.ts'
import { checkOut, type PreviousVersion } from '../skew/previous-version.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { say, startProcess } from './place.ts'

const callers = 64
const most = 100_000
const exported = 50

const decision = {
  agent: { id: 'agent-7', name: 'Stock keeper' },
  action: { type: 'stock.reorder', description: 'Order 40 boxes', input: { sku: 'A-17' }, output: { boxes: 40 } },
}

const headers = (key: string) => ({ 'content-type': 'application/json', authorization: `Bearer ${key}` })

/** In the old version's folder, by its own code. */
function runIn({ folder }: PreviousVersion, url: string, code: string): string {
  const given = { env: { ...process.env, DATABASE_URL: url, CELLS: `main=${url}` }, encoding: 'utf8' } as const
  return execFileSync(process.execPath, ['--input-type=module', '--eval', code], { ...given, cwd: folder })
}

const migrateOld = `
  const { migrateAll } = await import('./apps/server/data/migrate.ts')
  await migrateAll({ databaseUrl: process.env.DATABASE_URL, cells: new Map([['main', process.env.DATABASE_URL]]) })`
const makeKey = `
  const { openWorld } = await import('./tests/support/world.ts')
  const world = await openWorld(process.env.DATABASE_URL)
  console.log(await world.key(await world.center(), { scopes: ['proof:read', 'proof:write'] }))
  await world.close()`

/** The ids of the sealed units. */
async function seal(url: string, key: string, rows: number): Promise<string[]> {
  const ids: string[] = []
  let left = rows
  const one = async () => {
    while (left-- > 0) {
      const body = JSON.stringify(decision)
      const answer = await fetch(`${url}/api/v1/agents/decide`, { method: 'POST', headers: headers(key), body })
      if (answer.status !== 201) throw new Error(`The old version answered ${answer.status}: ${await answer.text()}`)
      ids.push(((await answer.json()) as { data: { dpu: { id: string } } }).data.dpu.id)
      if (ids.length % 10_000 === 0) say(`${ids.length} of ${rows} decisions are sealed`)
    }
  }
  await Promise.all(Array.from({ length: callers }, one))
  return ids
}

interface Upgrade {
  readonly seconds: number
  readonly longest: { readonly name: string; readonly seconds: number }
}

async function upgrade(url: string): Promise<Upgrade> {
  const began = Date.now()
  await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
  const ended = Date.now()
  return withClient(url, async (client) => {
    // The time of its transaction's begin.
    const { rows } = await client.query<{ name: string; at: Date }>(
      'select name, applied_at as at from countersign_migrations.applied where applied_at >= $1 order by applied_at, name',
      [new Date(began)],
    )
    const each = rows.map(({ name, at }, i) => ({
      name,
      seconds: ((rows[i + 1]?.at.getTime() ?? ended) - at.getTime()) / 1000,
    }))
    return { seconds: (ended - began) / 1000, longest: each.reduce((a, b) => (b.seconds > a.seconds ? b : a)) }
  })
}

/** Exports of old seals by this version that a stranger accepts. */
async function verified(url: string, key: string, ids: readonly string[]): Promise<number> {
  const server = await startProcess('../../apps/server/main.ts', settings(url))
  try {
    let valid = 0
    for (let at = 0; at < exported; at++) {
      const id = (ids[Math.floor((at * ids.length) / exported)] as string).replace(/^dpu_/, 'evd_')
      const answer = await fetch(`${server.url}/api/v1/evidence/${id}/export`, { headers: headers(key) })
      if (verifyExport((await answer.json()) as never).valid) valid++
    }
    return valid
  } finally {
    await server.stop()
  }
}

const secret = randomBytes(32).toString('base64')
const settings = (url: string): Record<string, string> => ({
  ...{ ROLE: 'api', DATABASE_URL: url, CELLS: `main=${url}`, SECRET_KEY: secret, TLOG_HOST: 'bench.example' },
  ...{ RATE_LIMIT_PROOF: '100000000/60', RATE_LIMIT_BYTES_PER_CENTER: '999999999/1' },
})

export async function benchUpgrade({ rows: asked }: BenchOptions): Promise<BenchResult> {
  const rows = Math.min(asked, most)
  const postgres = await findPostgres(new URL('../../.dev/bench/', import.meta.url).pathname)
  const name = `cs_bench_${randomBytes(4).toString('hex')}`
  const names = [name, `${name}_empty`]
  const [full, empty] = names.map((each) => databaseUrl(postgres.url, each)) as [string, string]
  const old = checkOut()
  try {
    for (const each of names) await withClient(postgres.url, (client) => client.query(`create database ${each}`))
    for (const url of [full, empty]) runIn(old, url, migrateOld)
    const key = runIn(old, full, makeKey).trim()
    const server = await startProcess(`${old.folder}/apps/server/main.ts`, settings(full))
    const ids = await seal(server.url, key, rows).finally(() => server.stop())
    await withClient(full, (client) => client.query('vacuum analyze'))
    const bare = await upgrade(empty)
    const { seconds, longest } = await upgrade(full)
    const valid = await verified(full, key, ids)
    if (valid < exported) throw new Error(`${exported - valid} of ${exported} exports don't verify after the upgrade.`)
    return {
      value: seconds,
      unit: `s to upgrade ${rows} sealed decisions from ${old.commit.slice(0, 10)}`,
      bare: bare.seconds,
      ratio: Number((seconds / bare.seconds).toFixed(1)),
      longestLock: longest,
      rows,
      verified: valid,
    }
  } finally {
    old.remove()
    for (const each of names)
      await withClient(postgres.url, (client) => client.query(`drop database if exists ${each} with (force)`))
    await postgres.stop()
  }
}
