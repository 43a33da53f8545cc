/**
 * Connection pools. Each connection takes one database role when it opens and cannot return to the rights of the login
 * user: `options=-c role=…` makes the role the session default, to which RESET ROLE also returns.
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
  /** Sends queries without waiting for earlier answers, which keep their order. Rules out COPY. */
  readonly pipeline?: boolean
}

// int8 counts and sequence numbers stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Longer than any statement timeout: after this the connection is considered dead and is closed. */
const silenceMs = 7000

const sessionSettings = [
  'statement_timeout=5000',
  // The longest time that a duplicate of a slow request waits for the first one before it gets 503.
  'lock_timeout=3000',
  'idle_in_transaction_session_timeout=10000',
  // The planner overestimates row-level security conditions, and JIT compilation takes longer than any query here.
  'jit=off',
  // Times are also read from JSON in the session's time zone, and historical offsets with seconds cannot be parsed.
  'timezone=UTC',
]

/** A batch reads and writes rows by their keys only, and keeps its plans from the time when the tables were empty. */
const keysOnly = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off']

export const sessionOptions = (role: Role): string =>
  [`role=${role}`, ...sessionSettings, ...(role === 'cs_sequencer' ? keysOnly : [])]
    .map((setting) => `-c ${setting}`)
    .join(' ')

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
  // The pool replaces an idle connection that dies; without a listener the error would end the process.
  pool.on('error', (error) => log.warn({ err: error, role }, 'idle database connection lost'))
  // A connection that dies in a transaction rejects its query; without a listener the error would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
