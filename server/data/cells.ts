/** Cells: a center lives in exactly one, and the directory says which. Nothing here assumes that two share a database. */
import type { Kysely } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { unavailable } from '../lib/problem.ts'
import type { DB } from './cell.generated.ts'
import type { Caller } from './directory.ts'
import { openPool, type Role } from './pool.ts'
import { type AfterCommit, asProblem, connect, transaction, unknownOutcome } from './transaction.ts'

declare const tenantBrand: unique symbol

/** One center in its cell, behind row-level security. */
export interface TenantTx {
  readonly [tenantBrand]: true
  readonly store: 'cell'
  readonly db: Kysely<DB>
  readonly caller: Caller
  readonly afterCommit: AfterCommit
}

export interface Cell {
  readonly name: string
  /** The center of the caller is the tenant; no other row can be seen or written. */
  inTenant<T>(caller: Caller, work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** A background job for one center. */
  inTenantJob<T>(centerId: number, job: string, work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** For housekeeping over all centers, which may delete only what has expired. */
  asJobs<T>(work: (db: Kysely<never>) => Promise<T>): Promise<T>
  /**
   * One function call that is its own transaction, for the hot path. It may write only to the centers it names:
   * the role's policies admit no other, and the setting dies with the statement's transaction.
   */
  recordBatch(centerIds: readonly number[], batch: string, fresh: boolean): Promise<readonly string[]>
  ping(): Promise<void>
  close(): Promise<void>
}

export interface Cells {
  of(name: string): Cell
  readonly all: readonly Cell[]
  close(): Promise<void>
}

export function openCells(config: Config, log: Logger): Cells {
  const cells = new Map([...config.cells].map(([name, url]) => [name, openCell(name, url, config, log)]))
  return {
    all: [...cells.values()],
    of(name) {
      const cell = cells.get(name)
      if (!cell)
        throw unavailable(`This center's data is in the cell "${name}", which this server is not connected to.`)
      return cell
    },
    close: async () => {
      await Promise.all([...cells.values()].map((cell) => cell.close()))
    },
  }
}

function openCell(name: string, url: string, config: Config, log: Logger): Cell {
  const open = (role: Role, max: number) => openPool({ url, role, max, log })
  const api = open('cs_api', config.poolSize)
  const jobs = open('cs_jobs', 2)
  const recorder = open('cs_recorder', 2)
  const tenant = (db: Kysely<DB>, caller: Caller, afterCommit: AfterCommit): TenantTx =>
    ({ store: 'cell', db: db.withSchema('cell'), caller, afterCommit }) as TenantTx
  return {
    name,
    inTenant: (caller, work) =>
      transaction(api, { center_id: caller.centerId }, (db: Kysely<DB>, afterCommit) =>
        work(tenant(db, caller, afterCommit)),
      ),
    inTenantJob: (centerId, job, work) =>
      transaction(jobs, { center_id: centerId }, (db: Kysely<DB>, afterCommit) =>
        work(tenant(db, { requestId: job, actorId: job, centerId }, afterCommit)),
      ),
    asJobs: (work) => transaction(jobs, {}, (db: Kysely<never>) => work(db)),
    recordBatch: (centerIds, batch, fresh) => recordBatch(recorder, centerIds, batch, fresh),
    ping: async () => {
      await api.query('select 1')
    },
    close: async () => {
      await Promise.all([api.end(), jobs.end(), recorder.end()])
    },
  }
}

async function recordBatch(
  pool: pg.Pool,
  centerIds: readonly number[],
  batch: string,
  fresh: boolean,
): Promise<readonly string[]> {
  const client = await connect(pool)
  let broken = true
  try {
    const result = await client.query<{ event_id: string }>({
      name: 'record_batch',
      text: 'select event_id from cell.record_batch($1, $2, $3)',
      values: [`{${centerIds.join(',')}}`, batch, fresh],
    })
    broken = false
    return result.rows.map((row) => row.event_id)
  } catch (error) {
    // One statement that is its own transaction: the database said no, or the connection went and nobody knows.
    broken = !(error instanceof pg.DatabaseError)
    throw broken ? unknownOutcome(error) : asProblem(error)
  } finally {
    client.release(broken)
  }
}
