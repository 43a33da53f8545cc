/** Changes of an appointment: moved, attended, missed, canceled. Each writes one audit entry. */
import type { moveBooking } from '@countersign/contract/bookings.ts'
import { type BookingMove, bookingMoves } from '@countersign/contract/moves.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import type { Context } from '../../../http/route.ts'
import { now, nowMs } from '../../../lib/clock.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { guardedChild } from '../../identity/families/api.ts'
import { noteBookingAttendance } from '../attendance/api.ts'
import { noteAppointment, noteBooking } from './audit.ts'
import { findSlot, isStaff, placeKept, requireActiveChild } from './booking.ts'
import { requireOpen } from './closures.ts'
import { offerPlace } from './offers.ts'
import { type BookingRow, lockBooking, lockPlaces, updateBooking } from './queries.ts'
import { moveWeeks, noteMove, requireInSeries } from './series-changes.ts'
import { noteExceptions } from './series-queries.ts'

/**
 * Of the caller or a child of theirs, or any of the center as staff; another's is as one that does not exist. Who booked for a
 * child and is no longer its guardian has no part in the appointment.
 */
export async function requireBooking(
  directory: Directory,
  tx: TenantTx,
  principal: MemberPrincipal,
  id: string,
): Promise<BookingRow> {
  const uuid = uuidOf('booking', id)
  const row = uuid === null ? undefined : await lockBooking(tx, uuid)
  if (row && (isStaff(principal) || (await actsFor(directory, principal, row)))) return row
  throw new Problem('NOT_FOUND', 'You have no booking with this ID. List your bookings to find the ID.')
}

async function actsFor(directory: Directory, principal: MemberPrincipal, row: BookingRow): Promise<boolean> {
  if (row.booked_for === principal.actorId) return true
  const acting = { actorId: principal.actorId, centerId: principal.entered.centerId, childId: row.booked_for }
  return (await guardedChild(directory, acting)) !== null
}

export async function changeStatus(
  directory: Directory,
  tx: TenantTx,
  row: BookingRow,
  move: BookingMove,
  reason: string | null = null,
): Promise<BookingRow> {
  const { from, to } = bookingMoves[move]
  if (!(from as readonly string[]).includes(row.status)) {
    throw new Problem(
      'CONFLICT',
      `An appointment with the status ${row.status} can't be changed to ${to}. Its status may have changed recently, so fetch the booking again.`,
      { details: { reason: 'status' } },
    )
  }
  if (move !== 'cancel' && row.starts_at.getTime() > nowMs()) {
    throw new Problem('CONFLICT', "This appointment hasn't started yet. Record attendance after it starts.", {
      details: { reason: 'notBegun' },
      passing: true,
    })
  }
  const changed = await updateBooking(tx, row.id, { status: to, reason })
  if (to !== 'canceled') await noteBookingAttendance(tx, [{ ...row, kind: to }])
  await noteBooking(tx, row, to, { from: row.status, to, ...(reason !== null && { reason }) })
  if (to === 'canceled') {
    await noteAppointment(tx, 'appointmentCanceled', changed)
    await offerPlace(directory, tx, row)
  }
  if (to === 'no_show') await noteAppointment(tx, 'appointmentMissed', changed)
  return changed
}

const taken = () =>
  new Problem('CONFLICT', 'The instructor or the client has another appointment at that time. Choose another slot.', {
    details: { reason: 'taken' },
  })

export async function move(
  directory: Directory,
  { tx, params, body, principal }: Context<typeof moveBooking.spec>,
): Promise<BookingRow> {
  // Before the row: a change of a series locks places, then its rows.
  await lockPlaces(tx)
  const row = await requireBooking(directory, tx, principal, params.id)
  if (!isStaff(principal) && row.booked_for !== principal.actorId) {
    await requireActiveChild(directory, principal, row.booked_for)
  }
  if (row.status !== 'booked')
    throw new Problem(
      'CONFLICT',
      `An appointment with the status ${row.status} can't be moved. Make a new booking instead.`,
      { details: { reason: 'status' } },
    )
  const target = await findSlot(directory, tx, body.instructorId ?? row.instructor_id, body.startsAt)
  const { scope = 'one', stay = [] } = body
  if (scope !== 'one') return moveWeeks(directory, tx, requireInSeries(row), { scope, target, stay: new Set(stay) })
  const { instructor, slot } = target
  const [startsAt, endsAt] = [new Date(slot.start), new Date(slot.end)]
  await requireOpen(tx, slot.date)
  const moved = await updateBooking(tx, row.id, {
    instructor_id: instructor.id,
    starts_at: startsAt,
    ends_at: endsAt,
    placed_at: now(),
  }).catch(meaning({ bookings_of_instructor: taken, bookings_of_client: taken, booking_kept: placeKept }))
  await noteMove(tx, row, moved)
  if (row.series_id !== null && row.series_week !== null)
    await noteExceptions(tx, row.series_id, [{ week: row.series_week, day: null, kind: 'moved' }])
  await noteAppointment(tx, 'appointmentMoved', moved, row)
  await offerPlace(directory, tx, row)
  return moved
}
