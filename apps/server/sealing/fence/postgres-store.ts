/**
 * A fence store in a PostgreSQL other than the cell's, for processes on several machines. Each cell has a schema of its
 * own. Calls are bounded on this side: a reservation that arrives late is refused by the store.
 */
import pg from 'pg'
import { storeTables } from './postgres-store.sql.ts'
import { type FenceStore, type Refusal, type StoredLog, StoreFailure, type StoreState, signedAt } from './store.ts'

const connections = 4
const connectMs = 2000
const readMs = 1000
const pageMs = 10_000
/** Longer than any caller waits: an abandoned statement ends too. */
const statementMs = 60_000

interface LogRow {
  readonly name: string
  readonly confirmed_size: number
  readonly confirmed_root: string | null
  readonly reserved_size: number | null
  readonly reserved_root: string | null
  readonly begun_at: number | null
  readonly successor: string | null
}

const logOf = (row: LogRow): StoredLog => ({
  name: row.name,
  confirmed: signedAt(row.confirmed_size, row.confirmed_root),
  reserved: signedAt(row.reserved_size, row.reserved_root),
  begunAt: row.begun_at ?? 0,
  successor: row.successor,
})

const calls = {
  reserve: 'reserve($1, $2)',
  confirm: 'confirm($1, $2)',
  bind: 'bind($1, $2)',
  accept: 'accept($1, $2)',
} as const

export function openPostgresStore(url: string, cell: string): FenceStore {
  const schema = `"countersign_fence_${cell}"`
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    application_name: 'countersign fence',
  })
  // A connection that ends while nobody uses it is replaced with the next call.
  pool.on('error', () => {})

  /** A connection whose answer was not awaited is closed. */
  async function ask<Row extends object>(waitMs: number, text: string, values: readonly unknown[]): Promise<Row[]> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new StoreFailure(`no answer within ${waitMs} ms`)), waitMs)
    const connecting = pool.connect()
    try {
      const client = await Promise.race([connecting, late])
      try {
        const { rows } = await Promise.race([client.query<Row>(text, [...values]), late])
        client.release()
        return rows
      } catch (error) {
        client.release(true)
        throw error
      }
    } catch (error) {
      if (error instanceof StoreFailure) connecting.then((client) => client.release(true)).catch(() => {})
      throw error instanceof StoreFailure ? error : new StoreFailure((error as Error).message)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Once. A failure is repeated with the next call, so that a store that is away delays no start. */
  let tables: Promise<void> | null = null
  const ready = (): Promise<void> => {
    tables ??= makeTables(url, schema, cell).catch((error: unknown) => {
      tables = null
      throw new StoreFailure((error as Error).message)
    })
    return tables
  }

  const answer = async <Row extends object>(waitMs: number, text: string, ...values: readonly unknown[]) => {
    await ready()
    return ask<Row>(waitMs, text, values)
  }

  return {
    opened: Promise.resolve(),
    async read(names) {
      type Row = Omit<StoreState, never> & { readonly logs: readonly LogRow[] | null }
      const [row] = await answer<Row>(
        readMs,
        `select id, database_id as "databaseId", identity, (select system_identifier::text from pg_control_system()) as system,
           (select case when is_called then last_value else 0 end from ${schema}.writes)::float8 as writes,
           (select json_agg(l) from (
             select * from ${schema}.logs left join ${schema}.generations using (name) where name = any($1)) l) as logs
         from ${schema}.store`,
        names,
      )
      if (!row) throw new StoreFailure('the row of the store was deleted')
      const { logs, ...state } = row
      return { state, logs: new Map((logs ?? []).map((log) => [log.name, logOf(log)])) }
    },
    isRetired: async (identity) =>
      (await answer(readMs, `select from ${schema}.retired where identity = $1`, identity)).length > 0,
    hasLogs: async () =>
      (await answer(readMs, `select from ${schema}.logs where confirmed_size > 0 limit 1`)).length > 0,
    page: async (after, most) => {
      const text = `select to_json(l) as log from (select * from ${schema}.logs left join ${schema}.generations using (name)
        where name > $1 order by name limit $2) l`
      return (await answer<{ log: LogRow }>(pageMs, text, after, most)).map(({ log }) => logOf(log))
    },
    async write(call, waitMs, ...given) {
      const values = given.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
      const [row] = await answer<{ refusal: Refusal }>(waitMs, `select ${schema}.${calls[call]} as refusal`, ...values)
      return row?.refusal ?? null
    },
    close: () => pool.end(),
  }
}

/** One process at a time, whatever starts at the same moment. */
async function makeTables(url: string, schema: string, cell: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`countersign fence ${cell}`])
    await client.query(storeTables(schema))
    await client.query('commit')
  } finally {
    await client.end()
  }
}
