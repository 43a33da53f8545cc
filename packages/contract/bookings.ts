/** Appointments with instructors. The specification has only the free slots. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { ActorId, CursorQuery, closed, DateTime, described, named, nullable, PageQuery } from './common.ts'
import {
  AttendanceKindSchema,
  AttendanceOutcomeSchema,
  BookingStatusSchema,
  bookingStatuses,
  oneOf,
  seriesScopes,
} from './enums.ts'
import { TypedId } from './ids.ts'
import { type BookingMove, bookingMoves } from './moves.ts'
import { operation } from './operation.ts'

const booking = {
  id: TypedId('booking', "The booking's ID."),
  instructorId: described(ActorId, "The instructor's actor ID."),
  bookedFor: described(ActorId, "The client's actor ID."),
  startsAt: described(DateTime, 'When the appointment starts.'),
  endsAt: described(DateTime, 'When the appointment ends.'),
  createdAt: described(DateTime, 'When the booking was made.'),
  status: BookingStatusSchema,
  reason: nullable(
    Type.String({
      description: "Why the appointment was canceled. Null if it wasn't canceled or no reason was given.",
    }),
  ),
  seriesId: nullable(TypedId('bookingSeries', "The weekly series's ID. Null if the appointment isn't part of one.")),
  seriesWeek: nullable(
    Type.Integer({
      description: "The appointment's week in its series, counted from 1. Null if it isn't part of one.",
    }),
  ),
}
export const Booking = named('Booking', booking, { description: "A client's appointment with an instructor." })
const recording = {
  recordedAt: nullable(
    Type.String({
      ...DateTime,
      description:
        "When staff recorded or last corrected the attendance. Null if they haven't, and for members who aren't staff.",
    }),
  ),
  recordedBy: nullable(
    described(
      ActorId,
      "The actor ID of the person who recorded or last corrected it. Null if that isn't known, and for members who aren't staff.",
    ),
  ),
  recordedByName: nullable(
    Type.String({
      description:
        "That person's name. Null if they are no longer a member or that isn't known, and for members who aren't staff.",
    }),
  ),
}
const ListedBooking = named(
  'ListedBooking',
  {
    ...booking,
    instructorName: nullable(
      Type.String({ description: "The instructor's name. Null if they are no longer a member." }),
    ),
    clientName: nullable(Type.String({ description: "The client's name. Null if they are no longer a member." })),
    bookedBy: described(ActorId, 'The actor ID of the person who made the booking.'),
    ...recording,
  },
  { description: "An appointment, with the client's and the instructor's names." },
)

const anyMember = { kind: 'actor', center: 'addressed' } as const
const staff = { kind: 'actor', center: 'addressed', roles: ['ADMIN', 'INSTRUCTOR'] } as const
const shared = { surface: 'platform', tag: 'Centers', store: 'cell' } as const
const BookingParam = Type.Object({
  ...CenterParam.properties,
  id: Type.String({
    minLength: 1,
    maxLength: 255,
    description: "The booking's ID.",
    examples: ['bkg_01kz9x4q8hfx5r3v7t2b6n0m1c'],
  }),
})

const Scope = oneOf(
  'SeriesScope',
  seriesScopes,
  'For an appointment of a weekly series: whether the change applies to this appointment, to this and the following ones, or to all that are still to come. By default, it applies to this one.',
)

const filters = {
  from: Type.Optional(Type.String({ ...DateTime, description: 'Only appointments that start at this time or later.' })),
  to: Type.Optional(Type.String({ ...DateTime, description: 'Only appointments that start before this time.' })),
  clientId: Type.Optional(described(ActorId, "Only this client's appointments.")),
  instructorId: Type.Optional(described(ActorId, "Only this instructor's appointments.")),
  status: Type.Optional(BookingStatusSchema),
}

export const listBookings = operation({
  ...shared,
  id: 'bookings.list',
  method: 'GET',
  path: '/centers/{center}/bookings',
  access: anyMember,
  envelope: 'page',
  summary: 'List appointments',
  description:
    "Returns a center's appointments in chronological order. An ADMIN or INSTRUCTOR sees all of them; other members see their own and, with `clientId`, those of a child they're a guardian of. The counts by status apply every filter except `status`.",
  params: CenterParam,
  query: Type.Object({ ...PageQuery.properties, ...filters, ...CursorQuery }, closed),
  replies: { 200: ListedBooking },
  counts: named(
    'BookingCounts',
    {
      byStatus: named(
        'BookingsByStatus',
        Object.fromEntries(
          bookingStatuses.map((name) => [
            name,
            Type.Integer({ description: `The number of appointments that are \`${name}\`.` }),
          ]),
        ) as Record<(typeof bookingStatuses)[number], ReturnType<typeof Type.Integer>>,
        { description: 'The number of appointments with each status.' },
      ),
    },
    { description: 'Counts of all matching appointments.' },
  ),
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
  summary: 'Export appointments as CSV',
  description: "Returns the center's appointments as CSV. The filters are the same as for the list.",
  params: CenterParam,
  query: Type.Object(filters, closed),
  replies: { 200: Type.String({ description: 'A CSV file (RFC 4180, UTF-8) with column names in the first line.' }) },
})

export const createBooking = operation({
  ...shared,
  id: 'bookings.create',
  method: 'POST',
  path: '/centers/{center}/bookings',
  access: anyMember,
  summary: 'Book an appointment',
  description:
    'Books a free slot for yourself, for your child or, as an ADMIN or INSTRUCTOR, for a member. If the instructor or the client already has an appointment at that time, the response is 409. Find free slots with `GET /api/centers/{center}/available-slots`.',
  params: CenterParam,
  body: named(
    'NewBooking',
    {
      instructorId: described(ActorId, 'The instructor to book.'),
      startsAt: described(
        DateTime,
        'When the slot starts, as shown in the list of free slots.',
        '2026-11-16T01:00:00.000Z',
      ),
      bookedFor: Type.Optional(described(ActorId, "The client's actor ID. Omit this to book for yourself.")),
    },
    {
      description: 'The slot to book.',
      examples: [{ instructorId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40', startsAt: '2026-11-16T01:00:00.000Z' }],
    },
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
  summary: 'Move an appointment',
  description:
    "Moves an appointment to another free slot, which can be another instructor's. The client, their guardian, an ADMIN or an INSTRUCTOR can do this. The appointment must be `booked`, and the new slot must be in the future. With `scope`, appointments of a weekly series move together by the same number of days to the same local time, all of them or none; those that were moved on their own before stay. If a date can't be booked, the response is 409 with the dates in `details.dates`.",
  params: BookingParam,
  body: named(
    'BookingRelocation',
    {
      startsAt: described(DateTime, 'When the new slot starts.', '2026-11-16T02:00:00.000Z'),
      instructorId: Type.Optional(described(ActorId, 'The new instructor. Omit this to keep the current one.')),
      scope: Type.Optional(Scope),
      stay: Type.Optional(
        Type.Array(TypedId('booking', "An appointment's ID."), {
          maxItems: 51,
          uniqueItems: true,
          description: 'Appointments of the series that keep their time, where `scope` includes them.',
        }),
      ),
    },
    { description: 'The slot to move the appointment to.', examples: [{ startsAt: '2026-11-16T02:00:00.000Z' }] },
  ),
  replies: { 200: Booking },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const changeWords = (name: BookingMove) =>
  `${bookingMoves[name].effect} The status changes from \`${bookingMoves[name].from.join('` or `')}\` to \`${bookingMoves[name].to}\`; if the appointment has any other status, the response is 409.`

const attendance = { ...shared, method: 'POST', access: staff, params: BookingParam } as const

export const markAttended = operation({
  ...attendance,
  id: 'bookings.markAttended',
  path: '/centers/{center}/bookings/{id}/attended',
  summary: bookingMoves.attended.summary,
  description: changeWords('attended'),
  replies: { 200: Booking },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const markNoShow = operation({
  ...attendance,
  id: 'bookings.markNoShow',
  path: '/centers/{center}/bookings/{id}/no-show',
  summary: bookingMoves.no_show.summary,
  description: changeWords('no_show'),
  replies: { 200: Booking },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const BookingId = TypedId('booking', "The appointment's ID, as its list has it.")

export const recordAttendance = operation({
  ...shared,
  id: 'bookings.recordAttendance',
  method: 'POST',
  path: '/centers/{center}/bookings/attendance',
  access: staff,
  summary: 'Record the attendance of several appointments',
  description:
    "Marks up to 100 appointments as attended or as a no-show, or corrects earlier marks. Each mark is judged on its own: one that can't be recorded changes nothing and keeps no other from being recorded, and `results` has an entry for each in the order of the request. Send `expected` with the status that you saw, so that a mark that somebody else made in the meantime isn't overwritten: its result is `changed`, with the status that stands and who recorded it. Repeating a request changes nothing more.",
  params: CenterParam,
  body: named(
    'AttendanceMarks',
    {
      marks: Type.Array(
        named(
          'AttendanceMark',
          {
            bookingId: described(BookingId, 'The appointment.'),
            kind: AttendanceKindSchema,
            expected: Type.Optional(
              described(BookingStatusSchema, 'The status that you saw. Omit this to replace any earlier mark.'),
            ),
          },
          { description: "An appointment's attendance." },
        ),
        { minItems: 1, maxItems: 100, description: 'The marks, at most one for each appointment.' },
      ),
    },
    {
      description: 'The attendance to record.',
      examples: [{ marks: [{ bookingId: 'bkg_01kz9x4q8hfx5r3v7t2b6n0m1c', kind: 'attended', expected: 'booked' }] }],
    },
  ),
  replies: {
    200: named(
      'AttendanceResults',
      {
        recorded: Type.Integer({ description: 'How many marks were recorded.' }),
        results: Type.Array(
          named(
            'AttendanceResult',
            {
              bookingId: described(BookingId, 'The appointment.'),
              outcome: AttendanceOutcomeSchema,
              status: nullable(
                described(BookingStatusSchema, "The appointment's status now. Null if it isn't in this center."),
              ),
              ...recording,
            },
            { description: 'What happened to a mark, and what stands now.' },
          ),
          { description: 'What happened to each mark, in the order of the request.' },
        ),
      },
      { description: 'What was recorded.' },
    ),
  },
})

export const cancelBooking = operation({
  ...attendance,
  id: 'bookings.cancelWithReason',
  path: '/centers/{center}/bookings/{id}/cancel',
  access: anyMember,
  summary: bookingMoves.cancel.summary,
  description: changeWords('cancel'),
  body: named(
    'BookingCancellation',
    {
      reason: Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'The reason for canceling the appointment.',
        examples: ['The client is ill.'],
      }),
      scope: Type.Optional(Scope),
    },
    { description: 'The reason for canceling an appointment.', examples: [{ reason: 'The client is ill.' }] },
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
  summary: 'Cancel an appointment without a reason',
  description:
    "Cancels your own or your child's appointment or, as an ADMIN or INSTRUCTOR, any of the center's appointments. The slot becomes free again. To give a reason, use `POST /api/centers/{center}/bookings/{id}/cancel`.",
  params: BookingParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
