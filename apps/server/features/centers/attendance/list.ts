/** Attendance as a list, with the names of the people, or as CSV. */
import type { listAttendance } from '@countersign/contract/attendance.ts'
import { attendanceKinds } from '@countersign/contract/enums.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { tenantCsv } from '../../../data/tenant-csv.ts'
import type { Context } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { type TimeQuery, timed } from '../../../lib/time-filter.ts'
import { clientShown } from '../../identity/families/api.ts'
import { namesOfMembers } from '../../identity/members/api.ts'
import {
  type AttendanceFilter,
  type AttendanceRow,
  attendanceCounts,
  pageOfAttendance,
  positionOfAttendance,
} from './list-queries.ts'

async function named(directory: Directory, caller: Caller, rows: readonly AttendanceRow[]) {
  const people = new Set(rows.flatMap((row) => [row.client_id, row.instructor_id]).filter((id) => id !== null))
  const names = await directory.asCenter(caller, (tx) => namesOfMembers(tx, [...people]), 'read')
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  return rows.map((row) => ({
    id: typedId('attendance', row.id),
    kind: row.kind,
    source: row.source,
    at: row.at.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
    bookingId: row.booking_id === null ? null : typedId('booking', row.booking_id),
    clientId: row.client_id,
    clientName: nameOf(row.client_id),
    reference: row.reference,
    instructorId: row.instructor_id,
    instructorName: nameOf(row.instructor_id),
  }))
}

export async function listPage(directory: Directory, { tx, query, principal }: Context<typeof listAttendance.spec>) {
  const { page, limit, cursor, ...rest } = query
  const clientId = await clientShown(directory, principal, rest.clientId)
  const filter = { ...timed(rest), ...(clientId !== undefined && { clientId }) }
  const cursorId = cursor === undefined ? null : uuidOf('attendance', cursor)
  const after = cursorId === null ? undefined : await positionOfAttendance(tx, cursorId)
  if (cursor !== undefined && !after) {
    throw new Problem(
      'VALIDATION_ERROR',
      '"cursor" doesn\'t belong to this list. Send the `nextCursor` of the previous page.',
      { details: { reason: 'cursor', field: 'cursor' } },
    )
  }
  const place = { after: after ?? null, limit: limit + 1, offset: (page - 1) * limit }
  const rows = await pageOfAttendance(tx, filter, place)
  const shown = rows.slice(0, limit)
  const counts = await attendanceCounts(tx, filter)
  const byKind = Object.fromEntries(
    attendanceKinds.map((kind) => [kind, counts.find((each) => each.kind === kind)?.entries ?? 0]),
  ) as Record<(typeof attendanceKinds)[number], number>
  return {
    items: await named(directory, tx.caller, shown),
    total: filter.kind ? byKind[filter.kind] : byKind.attended + byKind.no_show,
    nextCursor: rows.length > limit ? typedId('attendance', (shown.at(-1) as AttendanceRow).id) : null,
    counts: { byKind },
  }
}

const columns = [
  'at',
  'kind',
  'clientName',
  'reference',
  'instructorName',
  'source',
  'recordedAt',
  'clientId',
  'instructorId',
  'bookingId',
  'id',
] as const

export function attendanceCsv(
  { cells, directory }: { cells: Cells; directory: Directory },
  cell: string,
  caller: Caller,
  query: TimeQuery<AttendanceFilter>,
) {
  const filter = timed(query)
  return tenantCsv(cells, cell, caller, {
    columns,
    read: (tx, place) => pageOfAttendance(tx, filter, place),
    describe: (rows: readonly AttendanceRow[]) => named(directory, caller, rows),
  })
}
