import type { BookingStatus } from '@countersign/contract/enums.ts'
import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'

export interface BookingRow {
  readonly id: string
  readonly instructor_id: string
  readonly booked_for: string
  readonly booked_by: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly created_at: Date
  readonly status: BookingStatus
  readonly reason: string | null
  readonly series_id: string | null
  readonly series_week: number | null
}

export const columns = [
  'id',
  'instructor_id',
  'booked_for',
  'booked_by',
  'starts_at',
  'ends_at',
  'created_at',
  'status',
  'reason',
  'series_id',
  'series_week',
] as const

/** Appointments that overlap the span and were not canceled. */
export const bookingsBetween = (tx: TenantTx, from: Date, to: Date): Promise<BookingRow[]> =>
  tx.db
    .selectFrom('bookings')
    .select(columns)
    .where('center_id', '=', tx.caller.centerId)
    .where('starts_at', '<', to)
    .where('ends_at', '>', from)
    .where('status', '<>', 'canceled')
    .execute() as Promise<BookingRow[]>

export type NewBooking = Omit<BookingRow, 'created_at' | 'status' | 'reason' | 'series_id' | 'series_week'>

/** Undefined when the instructor or the client has an appointment then: constraints decide between concurrent requests. */
export const insertBooking = (tx: TenantTx, booking: NewBooking): Promise<BookingRow | undefined> =>
  tx.db
    .insertInto('bookings')
    .values({ ...booking, center_id: tx.caller.centerId, created_at: now(), placed_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst() as Promise<BookingRow | undefined>

const oneBooking = (tx: TenantTx, id: string) =>
  tx.db.selectFrom('bookings').select(columns).where('center_id', '=', tx.caller.centerId).where('id', '=', id)

export const findBooking = (tx: TenantTx, id: string): Promise<BookingRow | undefined> =>
  oneBooking(tx, id).executeTakeFirst() as Promise<BookingRow | undefined>

/** Locked: of two concurrent changes the second sees the result of the first. */
export const lockBooking = (tx: TenantTx, id: string): Promise<BookingRow | undefined> =>
  oneBooking(tx, id).forUpdate().executeTakeFirst() as Promise<BookingRow | undefined>

/** Those that are the center's, locked in the order of their ids, so that no two calls wait for each other. */
export const lockBookings = (tx: TenantTx, ids: readonly string[]): Promise<BookingRow[]> =>
  tx.db
    .selectFrom('bookings')
    .select(columns)
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute() as Promise<BookingRow[]>

/** One statement, so that the trigger that counts takes its rows in one order. */
export async function setStatuses(
  tx: TenantTx,
  changes: readonly { readonly id: string; readonly status: BookingStatus }[],
): Promise<void> {
  await sql`
    update cell.bookings b set status = c.status, reason = null, changed_at = ${now()}
    from unnest(${changes.map(({ id }) => id)}::uuid[], ${changes.map(({ status }) => status)}::text[]) c (id, status)
    where b.center_id = ${tx.caller.centerId} and b.id = c.id`.execute(tx.db)
}

/**
 * Until the commit, one booking of the center is placed at a time. Two inserts that violate both constraints would otherwise
 * wait for each other.
 */
export const lockPlaces = (tx: TenantTx) =>
  sql`select pg_advisory_xact_lock(hashtext('cell.bookings'), ${tx.caller.centerId}::integer)`.execute(tx.db)

export interface BookingChange {
  readonly instructor_id?: string
  readonly starts_at?: Date
  readonly ends_at?: Date
  readonly placed_at?: Date
  readonly status?: BookingStatus
  readonly reason?: string | null
}

export const updateBooking = (tx: TenantTx, id: string, change: BookingChange): Promise<BookingRow> =>
  tx.db
    .updateTable('bookings')
    .set({ ...change, changed_at: now() })
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow() as Promise<BookingRow>

export interface BookingFilter {
  readonly from?: Date
  readonly to?: Date
  readonly clientId?: string
  readonly instructorId?: string
  readonly status?: BookingStatus
}

const matching = (tx: TenantTx, { from, to, clientId, instructorId, status }: BookingFilter): RawBuilder<unknown> =>
  sql.join(
    [
      sql`center_id = ${tx.caller.centerId}`,
      ...(from ? [sql`starts_at >= ${from}`] : []),
      ...(to ? [sql`starts_at < ${to}`] : []),
      ...(clientId === undefined ? [] : [sql`booked_for = ${clientId}`]),
      ...(instructorId === undefined ? [] : [sql`instructor_id = ${instructorId}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
    ],
    sql` and `,
  )

/** Each filter has an index in the order of the list. */
export async function pageOfBookings(
  tx: TenantTx,
  filter: BookingFilter,
  { after, limit, offset }: { after: Pick<BookingRow, 'id' | 'starts_at'> | null; limit: number; offset: number },
): Promise<BookingRow[]> {
  const onwards = after ? sql`and (starts_at, id) > (${after.starts_at}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<BookingRow>`
    select id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status, reason, series_id,
      series_week
    from cell.bookings where ${matching(tx, filter)} ${onwards}
    order by starts_at, id limit ${limit} offset ${offset}`.execute(tx.db)
  return rows
}

type Counts = readonly { readonly status: BookingStatus; readonly bookings: number }[]

/** All of the center from counters that a trigger keeps; with a filter the matching ones are counted. */
export async function bookingCounts(tx: TenantTx, { status, ...filter }: BookingFilter): Promise<Counts> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const { rows } = await (isFiltered
    ? sql<Counts[number]>`
        select status, count(*)::int as bookings from cell.bookings where ${matching(tx, filter)} group by status`
    : sql<Counts[number]>`
        select status, bookings from cell.booking_counts where center_id = ${tx.caller.centerId}`
  ).execute(tx.db)
  return rows
}

/** Of these people, around a time: those after it first. Each person and side is one look into an index. */
export async function bookingsAround(
  tx: TenantTx,
  actorIds: readonly string[],
  at: Date,
  limit: number,
): Promise<BookingRow[]> {
  const center = tx.caller.centerId
  const side = (column: 'instructor_id' | 'booked_for', ahead: boolean) => sql`
    select b.* from unnest(${actorIds}::uuid[]) p (id) cross join lateral (
      select * from cell.bookings b where b.center_id = ${center} and b.${sql.ref(column)} = p.id
        and b.starts_at ${ahead ? sql`>=` : sql`<`} ${at}
      order by b.starts_at ${ahead ? sql`` : sql`desc`} limit ${limit}) b`
  const { rows } = await sql<BookingRow>`
    select * from (
      ${side('booked_for', true)} union ${side('instructor_id', true)}
      union ${side('booked_for', false)} union ${side('instructor_id', false)}) b
    order by starts_at < ${at}, abs(extract(epoch from starts_at - ${at}::timestamptz)), id limit ${limit}`.execute(
    tx.db,
  )
  return rows
}
