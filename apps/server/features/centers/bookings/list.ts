/** Appointments as a list, with the names of the people, or as CSV. */
import type { listBookings } from '@countersign/contract/bookings.ts'
import { bookingStatuses } from '@countersign/contract/enums.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { tenantCsv } from '../../../data/tenant-csv.ts'
import type { Context } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { type TimeQuery, timed } from '../../../lib/time-filter.ts'
import { clientShown } from '../../identity/families/api.ts'
import { namesOfMembers } from '../../identity/members/api.ts'
import { type Recording, recordingsOf } from '../attendance/api.ts'
import { isStaff } from './booking.ts'
import { type BookingFilter, type BookingRow, bookingCounts, findBooking, pageOfBookings } from './queries.ts'

export const bookingOf = (row: BookingRow) => ({
  id: typedId('booking', row.id),
  instructorId: row.instructor_id,
  bookedFor: row.booked_for,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at.toISOString(),
  createdAt: row.created_at.toISOString(),
  status: row.status,
  reason: row.reason,
  seriesId: row.series_id === null ? null : typedId('bookingSeries', row.series_id),
  seriesWeek: row.series_week,
})

type Recordings = ReadonlyMap<string, Recording>

/** Null: nobody has recorded it, or whoever asks doesn't read who did. */
export const recordingOf = (recording: Recording | undefined, names: ReadonlyMap<string, string>) => ({
  recordedAt: recording?.recorded_at.toISOString() ?? null,
  recordedBy: recording?.recorded_by ?? null,
  recordedByName: names.get(recording?.recorded_by ?? '') ?? null,
})

async function named(directory: Directory, caller: Caller, rows: readonly BookingRow[], recordings: Recordings) {
  const recorders = [...recordings.values()].map(({ recorded_by }) => recorded_by).filter((id) => id !== null)
  const people = [...new Set([...rows.flatMap((row) => [row.instructor_id, row.booked_for]), ...recorders])]
  const names = await directory.asCenter(caller, (tx) => namesOfMembers(tx, people), 'read')
  return rows.map((row) => ({
    ...bookingOf(row),
    bookedBy: row.booked_by,
    instructorName: names.get(row.instructor_id) ?? null,
    clientName: names.get(row.booked_for) ?? null,
    ...recordingOf(recordings.get(row.id), names),
  }))
}

export const recordingsById = async (tx: TenantTx, ids: readonly string[]): Promise<Recordings> =>
  new Map((await recordingsOf(tx, ids)).map((each) => [each.booking_id, each]))

export async function listPage(directory: Directory, { tx, query, principal }: Context<typeof listBookings.spec>) {
  const { page, limit, cursor, ...rest } = query
  const clientId = await clientShown(directory, principal, rest.clientId)
  const filter = { ...timed(rest), ...(clientId !== undefined && { clientId }) }
  const cursorId = cursor === undefined ? null : uuidOf('booking', cursor)
  const after = cursorId === null ? undefined : await findBooking(tx, cursorId)
  if (cursor !== undefined && !after) {
    throw new Problem(
      'VALIDATION_ERROR',
      '"cursor" doesn\'t belong to this list. Send the `nextCursor` of the previous page.',
      { details: { reason: 'cursor', field: 'cursor' } },
    )
  }
  const place = { after: after ?? null, limit: limit + 1, offset: (page - 1) * limit }
  const rows = await pageOfBookings(tx, filter, place)
  const shown = rows.slice(0, limit)
  const counts = await bookingCounts(tx, filter)
  const byStatus = Object.fromEntries(
    bookingStatuses.map((status) => [status, counts.find((each) => each.status === status)?.bookings ?? 0]),
  ) as Record<(typeof bookingStatuses)[number], number>
  const marked = isStaff(principal) ? shown.filter(({ status }) => status === 'attended' || status === 'no_show') : []
  const recordings = await recordingsById(
    tx,
    marked.map(({ id }) => id),
  )
  return {
    items: await named(directory, tx.caller, shown, recordings),
    total: filter.status ? byStatus[filter.status] : counts.reduce((sum, { bookings }) => sum + bookings, 0),
    nextCursor: rows.length > limit ? typedId('booking', (shown.at(-1) as BookingRow).id) : null,
    counts: { byStatus },
  }
}

const columns = [
  'startsAt',
  'endsAt',
  'status',
  'clientName',
  'instructorName',
  'reason',
  'bookedFor',
  'instructorId',
  'createdAt',
  'id',
] as const

export function bookingsCsv(
  { cells, directory }: { cells: Cells; directory: Directory },
  cell: string,
  caller: Caller,
  query: TimeQuery<BookingFilter>,
) {
  const filter = timed(query)
  return tenantCsv(cells, cell, caller, {
    columns,
    read: (tx, place) => pageOfBookings(tx, filter, place),
    describe: (rows: readonly BookingRow[]) => named(directory, caller, rows, new Map()),
  })
}
