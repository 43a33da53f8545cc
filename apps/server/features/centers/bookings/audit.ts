/** What is noted of a change of an appointment: the audit entry, and the cause of messages. */
import { audit } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { noteCellCause } from '../../../mail/causes.ts'
import type { BookingRow } from './queries.ts'

export const noteBooking = (
  tx: TenantTx,
  { id, booked_for, starts_at }: Pick<BookingRow, 'id' | 'booked_for' | 'starts_at'>,
  action: 'created' | 'moved' | 'attended' | 'no_show' | 'canceled',
  details: Readonly<Record<string, string | null>> = {},
): Promise<void> =>
  audit(tx, {
    type: 'center.updated',
    action: `booking_${action}`,
    target: { type: 'booking', id: typedId('booking', id) },
    details: { startsAt: starts_at.toISOString(), clientId: booked_for, ...details },
  })

export const noteSeries = (tx: TenantTx, id: string, action: 'created', details: Readonly<Record<string, string>>) =>
  audit(tx, {
    type: 'center.updated',
    action: `booking_series_${action}`,
    target: { type: 'bookingSeries', id: typedId('bookingSeries', id) },
    details,
  })

export const noteWait = (
  tx: TenantTx,
  id: string,
  action: 'added' | 'removed',
  details: Readonly<Record<string, string>>,
) =>
  audit(tx, {
    type: 'center.updated',
    action: `booking_wait_${action}`,
    target: { type: 'bookingWait', id: typedId('bookingWait', id) },
    details,
  })

type BookingEvent = 'appointmentMade' | 'appointmentMoved' | 'appointmentCanceled' | 'appointmentMissed'

/** `former`: what it was before, where it moved. Each change is a cause of its own. */
export const noteAppointment = (
  tx: TenantTx,
  event: BookingEvent,
  row: BookingRow,
  former?: BookingRow,
): Promise<void> =>
  noteCellCause(tx, {
    id: `booking ${row.id} ${newUuid()}`,
    event,
    facts: {
      person: row.booked_for,
      instructors: [...new Set([row.instructor_id, ...(former ? [former.instructor_id] : [])])],
      by: tx.caller.actorId,
      startsAt: row.starts_at.toISOString(),
      ...(former && { before: former.starts_at.toISOString() }),
    },
  })
