import type { SeriesException } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import { type BookingRow, columns } from './queries.ts'

export interface SeriesRow {
  readonly id: string
  readonly booked_for: string
  readonly weeks: number
}

export interface ExceptionRow {
  readonly week: number
  readonly day: string | null
  readonly kind: SeriesException
}

export const insertSeries = (tx: TenantTx, series: SeriesRow & { readonly booked_by: string }) =>
  tx.db
    .insertInto('booking_series')
    .values({ ...series, center_id: tx.caller.centerId, created_at: now() })
    .execute()

/** Violates a constraint where one of them is taken, so that none is made. */
export const insertSeriesBookings = (
  tx: TenantTx,
  rows: readonly Omit<BookingRow, 'created_at' | 'status' | 'reason'>[],
): Promise<BookingRow[]> =>
  tx.db
    .insertInto('bookings')
    .values(rows.map((row) => ({ ...row, center_id: tx.caller.centerId, created_at: now(), placed_at: now() })))
    .returning(columns)
    .execute() as Promise<BookingRow[]>

/** A later reason replaces an earlier one: what was moved may be canceled. */
export const noteExceptions = (tx: TenantTx, seriesId: string, exceptions: readonly ExceptionRow[]) =>
  exceptions.length === 0
    ? Promise.resolve()
    : sql`
        insert into cell.booking_series_exceptions (center_id, series_id, week, day, kind, noted_at)
        select ${tx.caller.centerId}, ${seriesId}, e.week, e.day, e.kind, ${now()}
        from jsonb_to_recordset(${JSON.stringify(exceptions)}::jsonb) as e (week smallint, day date, kind text)
        on conflict (center_id, series_id, week) do update set kind = excluded.kind, noted_at = excluded.noted_at
      `.execute(tx.db)

export const findSeries = (tx: TenantTx, id: string): Promise<SeriesRow | undefined> =>
  tx.db
    .selectFrom('booking_series')
    .select(['id', 'booked_for', 'weeks'])
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function exceptionsOf(tx: TenantTx, seriesId: string): Promise<ExceptionRow[]> {
  const { rows } = await sql<ExceptionRow>`
    select week, day::text as day, kind from cell.booking_series_exceptions
    where center_id = ${tx.caller.centerId} and series_id = ${seriesId} order by week`.execute(tx.db)
  return rows
}

const ofSeries = (tx: TenantTx, seriesId: string) =>
  tx.db
    .selectFrom('bookings')
    .select(columns)
    .where('center_id', '=', tx.caller.centerId)
    .where('series_id', '=', seriesId)
    .orderBy('series_week')

export const bookingsOfSeries = (tx: TenantTx, seriesId: string): Promise<BookingRow[]> =>
  ofSeries(tx, seriesId).execute() as Promise<BookingRow[]>

/** In the order of the weeks, so that two changes of a series cannot wait for each other. */
export const lockSeries = (tx: TenantTx, seriesId: string): Promise<BookingRow[]> =>
  ofSeries(tx, seriesId).forUpdate().execute() as Promise<BookingRow[]>

/** Of these two people, what is booked between two instants; without the appointments named. */
export async function takenBetween(
  tx: TenantTx,
  { instructorId, bookedFor }: { readonly instructorId: string; readonly bookedFor: string },
  { start, end }: { readonly start: number; readonly end: number },
  without: readonly string[] = [],
): Promise<Pick<BookingRow, 'instructor_id' | 'booked_for' | 'starts_at' | 'ends_at'>[]> {
  const { rows } = await sql<BookingRow>`
    select instructor_id, booked_for, starts_at, ends_at from cell.bookings
    where center_id = ${tx.caller.centerId} and status <> 'canceled'
      and (instructor_id = ${instructorId} or booked_for = ${bookedFor})
      and tstzrange(starts_at, ends_at) && tstzrange(${new Date(start)}::timestamptz, ${new Date(end)}::timestamptz)
      and id <> all (${without}::uuid[])`.execute(tx.db)
  return rows
}
