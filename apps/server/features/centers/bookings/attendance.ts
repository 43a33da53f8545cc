/** Marks of several appointments in one call, each judged on its own: a roll call loses nothing because of one of them. */
import type { recordAttendance as operation } from '@countersign/contract/bookings.ts'
import type { AttendanceKind, AttendanceOutcome, BookingStatus } from '@countersign/contract/enums.ts'
import { bookingMoves } from '@countersign/contract/moves.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { namesOfMembers } from '../../identity/members/api.ts'
import { noteBookingAttendance } from '../attendance/api.ts'
import { noteAppointment, noteBooking } from './audit.ts'
import { recordingOf, recordingsById } from './list.ts'
import { type BookingRow, lockBookings, setStatuses } from './queries.ts'

interface Mark {
  readonly bookingId: string
  readonly kind: AttendanceKind
  readonly expected?: BookingStatus
}

function outcomeOf(row: BookingRow | undefined, { kind, expected }: Mark): AttendanceOutcome {
  if (!row) return 'notFound'
  if (row.status === kind) return 'unchanged'
  if (!(bookingMoves[kind].from as readonly string[]).includes(row.status)) return 'canceled'
  if (expected !== undefined && row.status !== expected) return 'changed'
  return row.starts_at.getTime() > nowMs() ? 'notStarted' : 'recorded'
}

export async function recordAttendance(directory: Directory, { tx, body }: Context<typeof operation.spec>) {
  const ids = body.marks.map(({ bookingId }) => uuidOf('booking', bookingId))
  const known = ids.filter((id) => id !== null)
  if (new Set(known).size < known.length)
    throw new Problem('VALIDATION_ERROR', '"marks" names an appointment twice. Send one mark for each appointment.', {
      details: { reason: 'twice', field: 'marks' },
    })
  const rows = new Map((await lockBookings(tx, known)).map((row) => [row.id, row]))
  const judged = body.marks.map((mark, at) => {
    const row = rows.get(ids[at] ?? '')
    return { mark, row, outcome: outcomeOf(row, mark) }
  })
  const recorded = judged.flatMap(({ mark, row, outcome }) => (row && outcome === 'recorded' ? [{ mark, row }] : []))
  if (recorded.length > 0) {
    await setStatuses(
      tx,
      recorded.map(({ mark, row }) => ({ id: row.id, status: mark.kind })),
    )
    await noteBookingAttendance(
      tx,
      recorded.map(({ mark, row }) => ({ ...row, kind: mark.kind })),
    )
    for (const { mark, row } of recorded) {
      await noteBooking(tx, row, mark.kind, { from: row.status, to: mark.kind })
      if (mark.kind === 'no_show') await noteAppointment(tx, 'appointmentMissed', row)
    }
  }
  const recordings = await recordingsById(tx, [...rows.keys()])
  const people = [...recordings.values()].map(({ recorded_by }) => recorded_by).filter((id) => id !== null)
  const names = await directory.asCenter(tx.caller, (readTx) => namesOfMembers(readTx, people), 'read')
  return {
    recorded: recorded.length,
    results: judged.map(({ mark, row, outcome }) => ({
      bookingId: mark.bookingId,
      outcome,
      status: row ? (outcome === 'recorded' ? mark.kind : row.status) : null,
      ...recordingOf(row && recordings.get(row.id), names),
    })),
  }
}
