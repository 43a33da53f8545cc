/** What one center has about the children of a guardian. The caller has proved the guardianship. */
import type { AttendanceKind, BookingStatus } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

/** Of one center in one answer; one more is read, to know whether there are more. */
export const mostRows = 500

interface Span {
  readonly from: Date
  readonly to: Date
}

export interface BookingRow {
  readonly id: string
  readonly client: string
  readonly instructor: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly status: BookingStatus
  readonly reason: string | null
}

export async function childrensBookings(tx: TenantTx, children: readonly string[], { from, to }: Span) {
  const { rows } = await sql<BookingRow>`
    select id, booked_for as client, instructor_id as instructor, starts_at as "startsAt", ends_at as "endsAt", status, reason
    from cell.bookings
    where center_id = ${tx.caller.centerId} and booked_for = any (${children}::uuid[])
      and starts_at >= ${from} and starts_at < ${to}
    order by starts_at, id limit ${mostRows + 1}`.execute(tx.db)
  return rows
}

export interface AttendanceRow {
  readonly client: string
  readonly kind: AttendanceKind
  readonly at: Date
  readonly booking: string | null
  readonly instructor: string | null
}

export async function childrensAttendance(tx: TenantTx, children: readonly string[], { from, to }: Span) {
  const { rows } = await sql<AttendanceRow>`
    select client_id as client, kind, at, booking_id as booking, instructor_id as instructor
    from cell.attendance
    where center_id = ${tx.caller.centerId} and client_id = any (${children}::uuid[]) and at >= ${from} and at < ${to}
    order by at desc, id limit ${mostRows + 1}`.execute(tx.db)
  return rows
}
