/**
 * Cells: a center is in exactly one, and the directory says which. No code here assumes that two cells share a
 * database.
 */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { within } from '../concurrency/within.ts'
import type { Config } from '../config/config.ts'
import { unavailable } from '../lib/problem.ts'
import { calling } from './calling.ts'
import type { DB } from './cell.generated.ts'
import type { CopyOut } from './copy-out.ts'
import type { Caller } from './directory.ts'
import type { Role } from './logins.ts'
import { figuresOf, openPool, type PoolFigures } from './pool.ts'
import { type AfterCommit, requireWritable, type TransactionMode, transaction } from './transaction.ts'
import { type WriteHealth, writeHealth } from './write-health.ts'

declare const tenantBrand: unique symbol
declare const batchBrand: unique symbol
declare const centersBrand: unique symbol

/** One center in its cell, behind row-level security. */
export interface TenantTx {
  readonly [tenantBrand]: true
  readonly store: 'cell'
  /** The name of the cell. */
  readonly cell: string
  readonly db: Kysely<DB>
  readonly caller: Caller
  readonly afterCommit: AfterCommit
  readonly copy: CopyOut
}

/** Several centers of one cell, for the group commit of seals; see sealing/. */
export interface BatchTx {
  readonly [batchBrand]: true
  readonly db: Kysely<DB>
}

/** Several centers in their cell, whose traces their partner reads. */
export interface CentersTx extends Omit<TenantTx, typeof tenantBrand> {
  readonly [centersBrand]: true
}

/**
 * A function call that is its own transaction, for the hot path; prepared once for each connection. It may write only to the centers
 * it names: the policies of the pool's role admit no other, and the setting dies with the transaction of the statement.
 */
export interface Call {
  readonly pool: 'recorder' | 'watchers' | 'runners' | 'deliverers'
  /** Of the prepared statement. */
  readonly name: string
  readonly text: string
  /** It may make work due. */
  readonly wakes?: boolean
}

export interface Cell {
  readonly name: string
  /** The tenant is the caller's center; rows of other centers can be neither read nor written. */
  inTenant<T>(caller: Caller, work: (tx: TenantTx) => Promise<T>, mode?: TransactionMode): Promise<T>
  /** Reads the rows of these centers that their partner may read, and no others. */
  asCenters<T>(caller: Caller, centerIds: readonly number[], work: (tx: CentersTx) => Promise<T>): Promise<T>
  /** A background job for one center. */
  inTenantJob<T>(centerId: number, job: string, work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Housekeeping over all centers. Its role may delete only expired rows. */
  asJobs<T>(work: (db: Kysely<never>) => Promise<T>): Promise<T>
  call<Row>(statement: Call, values: readonly unknown[]): Promise<readonly Row[]>
  /** One center for a workflow step: read-only, on a pool that serves no requests. */
  inTenantRead<T>(centerId: number, job: string, work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Leases of work that runs beside the requests, over all centers. */
  asRunner<T>(work: (db: Kysely<never>) => Promise<T>): Promise<T>
  /** The sequencer's transaction, in the named centers and no others. */
  inBatch<T>(centerIds: readonly number[], work: (tx: BatchTx) => Promise<T>): Promise<T>
  /** The public data of every center: counts without names, and sealed records for public verification. */
  asPublic<T>(work: (db: Kysely<DB>) => Promise<T>): Promise<T>
  /** The same, for a caller who knows the id of one record; a sealed record shows its center. */
  asPublicAbout<T>(recordId: string, work: (db: Kysely<DB>) => Promise<T>): Promise<T>
  /** Resolves if the cell can be written. */
  ping(): Promise<void>
  pools(): PoolFigures[]
  close(): Promise<void>
}

export interface Cells {
  of(name: string): Cell
  /** Refuses new connections to the cell until it is admitted; see schema-check.ts. */
  exclude(name: string): void
  admit(name: string): void
  readonly excluded: ReadonlySet<string>
  readonly all: readonly Cell[]
  /** Those whose background work this process does. They do not change while it runs. */
  readonly worked: readonly Cell[]
  /** Opens a cell that the settings do not have; see known-cells.ts. */
  add(name: string, url: string): void
  /** Calls `look` whenever a cell is asked for that this process does not know. */
  whenUnknown(look: () => void): void
  /** By cell, for the cells that answer in time. */
  ofEach<T>(ask: (cell: Cell) => Promise<T>): Promise<ReadonlyMap<string, T>>
  /** Whether each cell answers within half a second and can be written. */
  up(): Promise<ReadonlyMap<string, boolean>>
  close(): Promise<void>
}

const pingMs = 500
/** A scrape of the metrics waits no longer for a cell that hangs. */
const askMs = 3000

/** `wrote` is called after a transaction that may have made work due. */
export function openCells(config: Config, log: Logger, wrote = (_cell: string) => {}, health = writeHealth()): Cells {
  const excluded = new Set<string>()
  const open = (name: string, url: string) =>
    openCell(name, url, { config, log, admit: () => requireAdmitted(excluded, name), wrote: () => wrote(name), health })
  const cells = new Map(Array.from(config.cells, ([name, url]) => [name, open(name, url)]))
  const worked = [...cells.values()].filter(({ name }) => config.workerCells.has(name))
  let missed = () => {}
  return {
    exclude: (name) => void excluded.add(name),
    admit: (name) => void excluded.delete(name),
    excluded,
    get all() {
      return [...cells.values()]
    },
    worked,
    add: (name, url) => void cells.set(name, open(name, url)),
    whenUnknown(look) {
      missed = look
    },
    async ofEach(ask) {
      const asked = [...cells.values()].map(async (cell) => [cell.name, await within(askMs, ask(cell))] as const)
      const settled = await Promise.allSettled(asked)
      return new Map(settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
    },
    async up() {
      const asked = [...cells.values()].map(async (cell) => {
        const up = within(pingMs, cell.ping()).then(
          () => true,
          () => false,
        )
        return [cell.name, await up] as const
      })
      return new Map(await Promise.all(asked))
    },
    of(name) {
      const cell = cells.get(name)
      if (cell) return cell
      missed()
      throw unavailable(
        "This center's data can't be reached from this server",
        new Error(`this server is not connected to the cell "${name}"`),
      )
    },
    close: async () => {
      await Promise.all([...cells.values()].map((cell) => cell.close()))
    },
  }
}

export function requireAdmitted(excluded: ReadonlySet<string>, name: string): void {
  if (excluded.has(name))
    throw unavailable(
      "This center's data can't be reached right now",
      new Error(`the cell "${name}" cannot be reached`),
    )
}

interface CellOptions {
  readonly config: Config
  readonly log: Logger
  readonly admit: () => void
  readonly wrote: () => void
  readonly health: WriteHealth
}

function openCell(name: string, url: string, { config, log, admit, wrote, health }: CellOptions): Cell {
  const { logins, preparedStatements: prepared } = config
  const open = (role: Role, max: number, pipeline = false) =>
    openPool({ url, role, logins, prepared, max, log, pipeline, admit, health })
  const api = open('cs_api', config.poolSize)
  // A separate pool: this runs while a connection to the directory is held, and a request that holds a cell connection
  // may wait for the directory. One shared pool could deadlock.
  const readers = open('cs_api', 2)
  const jobs = open('cs_jobs', 2)
  const deliverers = open('cs_jobs', 4)
  const runners = open('cs_jobs', 4)
  const steps = open('cs_api', 4)
  const recorder = open('cs_recorder', 2)
  // Opened by processes with event streams only.
  const watchers = open('cs_recorder', 1)
  const sequencer = open('cs_sequencer', config.poolSize, true)
  const outsiders = open('cs_public', 2)
  const pools = { api, readers, jobs, deliverers, runners, steps, recorder, watchers, sequencer, outsiders }
  const access = (db: Kysely<DB>, caller: Caller, afterCommit: AfterCommit, copy: CopyOut) =>
    ({ store: 'cell', cell: name, db: db.withSchema('cell'), caller, afterCommit, copy }) as const
  const tenant = (...given: Parameters<typeof access>) => access(...given) as TenantTx
  async function writing<T>(work: Promise<T>): Promise<T> {
    const result = await work
    wrote()
    return result
  }
  return {
    name,
    inTenant(caller, work, mode) {
      const run = (db: Kysely<DB>, afterCommit: AfterCommit, copy: CopyOut) =>
        work(tenant(db, caller, afterCommit, copy))
      const done = transaction(api, { center_id: caller.centerId }, run, mode)
      return mode === 'read' ? done : writing(done)
    },
    asCenters: (caller, centerIds, work) =>
      transaction(
        readers,
        { center_ids: `{${centerIds.join(',')}}` },
        (db: Kysely<DB>, afterCommit, copy) => work(access(db, caller, afterCommit, copy) as CentersTx),
        'read',
      ),
    inTenantJob(centerId, job, work) {
      const caller = { requestId: job, actorId: job, centerId }
      const run = (db: Kysely<DB>, afterCommit: AfterCommit, copy: CopyOut) =>
        work(tenant(db, caller, afterCommit, copy))
      return writing(transaction(jobs, { center_id: centerId }, run))
    },
    inTenantRead: (centerId, job, work) =>
      transaction(
        steps,
        { center_id: centerId },
        (db: Kysely<DB>, afterCommit, copy) =>
          work(tenant(db, { requestId: job, actorId: job, centerId }, afterCommit, copy)),
        'read',
      ),
    asJobs: (work) => transaction(jobs, {}, (db: Kysely<never>) => work(db)),
    asRunner: (work) => transaction(runners, {}, (db: Kysely<never>) => work(db)),
    call<Row>({ pool, name: statement, text, wakes }: Call, values: readonly unknown[]) {
      const rows = calling(pools[pool], statement, text, values) as Promise<unknown> as Promise<readonly Row[]>
      return wakes ? writing(rows) : rows
    },
    inBatch(centerIds, work) {
      const run = (db: Kysely<DB>) => work({ db: db.withSchema('cell') } as BatchTx)
      return writing(transaction(sequencer, { center_ids: `{${centerIds.join(',')}}` }, run))
    },
    asPublic: (work) => transaction(outsiders, {}, (db: Kysely<DB>) => work(db.withSchema('cell'))),
    asPublicAbout: (recordId, work) =>
      transaction(outsiders, { record_id: recordId }, (db: Kysely<DB>) => work(db.withSchema('cell')), 'read'),
    ping: () => requireWritable(api),
    pools: () => figuresOf(pools),
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
    },
  }
}
