/**
 * What a worker at rest costs in a cell with `--rows` centers, each with an endpoint that waits until tomorrow, the schedules of its
 * vertical and a log that its witness has seen. The reference is the same worker in an empty cell.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inFolder } from '../../packages/witness/test/program.ts'
import { withClient } from '../../tools/postgres.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, type Place, type Running, say, settings, startProcess } from './place.ts'
import { sized } from './sized.ts'

const cellName = 'one'
const witness = 'w1'
/** Divisible by the intervals at which a worker looks: a minute has one turn of every periodic job. */
const windowMs = sized(120_000, 2000)
/** Leases rest ten seconds after the last one was taken. */
const settleMs = sized(30_000, 500)

interface IdleCost {
  readonly transactionsPerSecond: number
  /** Time in statements, in percent of one connection. */
  readonly databasePercent: number
  readonly workerPercent: number
  readonly workerMegabytes: number
}

/** Centers without the words of the search, which no worker reads. */
const centers = `insert into directory.centers (domain, name, vertical, cell)
  select 'center-' || n, 'Center ' || n, (array['rehabilitation', 'welfare', 'education', 'pharmacy'])[n % 4 + 1], $1
  from generate_series(1, $2::integer) n`

const tenantRows = [
  `insert into cell.webhooks (center_id, id, url, events, description, active, created_at)
   select n, gen_random_uuid(), 'https://consumer.example/hook', '{payment.completed}', '', true, now() from generate_series(1, $1::integer) n`,
  `insert into cell.webhook_endpoints (center_id, webhook_id, due_at, failures, failing_since)
   select center_id, id, now() + interval '1 day', 3, now() from cell.webhooks where $1 > 0`,
  `insert into cell.chain_heads (center_id, domain, next_index, last_hash, last_sealed_at, frontier, grown)
   select n, 'dpu', 1, repeat('0', 64), '2026-01-01T00:00:00.000Z', sha256(n::text::bytea), 1 from generate_series(1, $1::integer) n`,
  `insert into cell.checkpoints (center_id, domain, size, root, created_at)
   select center_id, domain, 1, frontier, now() from cell.chain_heads where $1 > 0`,
  `insert into cell.witness_positions (center_id, domain, witness, size)
   select center_id, domain, '${witness}', 1 from cell.chain_heads where $1 > 0`,
]

async function fill(place: Place, rows: number): Promise<void> {
  say(`filling ${rows} centers, endpoints and logs`)
  const asReplica = (url: string, work: (client: pg.ClientBase) => Promise<unknown>) =>
    withClient(url, async (client) => {
      await client.query('begin; set local session_replication_role = replica')
      await work(client)
      await client.query('commit')
      await client.query('vacuum analyze')
    })
  await asReplica(place.url, (client) => client.query(centers, [cellName, rows]))
  await asReplica(place.cells.get(cellName) as string, async (client) => {
    for (const each of tenantRows) await client.query(each, [rows])
  })
}

const count = (url: string, text: string): Promise<number> =>
  withClient(url, async (client) => Number((await client.query(text)).rows[0].n))

/** The worker copies the schedules of all centers after its start. */
async function untilScheduled(url: string, rows: number): Promise<number> {
  const written = () => count(url, 'select count(*) as n from cell.workflow_schedules')
  for (let before = -1, now = await written(); ; before = now, now = await written()) {
    if (now >= rows && now === before) return now
    await sleep(sized(5000, 200))
  }
}

async function costOf(url: string, worker: Running): Promise<IdleCost> {
  const read = () =>
    withClient(url, async (client) => {
      const { rows } = await client.query(
        `select (xact_commit + xact_rollback)::float8 as transactions, active_time as ms from pg_stat_database
         where datname = current_database()`,
      )
      return rows[0] as { transactions: number; ms: number }
    })
  await sleep(settleMs)
  const [before, cpu, began] = [await read(), worker.cpuSeconds(), performance.now()]
  await sleep(windowMs)
  const [after, seconds] = [await read(), (performance.now() - began) / 1000]
  const rounded = (value: number) => Number(value.toFixed(2))
  return {
    // Less the two of this measurement.
    transactionsPerSecond: rounded((after.transactions - before.transactions - 2) / seconds),
    databasePercent: rounded((after.ms - before.ms) / seconds / 10),
    workerPercent: rounded((100 * (worker.cpuSeconds() - cpu)) / seconds),
    workerMegabytes: worker.residentMegabytes(),
  }
}

/** Each table that autovacuum looks at is a transaction of the database, so it pauses meanwhile. */
async function withoutAutovacuum<T>(url: string, work: () => Promise<T>): Promise<T> {
  const change = (text: string) =>
    withClient(url, async (client) => {
      await client.query(`alter system ${text}`)
      await client.query('select pg_reload_conf()')
    })
  await change('set autovacuum = off')
  try {
    return await work()
  } finally {
    await change('reset autovacuum')
  }
}

export async function idleCost(rows: number): Promise<IdleCost & { schedules: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-idle-'))
  const policy = join(folder, 'policy.txt')
  const { stdout } = inFolder(folder, ['init', '--name', 'witness.example/w1'])
  // It is not asked: it has seen all logs.
  writeFileSync(policy, `witness ${witness} ${stdout.trim()} http://127.0.0.1:9\nquorum ${witness}\n`)
  const place = await makePlace([cellName])
  const url = place.cells.get(cellName) as string
  try {
    if (rows > 0) await fill(place, rows)
    const worker = await startProcess('../../apps/server/main.ts', {
      ...settings(place, 'worker'),
      TLOG_POLICY_FILE: policy,
    })
    try {
      const schedules = await untilScheduled(url, rows)
      const cost = { schedules, ...(await withoutAutovacuum(url, () => costOf(url, worker))) }
      say(`a worker at rest, ${rows} centers: ${JSON.stringify(cost)}`)
      return cost
    } finally {
      await worker.stop()
    }
  } finally {
    await place.close()
    rmSync(folder, { recursive: true })
  }
}

export async function benchIdle({ rows }: BenchOptions): Promise<BenchResult> {
  const bare = await idleCost(0)
  const large = await idleCost(rows)
  const [value, least] = [large.transactionsPerSecond, bare.transactionsPerSecond]
  const ratio = Number((value / least).toFixed(2))
  return { value, unit: 'transactions a second and cell', bare: least, ratio, rows, large, empty: bare }
}
