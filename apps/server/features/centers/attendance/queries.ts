import type { AttendanceKind } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid } from '../../../lib/ids.ts'

interface Marked {
  readonly id: string
  readonly booked_for: string
  readonly instructor_id: string
  readonly starts_at: Date
}

/** Staff decide: their word replaces that of an event and their own earlier one. */
export async function noteBookingAttendance(
  tx: TenantTx,
  marked: readonly (Marked & { readonly kind: AttendanceKind })[],
): Promise<void> {
  const rows = marked.map(({ id, kind, booked_for, instructor_id, starts_at }) => ({
    ...{ center_id: tx.caller.centerId, id: newUuid(), booking_id: id, kind, source: 'booking', reference: null },
    ...{ client_id: booked_for, instructor_id, at: starts_at },
    ...{ recorded_at: now(), recorded_by: tx.caller.actorId },
  }))
  await tx.db
    .insertInto('attendance')
    .values(rows)
    .onConflict((conflict) =>
      conflict.constraint('attendance_of_booking').doUpdateSet(({ ref }) => ({
        kind: ref('excluded.kind'),
        source: ref('excluded.source'),
        client_id: ref('excluded.client_id'),
        reference: ref('excluded.reference'),
        instructor_id: ref('excluded.instructor_id'),
        at: ref('excluded.at'),
        recorded_at: ref('excluded.recorded_at'),
        recorded_by: ref('excluded.recorded_by'),
      })),
    )
    .execute()
}

export interface Recording {
  readonly booking_id: string
  readonly recorded_at: Date
  readonly recorded_by: string | null
}

/** Which of these appointments staff marked, when and who. */
export async function recordingsOf(tx: TenantTx, bookingIds: readonly string[]): Promise<readonly Recording[]> {
  if (bookingIds.length === 0) return []
  const { rows } = await sql<Recording>`
    select booking_id, recorded_at, recorded_by from cell.attendance
    where center_id = ${tx.caller.centerId} and booking_id = any(${bookingIds}::uuid[]) and source = 'booking'`.execute(
    tx.db,
  )
  return rows
}

export interface Verified {
  readonly bookingId: string | null
  readonly clientId: string | null
  readonly reference: string | null
  readonly at: Date
}

/**
 * An appointment of another client is not the one that was verified. Of an appointment with a row the row stays: staff
 * have decided, or another event has said the same.
 */
export async function noteVerifiedAttendance(tx: TenantTx, said: Verified): Promise<void> {
  await sql`
    insert into cell.attendance (center_id, id, kind, source, booking_id, client_id, reference, instructor_id, at, recorded_at)
    select ${tx.caller.centerId}, ${newUuid()}, 'attended', 'event', b.id, coalesce(b.booked_for, ${said.clientId}::uuid),
      ${said.reference}, b.instructor_id, coalesce(b.starts_at, ${said.at}), ${now()}
    from (select) one left join cell.bookings b on b.center_id = ${tx.caller.centerId} and b.id = ${said.bookingId}::uuid
      and b.status <> 'canceled' and ${said.reference}::text is null and b.booked_for = coalesce(${said.clientId}::uuid, b.booked_for)
    on conflict on constraint attendance_of_booking do nothing`.execute(tx.db)
}

/** Of these people, those in an appointment or an attendance row of the center, whose names all staff read there. */
export async function peopleInBookings(tx: TenantTx, actorIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select known.id from unnest(${actorIds}::uuid[]) known (id)
    where exists (select from cell.bookings b where b.center_id = ${tx.caller.centerId} and b.booked_for = known.id)
      or exists (select from cell.bookings b where b.center_id = ${tx.caller.centerId} and b.instructor_id = known.id)
      or exists (select from cell.attendance a where a.center_id = ${tx.caller.centerId} and a.client_id = known.id)`.execute(
    tx.db,
  )
  return new Set(rows.map(({ id }) => id))
}
