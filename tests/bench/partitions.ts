/**
 * Whether to partition: a table of the shape of chain entries, as one table and as 64 partitions by hash of the center, and
 * one of the shape of audit entries, as one table and by month. Each is filled with the same rows, gets its keys, and is then
 * timed: inserts of batches, look-ups by key, the newest of a center, freezing, and a drop or deletion of the oldest month.
 * Narrow rows: indexes and visibility are what partitions change, not the content.
 */
import pg from 'pg'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, say } from './place.ts'
import { sized } from './sized.ts'

const centers = sized(10_000, 100)
const hashes = 64
const months = 12

type Kind = 'entries' | 'audit'
type Form = 'one' | 'parts'
const tables: readonly (readonly [Kind, Form])[] = [
  ['entries', 'one'],
  ['entries', 'parts'],
  ['audit', 'one'],
  ['audit', 'parts'],
]

const ddl: Readonly<Record<`${Kind} ${Form}`, string>> = {
  'entries one': `create table entries_one (center_id integer not null, domain text not null, idx bigint not null, id uuid not null,
      hash text not null)`,
  'entries parts': `create table entries_parts (like entries_one) partition by hash (center_id);
    select format('create table entries_parts_%s partition of entries_parts for values with (modulus ${hashes}, remainder %s)', n, n)
    from generate_series(0, ${hashes - 1}) n \\gexec`,
  'audit one': `create table audit_one (center_id integer not null, id uuid not null, occurred_at timestamptz not null, details jsonb)`,
  'audit parts': `create table audit_parts (like audit_one) partition by range (occurred_at);
    select format('create table audit_parts_%s partition of audit_parts for values from (%L) to (%L)', n,
      date '2026-01-01' + make_interval(months => n), date '2026-01-01' + make_interval(months => n + 1))
    from generate_series(0, ${months - 1}) n \\gexec`,
}

const keys: Readonly<Record<Kind, string>> = {
  entries: 'add primary key (center_id, domain, idx), add unique (center_id, domain, id)',
  audit: 'add primary key (center_id, id, occurred_at)',
}

/** Ids as UUIDv7 are: they rise with time. */
const uuid = `(lpad(to_hex(n), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid`
const rowsOf = (kind: Kind, from: number, to: number, all: number) =>
  kind === 'entries'
    ? `select (n * 7919) % ${centers}, 'proof', n / ${centers}, ${uuid}, 'sha256:' || md5(n::text) || md5(n::text)
       from generate_series(${from}::bigint, ${to - 1}::bigint) n`
    : `select (n * 7919) % ${centers}, ${uuid}, timestamptz '2026-01-01' + least(n::float8 / ${all}, 1) * interval '360 days', '{"action":"x"}'
       from generate_series(${from}::bigint, ${to - 1}::bigint) n`

type Figures = Record<string, number>

async function timed(client: pg.Client, sql: string): Promise<number> {
  const at = performance.now()
  await client.query(sql)
  return performance.now() - at
}

async function create(client: pg.Client, statements: string): Promise<void> {
  for (const statement of statements.split(';')) {
    const [text, expanded] = [statement.replace('\\gexec', ''), statement.includes('\\gexec')]
    const { rows } = await client.query(text)
    if (expanded) for (const row of rows) await client.query(row.format)
  }
}

async function measure(client: pg.Client, kind: Kind, form: Form, all: number): Promise<Figures> {
  const name = `${kind}_${form}`
  await create(client, ddl[`${kind} ${form}`])
  const filled = Math.floor(all * 0.99)
  const fillMs = await timed(client, `insert into ${name} ${rowsOf(kind, 0, filled, all)}`)
  const keysMs = await timed(client, `alter table ${name} ${keys[kind]}`)
  // Batches as a sealing batch writes them: 64 rows of as many centers.
  const batches: number[] = []
  for (let n = 0; n < 300; n++) {
    batches.push(
      await timed(client, `insert into ${name} ${rowsOf(kind, filled + n * 64, filled + (n + 1) * 64, all)}`),
    )
  }
  const look = async (sql: (n: number) => string) => {
    const taken: number[] = []
    for (let n = 0; n < 300; n++) taken.push(await timed(client, sql(Math.floor(Math.random() * filled))))
    return median(taken)
  }
  const of = (n: number) => (n * 7919) % centers
  const byKey = await look((n) =>
    kind === 'entries'
      ? `select hash from ${name} where center_id = ${of(n)} and domain = 'proof' and idx = ${Math.floor(n / centers)}`
      : `select details from ${name} where center_id = ${of(n)} and id = (select ${uuid} from (select ${n}::bigint n) x)`,
  )
  const newest = await look((n) =>
    kind === 'entries'
      ? `select hash from ${name} where center_id = ${of(n)} and domain = 'proof' order by idx desc limit 20`
      : `select details from ${name} where center_id = ${of(n)} order by id desc limit 20`,
  )
  const freezeMs = await timed(client, `vacuum (freeze, analyze) ${name}`)
  const { rows } = await client.query(
    `select sum(pg_indexes_size(relid))::float8 / 1e6 as indexes, sum(pg_relation_size(relid))::float8 / 1e6 as heap
     from (select relid from pg_partition_tree('${name}') union select '${name}'::regclass) t`,
  )
  const expire =
    form === 'parts' && kind === 'audit'
      ? await timed(client, `drop table audit_parts_0`)
      : kind === 'audit'
        ? await timed(client, `delete from ${name} where occurred_at < '2026-02-01'`)
        : Number.NaN
  return {
    fillMs,
    keysMs,
    batchMs: median(batches),
    byKeyMs: byKey,
    newestMs: newest,
    freezeMs,
    indexMb: rows[0].indexes,
    heapMb: rows[0].heap,
    expireMs: expire,
  }
}

export async function benchPartitions({ rows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  try {
    await client.query(`set synchronous_commit = off; set maintenance_work_mem = '256MB'`)
    const found: Record<string, Figures> = {}
    for (const [kind, form] of tables) {
      found[`${kind} ${form}`] = await measure(client, kind, form, rows)
      say(`${kind} ${form}: ${JSON.stringify(found[`${kind} ${form}`])}`)
    }
    const [one, parts] = [found['entries one'] as Figures, found['entries parts'] as Figures]
    const value = parts.batchMs as number
    const bare = one.batchMs as number
    return { value, unit: 'ms per batch of 64 rows in 64 partitions', bare, ratio: value / bare, found }
  } finally {
    await client.end()
    await place.close()
  }
}
