/**
 * Connections. Each pool takes one database role when a connection is opened and can never go back to the login
 * user's own rights: `options=-c role=…` makes that role the session's default, which even RESET ROLE returns to.
 */
import pg from 'pg'
import type { Logger } from 'pino'

export type Role =
  | 'cs_owner'
  | 'cs_api'
  | 'cs_auth'
  | 'cs_recorder'
  | 'cs_sequencer'
  | 'cs_public'
  | 'cs_jobs'
  | 'cs_operator'

export interface PoolOptions {
  readonly url: string
  readonly role: Role
  readonly max: number
  readonly log: Logger
  /** What is asked for before the last answer has come is sent all the same; answers keep the order. No COPY then. */
  readonly pipeline?: boolean
}

// int8 counts and sequence numbers stay below 2^53 here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Longer than any statement may take: after this the server is not slow but silent, and the connection is given up. */
const silenceMs = 7000

const sessionSettings = [
  'statement_timeout=5000',
  // A duplicate of a slow request waits this long for the first one before it is told to come back.
  'lock_timeout=3000',
  'idle_in_transaction_session_timeout=10000',
  // The conditions of row-level security look costly to the planner; compiling them takes longer than any of our queries.
  'jit=off',
  // Times come to us as JSON too, in the session's zone, and not every offset that history has known can be read back.
  'timezone=UTC',
]

export const sessionOptions = (role: Role): string =>
  [`role=${role}`, ...sessionSettings].map((setting) => `-c ${setting}`).join(' ')

export function openPool({ url, role, max, log, pipeline = false }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline,
    options: sessionOptions(role),
    application_name: `countersign ${role}`,
    connectionTimeoutMillis: 2000,
    query_timeout: silenceMs,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  })
  // An idle connection that dies (a database restart) is replaced by the pool; without a listener it would end us.
  pool.on('error', (error) => log.warn({ err: error, role }, 'idle database connection lost'))
  // One that dies in the middle of a transaction tells its query, and without a listener would end us all the same.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
