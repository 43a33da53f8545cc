/** Appointments with instructors. The specification has the free slots; these operations are ours. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { ActorId, CursorQuery, closed, DateTime, named, nullable, PageQuery } from './common.ts'
import { BookingStatusSchema, bookingStatuses } from './enums.ts'
import { TypedId } from './ids.ts'
import { type BookingMove, bookingMoves } from './moves.ts'
import { operation } from './operation.ts'

const booking = {
  id: TypedId('booking', 'Booking id'),
  instructorId: ActorId,
  bookedFor: ActorId,
  startsAt: DateTime,
  endsAt: DateTime,
  createdAt: DateTime,
  status: BookingStatusSchema,
  reason: nullable(Type.String({ description: 'Why it was canceled, if somebody said so' })),
}
const Booking = named('Booking', booking)
const ListedBooking = named('ListedBooking', {
  ...booking,
  instructorName: nullable(Type.String({ description: 'Null for a person who is no member any more' })),
  clientName: nullable(Type.String({ description: 'Null for a person who is no member any more' })),
  bookedBy: ActorId,
})

const anyMember = { kind: 'actor', center: 'addressed' } as const
const staff = { kind: 'actor', center: 'addressed', roles: ['ADMIN', 'INSTRUCTOR'] } as const
const shared = { surface: 'platform', tag: 'Centers', store: 'cell' } as const
const BookingParam = Type.Object({ ...CenterParam.properties, id: Type.String({ minLength: 1, maxLength: 255 }) })

const filters = {
  from: Type.Optional(Type.String({ ...DateTime, description: 'Begins at this time or later' })),
  to: Type.Optional(Type.String({ ...DateTime, description: 'Begins before this time' })),
  clientId: Type.Optional(ActorId),
  instructorId: Type.Optional(ActorId),
  status: Type.Optional(BookingStatusSchema),
}

export const listBookings = operation({
  ...shared,
  id: 'bookings.list',
  method: 'GET',
  path: '/centers/{center}/bookings',
  access: anyMember,
  envelope: 'page',
  summary: 'List appointments in the order of time',
  description:
    'An ADMIN or INSTRUCTOR sees all of the center; other members see those that are for them, and with `clientId` those of a child whose guardian they are. The numbers by status follow the other filters.',
  params: CenterParam,
  query: Type.Object({ ...PageQuery.properties, ...filters, ...CursorQuery }, closed),
  replies: { 200: ListedBooking },
  counts: named('BookingCounts', {
    byStatus: named(
      'BookingsByStatus',
      Object.fromEntries(bookingStatuses.map((name) => [name, Type.Integer()])) as Record<
        (typeof bookingStatuses)[number],
        ReturnType<typeof Type.Integer>
      >,
    ),
  }),
  errors: ['INSUFFICIENT_ROLE'],
})

export const exportBookings = operation({
  ...shared,
  id: 'bookings.exportCsv',
  method: 'GET',
  path: '/centers/{center}/bookings.csv',
  access: staff,
  envelope: 'bare',
  contentType: 'text/csv',
  summary: 'Get the appointments of a center as CSV, with the filters of the list',
  params: CenterParam,
  query: Type.Object(filters, closed),
  replies: { 200: Type.String({ description: 'RFC 4180, UTF-8, with a line of column names' }) },
})

export const createBooking = operation({
  ...shared,
  id: 'bookings.create',
  method: 'POST',
  path: '/centers/{center}/bookings',
  access: anyMember,
  summary: 'Book a free slot, for oneself or a child, or as ADMIN or INSTRUCTOR for a member',
  description: 'Neither the instructor nor the client has two appointments at once: the second is refused with 409.',
  params: CenterParam,
  body: named(
    'NewBooking',
    { instructorId: ActorId, startsAt: DateTime, bookedFor: Type.Optional(ActorId) },
    { examples: [{ instructorId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40', startsAt: '2026-11-16T01:00:00.000Z' }] },
  ),
  replies: { 201: Booking },
  errors: ['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_ROLE'],
})

export const moveBooking = operation({
  ...shared,
  id: 'bookings.move',
  method: 'POST',
  path: '/centers/{center}/bookings/{id}/move',
  access: anyMember,
  summary: 'Move an appointment to another free slot, also of another instructor',
  description:
    'For the client, a guardian of the client, an ADMIN or an INSTRUCTOR. Only an appointment that is `booked` can be moved, and only into the future.',
  params: BookingParam,
  body: named(
    'BookingRelocation',
    { startsAt: DateTime, instructorId: Type.Optional(ActorId) },
    { examples: [{ startsAt: '2026-11-16T02:00:00.000Z' }] },
  ),
  replies: { 200: Booking },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const described = (name: BookingMove) =>
  `From ${bookingMoves[name].from.join(' or ')} to ${bookingMoves[name].to}; in any other state it is refused with 409.`

const attendance = { ...shared, method: 'POST', access: staff, params: BookingParam } as const

export const markAttended = operation({
  ...attendance,
  id: 'bookings.markAttended',
  path: '/centers/{center}/bookings/{id}/attended',
  summary: bookingMoves.attended.meaning,
  description: described('attended'),
  replies: { 200: Booking },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const markNoShow = operation({
  ...attendance,
  id: 'bookings.markNoShow',
  path: '/centers/{center}/bookings/{id}/no-show',
  summary: bookingMoves.no_show.meaning,
  description: described('no_show'),
  replies: { 200: Booking },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const cancelBooking = operation({
  ...attendance,
  id: 'bookings.cancelWithReason',
  path: '/centers/{center}/bookings/{id}/cancel',
  access: anyMember,
  summary: bookingMoves.cancel.meaning,
  description: described('cancel'),
  body: named(
    'BookingCancellation',
    { reason: Type.String({ minLength: 1, maxLength: 500 }) },
    { examples: [{ reason: 'The client is ill.' }] },
  ),
  replies: { 200: Booking },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const deleteBooking = operation({
  ...shared,
  id: 'bookings.cancel',
  method: 'DELETE',
  path: '/centers/{center}/bookings/{id}',
  access: anyMember,
  summary: 'Cancel a booking of the caller or a child, or any as ADMIN or INSTRUCTOR, without a reason',
  params: BookingParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
