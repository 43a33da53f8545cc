/**
 * Leases on rows that are messages: one statement for every table. A worker takes due rows by moving the column `lease`, so that no
 * other worker sees them and a crash only delays them. Each take raises `epoch`, and every later write names it.
 */
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { Lease, LeaseStore } from '../concurrency/leases.ts'

export interface LeasedTable {
  readonly name: string
  readonly key: readonly string[]
  /** The time before which no worker takes the row again. */
  readonly lease: string
  /** Raised by each take; null if a repeated write by an old worker changes nothing. */
  readonly epoch: string | null
  /** Which rows are due at a time. */
  due(at: Date): RawBuilder<unknown>
  readonly order: string
  /** How many rows of one center a worker holds at most, so that a center with many messages does not delay the others. */
  readonly perCenter?: number
  /** Tables of which the row needs something, joined with the row `r`, and all columns that a take returns. */
  readonly joins?: string
  readonly columns: string
}

export interface Taking {
  readonly at: Date
  readonly until: Date
  readonly most: number
  /** Centers of the leases that the worker holds. */
  readonly held: readonly number[]
}

const list = (columns: readonly string[], of = '') => sql.raw(columns.map((column) => of + column).join(', '))

export async function takeRows<Row extends Lease>(
  db: QueryExecutorProvider,
  table: LeasedTable,
  taking: Taking,
): Promise<readonly Row[]> {
  const { at, until, most } = taking
  const { key, lease, epoch, order, perCenter } = table
  const [name, due] = [sql.raw(table.name), table.due(at)]
  const found =
    perCenter === undefined
      ? sql`select ${list(key)} from ${name} where ${due} order by ${sql.raw(order)} limit ${most}`
      : inTurn(table, perCenter, taking)
  // Once a row is locked, check again that it is due: another worker may have taken it in the meantime.
  const raised = epoch === null ? sql`` : sql.raw(`, ${epoch} = r.${epoch} + 1`)
  const { rows } = await sql<Row>`
    with free as (select ${list(key)} from ${name} where ${due} and (${list(key)}) in (${found}) for update skip locked)
    update ${name} r set ${sql.ref(lease)} = ${until}${raised}
    from free ${sql.raw(table.joins ?? '')}
    where ${sql.raw(key.map((column) => `r.${column} = free.${column}`).join(' and '))}
    returning ${sql.raw(table.columns)}, ${sql.raw(epoch === null ? '0' : `r.${epoch}`)} as epoch, false as taken_over`.execute(
    db,
  )
  return rows
}

/** One row of each center, then the next; those that the worker holds count. */
function inTurn({ name, key, order, due }: LeasedTable, perCenter: number, { at, most, held }: Taking) {
  return sql`
    select ${list(key)} from (
      select ${list(key)}, ${sql.raw(order)} as place,
        row_number() over (partition by center_id order by ${sql.raw(order)}, ${list(key)})
          + (select count(*) from unnest(${held}::integer[]) as h (id) where h.id = center_id) as turn
      from ${sql.raw(name)} where ${due(at)}) t
    where turn <= ${perCenter} order by turn, place limit ${most}`
}

/** The row of a lease, as long as the worker holds it. */
export function heldRow<Row extends Lease>({ key, epoch }: LeasedTable, lease: Row): RawBuilder<unknown> {
  const value = (column: string) => lease[column as keyof Row]
  const same = key.map((column) => sql`${sql.ref(column)} = ${value(column)}`)
  return sql.join(epoch === null ? same : [...same, sql`${sql.ref(epoch)} = ${lease.epoch}`], sql` and `)
}

/** Ends the lease; the row is due again at `at`. */
export const putOffRow = <Row extends Lease>(db: QueryExecutorProvider, table: LeasedTable, lease: Row, at: Date) =>
  sql`update ${sql.raw(table.name)} set ${sql.ref(table.lease)} = ${at} where ${heldRow(table, lease)}`.execute(db)

export const removeRow = <Row extends Lease>(
  db: QueryExecutorProvider,
  table: LeasedTable,
  lease: Row,
  unless: RawBuilder<unknown> = sql`false`,
) => sql`delete from ${sql.raw(table.name)} where ${heldRow(table, lease)} and not (${unless})`.execute(db)

/** Runs a statement as the role that may take the rows. */
type Run = <T>(work: (db: QueryExecutorProvider) => Promise<T>) => Promise<T>

interface TableLeases<Row extends Lease> extends LeaseStore<Row> {
  remove(lease: Row): Promise<unknown>
}

export const tableLeases = <Row extends Lease & { readonly center_id?: number | null }>(
  table: LeasedTable,
  run: Run,
): TableLeases<Row> => ({
  take: (at, until, most, held) =>
    run((db) => takeRows<Row>(db, table, { at, until, most, held: held.flatMap(({ center_id }) => center_id ?? []) })),
  release: async (lease, at) => void (await run((db) => putOffRow(db, table, lease, at))),
  remove: (lease) => run((db) => removeRow(db, table, lease)),
})

/** Changes that are brought into centers; the center is what a worker takes, with all of its rows that are due. */
export interface CenterTable {
  readonly name: string
  readonly key: readonly string[]
  readonly lease: string
  readonly order: string
  due(at: Date): RawBuilder<unknown>
  /** Rows that are still to be delivered. */
  readonly open: RawBuilder<unknown>
}

/** There is no epoch, because a repeated delivery changes nothing. */
export async function takeCenters(db: QueryExecutorProvider, table: CenterTable, taking: Taking) {
  const { at, until, most, held } = taking
  const [name, key, due] = [sql.raw(table.name), list(table.key), sql`${table.open} and ${table.due(at)}`]
  const { rows } = await sql<{ center_id: number }>`
    with free as (
      select ${key} from ${name} where ${due} and center_id in (
        select center_id from ${name} where ${due} and center_id <> all (${held}::integer[])
        group by center_id order by min(${sql.raw(table.order)}) limit ${most})
      for update skip locked
    ), taken as (
      update ${name} set ${sql.ref(table.lease)} = ${until} where (${key}) in (select ${key} from free) returning center_id)
    select distinct center_id from taken`.execute(db)
  return rows.map(({ center_id }) => center_id)
}

export const putOffCenter = (db: QueryExecutorProvider, table: CenterTable, centerId: number, at: Date) =>
  sql`
    update ${sql.raw(table.name)} set ${sql.ref(table.lease)} = ${at}
    where center_id = ${centerId} and ${table.open}`.execute(db)
