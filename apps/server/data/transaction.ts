/**
 * Transactions, the only access to SQL. A transaction begins with the settings that row-level security reads: in one
 * round trip, or in that of the first statement when it only reads. It is retried after a serialization failure or a
 * deadlock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type pg from 'pg'
import { Problem, storageFull, unavailable } from '../lib/problem.ts'
import { type CopyOut, copyOut } from './copy-out.ts'
import { nameOn } from './pool.ts'
import { isOutdated, prepareAgain, statementName } from './prepared.ts'
import { writeFailed, writeSucceeded } from './write-health.ts'

/** Values that policies read. Only integers, UUIDs and lists of integers, because they go into SQL text unquoted. */
export type TransactionSettings = Readonly<Record<string, string | number>>

const safeSetting = /^[0-9a-z_,{}-]*$/i

/** Runs after the commit: cache invalidation and wake-up calls, which must not precede the visible change. */
export type AfterCommit = (run: () => void) => void

export type TransactionMode = 'read' | 'write'

export function beginStatement(settings: TransactionSettings, mode: TransactionMode = 'write'): string {
  let text = mode === 'read' ? 'begin read only' : 'begin'
  for (const [name, value] of Object.entries(settings)) {
    if (!safeSetting.test(String(value))) throw new Error(`setting ${name} is not a plain id`)
    text += `; set local app.${name} = '${value}'`
  }
  return text
}

/** Serialization failure and deadlock: the work had no effect and may be repeated. */
const retryable = new Set(['40001', '40P01'])
const attempts = 4

export async function transaction<DB, T>(
  pool: pg.Pool,
  settings: TransactionSettings,
  work: (db: Kysely<DB>, afterCommit: AfterCommit, copy: CopyOut) => Promise<T>,
  mode: TransactionMode = 'write',
): Promise<T> {
  const begin = beginStatement(settings, mode)
  // Only where the connection accepts a second query before the first answer. If BEGIN fails, so does what follows it.
  const hurried = pool.options.pipeline === true
  for (let attempt = 1; ; attempt++) {
    const client = await connect(pool)
    let failure: unknown = true
    const then: (() => void)[] = []
    let committed: { result: T } | undefined
    try {
      const begun = sent(client, begin, hurried)
      if (!hurried) await begun
      const result = await work(kyselyOver<DB>(client, pool), (run) => then.push(run), copyOut(client))
      await begun
      const isChange = mode === 'write'
      const ended = sent(client, 'commit', hurried && !isChange)
      if (isChange || !hurried) await ended.catch((error: unknown) => notKnown(pool, error))
      if (isChange) writeSucceeded(pool)
      failure = false
      committed = { result }
    } catch (error) {
      failure = error
      if (isDiskFull(error)) writeFailed(pool, 'disk')
      const keep = !isSilent(error) && !(mode === 'write' && isReadOnly(error))
      if (keep && (await rolledBack(client))) failure = false
      const outdated = isOutdated(error)
      if (outdated) prepareAgain()
      if (!(outdated || retryable.has(sqlState(error))) || attempt === attempts) throw asProblem(error, mode)
    } finally {
      // A connection in an unknown state is closed, not reused.
      client.release(failure ? true : undefined)
    }
    if (committed) {
      // Outside the try block: the work is committed, and an error here must not count as its failure.
      for (const run of then) run()
      return committed.result
    }
    await sleep(Math.random() * 10 * 2 ** attempt)
  }
}

/**
 * A pipelined transaction does not wait for BEGIN, and one that only reads does not wait for COMMIT, which changes
 * nothing. Both are sent with their neighbors: what is written in one turn of the event loop is one packet.
 */
function sent(client: pg.PoolClient, text: string, hurried: boolean): Promise<unknown> {
  const { stream } = client.connection
  if (hurried) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  const answered = client.query(text)
  // Prevents an unhandled rejection. A caller that awaits the promise still gets the error; a connection that is lost
  // at COMMIT fails for its next user.
  answered.catch(() => {})
  return answered
}

const notKnown = (pool: pg.Pool, error: unknown): never => {
  if (isSilent(error)) writeFailed(pool, 'standby')
  throw isPassing(error) ? unknownOutcome(error) : error
}

/** The database did not answer in time; a ROLLBACK would wait as long again. */
export const isSilent = (error: unknown): boolean =>
  /Query read timeout/.test(String(error instanceof Problem ? error.cause : error))

export const connect = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error: unknown) => {
    throw error instanceof Problem ? error : unavailable("The service can't reach its data right now", error)
  })

/** Whether the next transaction could write. A connection to a read-only server is closed, so that the next one is new. */
export async function requireWritable(pool: pg.Pool): Promise<void> {
  const client = await connect(pool)
  let writable = false
  try {
    const { rows } = await client.query<{ read_only: string }>(
      `select current_setting('transaction_read_only') as read_only`,
    )
    writable = rows[0]?.read_only === 'off'
  } finally {
    client.release(!writable)
  }
  if (!writable) throw unavailable('The service is temporarily read-only')
}

/** The time of the server, in milliseconds since 1970. */
export const readClock = (pool: pg.Pool): Promise<number> =>
  transaction(
    pool,
    {},
    async (db) => {
      const { rows } = await sql<{ ms: number }>`
        select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
      return rows[0]?.ms as number
    },
    'read',
  )

/** Commits a message that nobody reads: it waits for the standby as every commit does. */
export async function requireCommit(pool: pg.Pool): Promise<void> {
  await transaction(pool, {}, (db) => sql`select pg_logical_emit_message(true, 'countersign', '')`.execute(db))
}

const rolledBack = (client: pg.PoolClient): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  )

export const sqlState = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** Turns the violation of a named constraint into its problem, and leaves other errors unchanged. */
export const meaning =
  (problems: Readonly<Record<string, () => Problem>>) =>
  (error: unknown): never => {
    throw problems[(error as { constraint?: string }).constraint ?? '']?.() ?? error
  }

/** Temporary failures: connection lost, server starting or stopping, timeouts, too many connections, read-only server. */
const passing = /^(08|53|57P|57014|55P03|25P03|25P04|25006)/
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'])

const isPassing = (error: unknown): boolean => {
  const code = sqlState(error)
  return (
    passing.test(code) ||
    networkCodes.has(code) ||
    isSilent(error) ||
    /Connection terminated|is not queryable|timeout exceeded when trying/.test(String(error))
  )
}

/** The server became a standby, or was closed to changes; a new connection may reach the one that takes its place. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

/**
 * What a batch failed on. Data exceptions and constraint violations are about a row, not about the connection or the server;
 * `locked`: the wait for another transaction's lock timed out, and nothing was changed.
 */
export function classifyFailure(error: unknown): 'data' | 'locked' | null {
  const state = sqlState(error instanceof Problem ? error.cause : error)
  if (/^(22|23)/.test(state)) return 'data'
  return ['55P03', '57014'].includes(state) ? 'locked' : null
}

/** Failures that the transaction retries or answers with 503, for callers that map failures themselves. */
export const isTransient = (error: unknown): boolean => retryable.has(sqlState(error)) || isPassing(error)

export const isDiskFull = (error: unknown): boolean =>
  sqlState(error instanceof Problem ? error.cause : error) === '53100'

/** The connection died during COMMIT: whether the change took effect is unknown, and the message says so. */
export const unknownOutcome = (cause: unknown): Problem => {
  const why = isSilent(cause) ? "The change wasn't confirmed in time" : 'A connection was lost during the change'
  return new Problem(
    'SERVICE_UNAVAILABLE',
    `${why}, so we don't know whether it took effect. Try again with the same idempotency key; the change won't be made twice.`,
    { retryAfter: 1, cause },
  )
}

/** What a passing failure was, by SQLSTATE, the longest prefix first. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^53300/, 'The service has no free connections right now'],
  [/^53/, 'The service has run out of a resource such as memory'],
  [/^25006/, 'The service is temporarily read-only'],
  [/^55P03/, 'Another change to the same data is still in progress'],
  [/^(57014|25P0[34])/, 'The request took too long to process'],
  [/^57P/, 'The service is restarting'],
]

function wordsFor(error: unknown): string {
  const known = words.find(([code]) => code.test(sqlState(error)))?.[1]
  return (
    known ?? (isSilent(error) ? "Part of the service isn't responding" : 'The service lost the connection to its data')
  )
}

export function asProblem(error: unknown, mode: TransactionMode = 'write'): unknown {
  if (error instanceof Problem) return error
  const code = sqlState(error)
  // In a transaction that only reads, the statement is at fault and not the server.
  if (isPassing(error) && !(mode === 'read' && isReadOnly(error))) {
    return code === '53100' ? storageFull(error) : unavailable(wordsFor(error), error)
  }
  return /^[0-9A-Z]{5}$/.test(code)
    ? new Problem(
        'DATABASE_ERROR',
        'The request failed because of a storage error, so nothing was changed. If this happens again, contact the operator.',
        { cause: error },
      )
    : error
}

const overClient = new WeakMap<pg.PoolClient, Kysely<unknown>>()

/** One query builder per connection; it holds no transaction state. */
function kyselyOver<DB>(client: pg.PoolClient, pool: pg.Pool): Kysely<DB> {
  let db = overClient.get(client)
  if (!db) {
    db = new Kysely<unknown>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => pinnedDriver(client, pool),
        createIntrospector: (kysely) => new PostgresIntrospector(kysely),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
    overClient.set(client, db)
  }
  return db as Kysely<DB>
}

function pinnedDriver(client: pg.PoolClient, pool: pg.Pool): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { sql: text, parameters } = query
      const name = nameOn(pool, statementName(text))
      const result = await client.query({ name, text, values: parameters as unknown[] })
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
    },
    streamQuery() {
      throw new Error('not supported: page through rows instead')
    },
  }
  const refuse = async (): Promise<never> => {
    throw new Error('transactions are opened by data/transaction.ts only')
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  }
}
