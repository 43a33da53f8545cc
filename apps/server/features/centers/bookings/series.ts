/** Appointments of one client every week: judged before, made together or not at all. */
import type { createSeries, getSeries, previewSeries } from '@countersign/contract/booking-series.ts'
import type { SeriesState } from '@countersign/contract/enums.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { meaning } from '../../../data/transaction.ts'
import type { Context } from '../../../http/route.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { localDateOf } from '../../../lib/local-time.ts'
import { Problem } from '../../../lib/problem.ts'
import type { OwnSettings } from '../../../verticals/defaults.ts'
import type { InstructorRow } from '../centers/api.ts'
import { noteAppointment, noteBooking, noteSeries } from './audit.ts'
import { type BookingNeeds, bookable, findSlot, notifyWorkflows, placeKept, requireMember } from './booking.ts'
import { closuresBetween } from './closure-queries.ts'
import { bookingOf } from './list.ts'
import { lockPlaces } from './queries.ts'
import { isWithinHours, type WeekOfSeries, weeksOf } from './series-dates.ts'
import {
  bookingsOfSeries,
  exceptionsOf,
  findSeries,
  insertSeries,
  insertSeriesBookings,
  noteExceptions,
  takenBetween,
} from './series-queries.ts'
import { overlaps } from './slots.ts'

export interface Judged extends Omit<WeekOfSeries, 'exists'> {
  readonly state: SeriesState
  readonly closure: string | null
}

interface Wanted {
  readonly instructor: InstructorRow
  readonly settings: OwnSettings
  readonly bookedFor: string
  readonly weeks: readonly WeekOfSeries[]
  /** Appointments that move away, and so are in nobody's way. */
  readonly without?: readonly string[]
}

/** Why each week can be booked or not. Under the lock of places, it stays so until the commit. */
export async function judge(
  tx: TenantTx,
  { instructor, settings, bookedFor, weeks, without }: Wanted,
): Promise<Judged[]> {
  const [first, last] = [weeks[0], weeks.at(-1)] as [WeekOfSeries, WeekOfSeries]
  const closures = new Map((await closuresBetween(tx, first.date, last.date)).map(({ day, name }) => [day, name]))
  const people = { instructorId: instructor.id, bookedFor }
  const taken = await takenBetween(tx, people, { start: first.start, end: last.end }, without)
  const { timezone, booking } = settings
  return weeks.map((each) => {
    const { exists: _, ...week } = each
    const busy = taken.filter(({ starts_at, ends_at }) =>
      overlaps(week, { start: starts_at.getTime(), end: ends_at.getTime() }),
    )
    const closure = closures.get(week.date) ?? null
    const state = closure
      ? 'closed'
      : !isWithinHours({ timezone, openingHours: booking.openingHours }, instructor.hours, each)
        ? 'outsideHours'
        : busy.some(({ instructor_id }) => instructor_id === instructor.id)
          ? 'instructorBusy'
          : busy.length > 0
            ? 'clientBusy'
            : 'free'
    return { ...week, state, closure }
  })
}

/** The weeks that were asked for; the first one begins with a slot, and the client is a member. */
async function wanted(
  needs: BookingNeeds,
  tx: TenantTx,
  {
    instructorId,
    startsAt,
    weeks,
    bookedFor,
  }: { instructorId: string; startsAt: string; weeks: number; bookedFor: string },
): Promise<Wanted> {
  const { instructor, slot } = await findSlot(needs.directory, tx, instructorId, startsAt, () =>
    requireMember(needs.directory, tx, bookedFor),
  )
  const { settings } = await bookable(needs.directory, tx.caller, instructorId)
  return { instructor, settings, bookedFor, weeks: weeksOf(settings.timezone, slot, weeks) }
}

export async function preview(needs: BookingNeeds, { tx, query }: Context<typeof previewSeries.spec>) {
  const dates = await judge(tx, await wanted(needs, tx, query))
  return {
    dates: dates.map(({ week, date, start, end, state, closure }) => ({
      ...{ week, date, state, closure },
      startsAt: new Date(start).toISOString(),
      endsAt: new Date(end).toISOString(),
    })),
  }
}

/** What keeps a series from being made or moved, so that a caller can leave these dates out. */
export const notAllFree = (dates: readonly Pick<Judged, 'date' | 'state'>[]) =>
  new Problem(
    'CONFLICT',
    "Some dates can't be booked any more, so nothing was changed. Read the preview again, or leave these dates out.",
    { details: { reason: 'dates', dates: dates.map(({ date, state }) => ({ date, state })) } },
  )

const seriesTaken = () => notAllFree([])

export async function create(needs: BookingNeeds, { tx, body, principal }: Context<typeof createSeries.spec>) {
  const request = await wanted(needs, tx, body)
  await lockPlaces(tx)
  const judged = await judge(tx, request)
  const leaveOut = new Set(body.leaveOut)
  const unknown = [...leaveOut].find((date) => !judged.some((each) => each.date === date))
  if (unknown)
    throw new Problem(
      'VALIDATION_ERROR',
      `"leaveOut" has ${unknown}, which isn't a date of this series. Send only dates that the preview shows.`,
      { details: { reason: 'notInSeries', field: 'leaveOut' } },
    )
  const [kept, out] = [
    judged.filter(({ date }) => !leaveOut.has(date)),
    judged.filter(({ date }) => leaveOut.has(date)),
  ]
  const blocked = kept.filter(({ state }) => state !== 'free')
  if (blocked.length > 0) throw notAllFree(blocked)
  if (kept.length === 0)
    throw new Problem('VALIDATION_ERROR', 'The series leaves out every date. Leave at least one date in.', {
      details: { reason: 'allLeftOut', field: 'leaveOut' },
    })
  const id = newUuid()
  const { instructor, bookedFor } = request
  await insertSeries(tx, { id, booked_for: bookedFor, booked_by: principal.actorId, weeks: body.weeks })
  const booked = await insertSeriesBookings(
    tx,
    kept.map(({ week, start, end }) => ({
      id: newUuid(),
      instructor_id: instructor.id,
      booked_for: bookedFor,
      booked_by: principal.actorId,
      starts_at: new Date(start),
      ends_at: new Date(end),
      series_id: id,
      series_week: week,
    })),
  ).catch(meaning({ bookings_of_instructor: seriesTaken, bookings_of_client: seriesTaken, booking_kept: placeKept }))
  const exceptions = out.map(({ week, date, state }) => ({
    ...{ week, day: date },
    kind: state === 'free' ? ('skipped' as const) : state,
  }))
  await noteExceptions(tx, id, exceptions)
  await noteSeries(tx, id, 'created', {
    clientId: bookedFor,
    weeks: String(body.weeks),
    leftOut: exceptions.map(({ day }) => day).join(' '),
  })
  for (const row of booked) {
    await noteBooking(tx, row, 'created')
    await notifyWorkflows(needs, tx, row)
  }
  // One message for all of them, about the first.
  const [first] = booked
  if (first) await noteAppointment(tx, 'appointmentMade', first)
  return {
    ...{ id: typedId('bookingSeries', id), bookedFor, weeks: body.weeks },
    bookings: booked.map(bookingOf),
    exceptions: exceptions.map(({ day, ...each }) => ({ ...each, date: day })),
  }
}

export async function read(needs: BookingNeeds, { tx, params }: Context<typeof getSeries.spec>) {
  const uuid = uuidOf('bookingSeries', params.id)
  const series = uuid === null ? undefined : await findSeries(tx, uuid)
  if (!series) throw new Problem('NOT_FOUND', 'This center has no series with this ID. Read the ID from a booking.')
  const { settings } = await bookable(needs.directory, tx.caller)
  const bookings = await bookingsOfSeries(tx, series.id)
  const dayOf = (week: number) =>
    localDateOf(settings.timezone, bookings.find(({ series_week }) => series_week === week)?.starts_at.getTime() ?? 0)
  return {
    ...{ id: typedId('bookingSeries', series.id), bookedFor: series.booked_for, weeks: series.weeks },
    bookings: bookings.map(bookingOf),
    exceptions: (await exceptionsOf(tx, series.id)).map(({ day, ...each }) => ({
      ...each,
      date: day ?? dayOf(each.week),
    })),
  }
}
