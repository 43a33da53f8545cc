/**
 * Connection pools, each for one database role. A new connection is used only after it has proved to be that role; see
 * logins.ts.
 */
import pg from 'pg'
import type { Logger } from 'pino'
import type { Logins } from '../config/config.ts'
import { LoginClient, loginUrl, type Role, requireLogin, WrongLogin } from './logins.ts'
import { type WriteHealth, watchWrites } from './write-health.ts'

export interface LoginOptions {
  readonly url: string
  readonly role: Role
  readonly logins: Logins
  readonly log: Logger
  /** Throws while the database must not be used. */
  readonly admit?: () => void
}

export interface PoolOptions extends LoginOptions {
  readonly max: number
  /** False: every statement is parsed and planned on each call, because the next one may get another connection. */
  readonly prepared: boolean
  /** Sends queries without waiting for earlier answers, which keep their order. Rules out COPY. */
  readonly pipeline?: boolean
  /** Is notified of commits that fail because of the database. */
  readonly health?: WriteHealth
}

// int8 counts and sequence numbers stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Longer than any statement timeout: after this the connection is considered dead and is closed. */
const silenceMs = 7000
/** While connections keep being refused, the log repeats it this often. */
const logEveryMs = 60_000

/** For every pool that serves, also those of other libraries. */
export function connectionOptions({ url, role, logins, log, admit }: LoginOptions): pg.PoolConfig {
  let loggedAt = Number.NEGATIVE_INFINITY
  const onRefusal = ({ message }: WrongLogin): void => {
    if (performance.now() - loggedAt <= logEveryMs) return
    loggedAt = performance.now()
    log.error({ role }, message)
  }
  return {
    Client: LoginClient,
    // The pool gives its options to the client.
    ...{ onRefusal },
    connectionString: loginUrl(url, role, logins),
    connectionTimeoutMillis: 2000,
    // The pool hands out a new connection after this has resolved, and closes it when this rejects.
    async onConnect(client) {
      admit?.()
      await requireLogin(client, role).catch((error: unknown) => {
        // The pool ends the connection, and would wait for the answer of a server that says nothing.
        if (error instanceof WrongLogin) onRefusal(error)
        else (client as pg.PoolClient).connection.stream.destroy()
        throw error
      })
    },
  }
}

export interface PoolFigures {
  readonly pool: string
  readonly used: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

export const figuresOf = (pools: Readonly<Record<string, pg.Pool>>): PoolFigures[] =>
  Object.entries(pools).map(([pool, { totalCount, idleCount, waitingCount }]) => ({
    ...{ pool, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount },
  }))

const unprepared = new WeakSet<pg.Pool>()

/** The name of a prepared statement, or none where a connection does not keep them. */
export const nameOn = (pool: pg.Pool, name: string | undefined): string | undefined =>
  unprepared.has(pool) ? undefined : name

export function openPool({ max, prepared, pipeline = false, health, ...login }: PoolOptions): pg.Pool {
  const { role, log } = login
  const pool = new pg.Pool({
    ...connectionOptions(login),
    max,
    pipeline,
    application_name: `countersign ${role}`,
    query_timeout: silenceMs,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  })
  // The pool replaces an idle connection that dies; without a listener the error would end the process.
  pool.on('error', (error) => log.warn({ err: error, role }, 'idle database connection lost'))
  // A connection that dies in a transaction rejects its query; without a listener the error would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  if (!prepared) unprepared.add(pool)
  if (health) watchWrites(pool, health, login.url)
  return pool
}
