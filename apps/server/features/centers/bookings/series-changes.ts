/** Changes of several weeks of a series: this and the following ones, or all that are still to come. All of them, or none. */
import type { SeriesScope } from '@countersign/contract/enums.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import { now, nowMs } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { daysAfter, localDateOf } from '../../../lib/local-time.ts'
import { Problem } from '../../../lib/problem.ts'
import { noteAppointment, noteBooking } from './audit.ts'
import { placeKept, type SlotOf } from './booking.ts'
import { offerPlace } from './offers.ts'
import { type BookingRow, updateBooking } from './queries.ts'
import { judge, notAllFree } from './series.ts'
import { clockOf, onDay } from './series-dates.ts'
import { exceptionsOf, lockSeries, noteExceptions } from './series-queries.ts'

interface InSeries extends BookingRow {
  readonly series_id: string
  readonly series_week: number
}

export function requireInSeries(row: BookingRow): InSeries {
  if (row.series_id === null || row.series_week === null)
    throw new Problem('CONFLICT', 'This appointment isn\'t part of a series. Leave out "scope", or send "one".', {
      details: { reason: 'noSeries' },
    })
  return row as InSeries
}

/** With this one, those that are booked and to come, in the order of their weeks; locked. */
async function inScope(tx: TenantTx, row: InSeries, scope: Exclude<SeriesScope, 'one'>): Promise<InSeries[]> {
  const rows = (await lockSeries(tx, row.series_id)) as InSeries[]
  return rows.filter(
    (each) =>
      each.id === row.id ||
      (each.status === 'booked' &&
        each.starts_at.getTime() > nowMs() &&
        (scope === 'all' || each.series_week > row.series_week)),
  )
}

export interface SeriesMove {
  readonly scope: Exclude<SeriesScope, 'one'>
  readonly target: SlotOf
  /** Appointments that keep their place. */
  readonly stay: ReadonlySet<string>
}

/** The caller holds the lock of places. */
export async function moveWeeks(
  directory: Directory,
  tx: TenantTx,
  row: InSeries,
  { scope, target, stay }: SeriesMove,
): Promise<BookingRow> {
  const { instructor, settings, slot } = target
  const { timezone } = settings
  const moved = new Set(
    (await exceptionsOf(tx, row.series_id)).flatMap(({ kind, week }) => (kind === 'moved' ? week : [])),
  )
  if (moved.has(row.series_week))
    throw new Problem(
      'CONFLICT',
      'This appointment was moved on its own before. Move it alone, or move the series from another of its appointments.',
      { details: { reason: 'movedAlone' } },
    )
  const found = (await inScope(tx, row, scope)).filter(({ series_week }) => !moved.has(series_week))
  // In the order of time, which is not that of the weeks where later ones were moved before earlier ones.
  const moving = found
    .filter(({ id }) => id === row.id || !stay.has(typedId('booking', id)))
    .toSorted((one, other) => one.starts_at.getTime() - other.starts_at.getTime())
  const days = (Date.parse(slot.date) - Date.parse(localDateOf(timezone, row.starts_at.getTime()))) / 86_400_000
  const clock = clockOf(timezone, slot.start)
  const weeks = moving.map(({ series_week, starts_at }) => ({
    week: series_week,
    ...onDay(timezone, daysAfter(localDateOf(timezone, starts_at.getTime()), days), clock, slot.end - slot.start),
  }))
  const judged = await judge(tx, {
    ...{ instructor, settings, weeks, bookedFor: row.booked_for },
    without: moving.map(({ id }) => id),
  })
  const blocked = judged.filter(({ state, start }) => state !== 'free' || start <= nowMs())
  if (blocked.length > 0) throw notAllFree(blocked)
  const steps = moving.map((from, at) => ({ from, to: judged[at] as (typeof judged)[number] }))
  // Towards the later, the last goes first: each place that is taken by this series is left before it is needed.
  const isLater = slot.start > row.starts_at.getTime()
  let own: BookingRow = row
  for (const { from, to } of isLater ? steps.toReversed() : steps) {
    const placed = { starts_at: new Date(to.start), ends_at: new Date(to.end), placed_at: now() }
    const changed = await updateBooking(tx, from.id, { instructor_id: instructor.id, ...placed }).catch(
      meaning({
        bookings_of_instructor: () => notAllFree([to]),
        bookings_of_client: () => notAllFree([to]),
        booking_kept: placeKept,
      }),
    )
    await noteMove(tx, from, changed)
    if (from.id === row.id) own = changed
  }
  const staying = found.filter((each) => !moving.includes(each))
  await noteExceptions(
    tx,
    row.series_id,
    staying.map(({ series_week }) => ({ week: series_week, day: null, kind: 'moved' })),
  )
  await noteAppointment(tx, 'appointmentMoved', own, row)
  for (const { from } of steps) await offerPlace(directory, tx, from)
  return own
}

export const noteMove = (tx: TenantTx, from: BookingRow, to: BookingRow) =>
  noteBooking(tx, from, 'moved', {
    fromStartsAt: from.starts_at.toISOString(),
    toStartsAt: to.starts_at.toISOString(),
    fromInstructorId: from.instructor_id,
    toInstructorId: to.instructor_id,
  })

/** The others of the series; the appointment itself is canceled by the caller. */
export async function cancelWeeks(
  directory: Directory,
  tx: TenantTx,
  row: InSeries,
  scope: Exclude<SeriesScope, 'one'>,
  reason: string | null,
): Promise<void> {
  for (const each of (await inScope(tx, row, scope)).filter(({ id }) => id !== row.id)) {
    const { id, status } = each
    await updateBooking(tx, id, { status: 'canceled', reason })
    await noteBooking(tx, each, 'canceled', { from: status, to: 'canceled', ...(reason !== null && { reason }) })
    await offerPlace(directory, tx, each)
  }
}
