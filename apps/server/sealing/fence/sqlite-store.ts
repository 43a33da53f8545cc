/**
 * The fence store of one cell: an SQLite file that all processes of the machine share, and optionally a copy in another
 * folder that gets the same writes. Every call is synchronous; writes run on the thread of sqlite-thread.ts. A write is on
 * the disk when it returns.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { now } from '../../lib/clock.ts'
import type { Growth, Lost } from './fence.ts'
import {
  begunAlready,
  closed,
  type Found,
  otherDatabase,
  otherLoss,
  otherStore,
  type Refusal,
  type StoredLog,
  type StoreState,
  type StoreWrites,
  signedAt as signed,
  writtenMeanwhile,
} from './store.ts'

export interface StorePlace {
  readonly folder: string
  readonly copy: string | null
  readonly cell: string
}

const readWaitMs = 250
const openWaitMs = 10_000

const tables = (schema: string): string => `
  create table if not exists ${schema}.store (
    one integer primary key check (one = 1), id text not null, created_at text not null, database_id text, identity text,
    writes integer not null) strict;
  create table if not exists ${schema}.retired (identity text primary key, at text not null) strict, without rowid;
  create table if not exists ${schema}.logs (
    name text primary key, confirmed_size integer not null, confirmed_root text, reserved_size integer,
    reserved_root text) strict, without rowid;
  create table if not exists ${schema}.generations (
    name text primary key, begun_at integer not null, successor text) strict, without rowid;`

const select = 'select * from main.logs left join main.generations using (name)'

export interface SqliteStore extends StoreWrites {
  state(): StoreState
  of(name: string): StoredLog | undefined
  isRetired(identity: string): boolean
  hasLogs(): boolean
  page(after: string, most: number): readonly StoredLog[]
  /** `waitMs` bounds the wait for other processes. `late` is asked once the store is locked. */
  transaction<T>(work: () => T, waitMs: number, late?: () => boolean): T | 'late'
  close(): void
}

export function openStore({ folder, copy, cell }: StorePlace): SqliteStore {
  const db = new DatabaseSync(fileIn(folder, cell), { timeout: openWaitMs })
  const schemas = copy === null ? ['main'] : ['main', 'copy']
  if (copy !== null) db.prepare('attach ? as copy').run(fileIn(copy, cell))
  // FULL: a commit survives a power cut. A copy may be on a network share, which rules out a write-ahead log there.
  patiently(() => db.exec('pragma main.journal_mode = wal'))
  for (const schema of schemas) db.exec(`pragma ${schema}.synchronous = full`)

  const prepared = new Map<string, StatementSync>()
  const statement = (text: string): StatementSync => {
    const known = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, known)
    return known
  }
  /** The same change in the store and in its copy. `$` stands for the schema. */
  const write = (text: string, ...values: (string | number | null)[]): void => {
    for (const schema of schemas) statement(text.replaceAll('$', schema)).run(...values)
  }

  function transaction<T>(work: () => T, waitMs: number, late = () => false): T | 'late' {
    db.exec(`pragma busy_timeout = ${Math.max(0, Math.floor(waitMs))}`)
    try {
      db.exec('begin immediate')
    } catch (error) {
      if (isBusy(error)) return 'late'
      throw error
    }
    try {
      const result = late() ? 'late' : work()
      db.exec(result === 'late' ? 'rollback' : 'commit')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      throw error
    } finally {
      db.exec(`pragma busy_timeout = ${readWaitMs}`)
    }
  }

  const state = (schema = 'main'): StoreState =>
    statement(
      `select id, database_id as databaseId, identity, writes, null as system from ${schema}.store`,
    ).get() as never
  const logOf = (row: Record<string, unknown>): StoredLog => ({
    name: row.name as string,
    confirmed: signed(row.confirmed_size, row.confirmed_root),
    reserved: signed(row.reserved_size, row.reserved_root),
    begunAt: (row.begun_at as number | null) ?? 0,
    successor: row.successor as string | null,
  })
  const of = (name: string): StoredLog | undefined => {
    const row = statement(`${select} where name = ?`).get(name)
    return row && logOf(row)
  }
  /** A closed log is never reserved again. A generation that was reserved and never confirmed is begun again. */
  const generationFault = ({ log, succeeds = [] }: Growth, known: StoredLog | undefined): Refusal => {
    if (known?.successor) return closed(log, known.successor)
    const isLost = ({ log: name, size, root }: Lost) => {
      const { confirmed } = of(name) ?? {}
      return confirmed?.size === size && confirmed.root === root
    }
    const other = succeeds.find((each) => !isLost(each))
    if (other) return otherLoss(other.log)
    return succeeds.length > 0 && known && (known.confirmed?.size ?? 0) > known.begunAt ? begunAlready(log) : null
  }
  const begin = (log: string, from: number, succeeds: readonly Lost[]): void => {
    write('insert or replace into $.generations (name, begun_at) values (?, ?)', log, from)
    for (const { log: lost } of succeeds) {
      write(
        `insert into $.generations (name, begun_at, successor) values (?, 0, ?)
         on conflict (name) do update set successor = excluded.successor`,
        ...[lost, log],
      )
    }
  }
  const hasLogs = (): boolean =>
    statement('select 1 from main.logs where confirmed_size > 0 limit 1').get() !== undefined
  const counted = (): null => {
    write('update $.store set writes = writes + 1')
    return null
  }
  const confirmOne = ({ log, size, root }: Found): void => {
    write(
      `insert into $.logs (name, confirmed_size, confirmed_root) values (?, ?, ?) on conflict (name) do update
       set confirmed_size = excluded.confirmed_size, confirmed_root = excluded.confirmed_root,
       reserved_size = null, reserved_root = null where confirmed_size < excluded.confirmed_size`,
      ...[log, size, root],
    )
  }

  transaction(() => {
    for (const schema of schemas) db.exec(tables(schema))
    if (copy !== null) mergeCopy(db)
    write(
      `insert or ignore into $.store (one, id, created_at, writes) values (1, ?, ?, 0)`,
      ...[randomUUID(), now().toISOString()],
    )
  }, openWaitMs)

  return {
    state,
    of,
    transaction,
    isRetired: (identity) => statement('select 1 from main.retired where identity = ?').get(identity) !== undefined,
    hasLogs,
    page: (after, most) => statement(`${select} where name > ? order by name limit ?`).all(after, most).map(logOf),

    reserve(identity, grown) {
      if (state().identity !== identity) return otherDatabase
      const logs = grown.map(({ log }) => of(log))
      const refusal = grown.map((each, n) => generationFault(each, logs[n])).find((each) => each !== null)
      if (refusal !== undefined) return refusal
      for (const [n, { log, from, fromRoot, size, root, replaces, succeeds }] of grown.entries()) {
        if (succeeds) begin(log, from, succeeds)
        const { confirmed, reserved } = logs[n] ?? {}
        const continues = from === (confirmed?.size ?? 0) && (from === 0 || confirmed?.root === fromRoot)
        const resolves = from > (confirmed?.size ?? 0) && reserved?.size === from && reserved.root === fromRoot
        const isNamed = !reserved || (reserved.size === replaces?.size && reserved.root === replaces.root)
        if (!succeeds && !resolves && !(continues && isNamed)) {
          const also = reserved ? `; ${reserved.size} are reserved` : ''
          return `${confirmed?.size ?? 0} entries of ${log} are confirmed, and the batch continues ${from}${also}`
        }
        write(
          `insert into $.logs (name, confirmed_size, confirmed_root, reserved_size, reserved_root) values (?, ?, ?, ?, ?)
           on conflict (name) do update set confirmed_size = excluded.confirmed_size, confirmed_root = excluded.confirmed_root,
           reserved_size = excluded.reserved_size, reserved_root = excluded.reserved_root`,
          ...[log, from, fromRoot, size, root],
        )
      }
      return counted()
    },

    confirm(identity, found) {
      if (state().identity !== identity) return otherDatabase
      for (const each of found) {
        const { confirmed, reserved } = of(each.log) ?? {}
        if (confirmed && confirmed.size > each.size) continue
        if (confirmed?.size === each.size && confirmed.root === each.root) continue
        if (reserved?.size !== each.size || reserved.root !== each.root || confirmed?.size === each.size) {
          return `${each.size} entries of ${each.log} with this root are not reserved`
        }
        confirmOne(each)
      }
      return counted()
    },

    bind(databaseId, identity) {
      const { databaseId: bound } = state()
      if (hasLogs() || (bound !== null && bound !== databaseId)) return otherStore
      write('update $.store set database_id = ?, identity = ?', databaseId, identity)
      return counted()
    },

    accept(to, found) {
      const before = state()
      if (before.writes !== to.writes) return writtenMeanwhile
      for (const each of found) confirmOne(each)
      if (before.identity !== null && before.identity !== to.identity) {
        write('insert or ignore into $.retired (identity, at) values (?, ?)', before.identity, now().toISOString())
        write('update $.logs set reserved_size = null, reserved_root = null where reserved_size is not null')
      }
      write('update $.store set database_id = ?, identity = ?', to.databaseId, to.identity)
      return counted()
    },

    close: () => db.close(),
  }
}

function fileIn(folder: string, cell: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${cell}.fence`)
  // SQLite gives its other files the mode of this one.
  closeSync(openSync(file, 'a', 0o600))
  return file
}

const sqliteBusy = 5
const isBusy = (error: unknown): boolean => ((error as { errcode?: number }).errcode ?? 0) % 256 === sqliteBusy

/** SQLite does not wait for other processes when the journal mode changes. */
function patiently(work: () => void): void {
  for (let tries = 1; ; tries++) {
    try {
      work()
      return
    } catch (error) {
      if (!isBusy(error) || tries === 100) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

export class StoreMismatch extends Error {}

/** The larger size of each log counts. Equal counts of writes mean equal content, and nothing is read. */
function mergeCopy(db: DatabaseSync): void {
  const stateOf = (schema: string) =>
    db.prepare(`select id, writes from ${schema}.store`).get() as { id: string; writes: number } | undefined
  const [own, other] = [stateOf('main'), stateOf('copy')]
  if (own && other && own.id !== other.id) throw new StoreMismatch('the copy belongs to another store')
  if (own?.writes === other?.writes) return
  const [older, newer] = (own?.writes ?? -1) < (other?.writes ?? -1) ? ['main', 'copy'] : ['copy', 'main']
  db.exec(`
    insert into ${newer}.logs select * from ${older}.logs where true on conflict (name) do update set
      confirmed_size = excluded.confirmed_size, confirmed_root = excluded.confirmed_root
      where excluded.confirmed_size > confirmed_size;
    delete from ${older}.logs;
    insert into ${older}.logs select * from ${newer}.logs;
    insert or ignore into ${newer}.generations select * from ${older}.generations;
    insert or replace into ${older}.generations select * from ${newer}.generations;
    insert or ignore into ${newer}.retired select * from ${older}.retired;
    insert or ignore into ${older}.retired select * from ${newer}.retired;
    insert or replace into ${older}.store select * from ${newer}.store;`)
}
