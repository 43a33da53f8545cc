/** Appointments every week: what a series would be, and all of it in one transaction. */
import { Type } from 'typebox'
import { Booking } from './bookings.ts'
import { CenterParam } from './centers.ts'
import { ActorId, closed, DateTime, described, named, nullable } from './common.ts'
import { oneOf, seriesExceptions, seriesStates } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Day = Type.String({
  format: 'date',
  description: "A day, as a date in the center's time zone.",
  examples: ['2026-12-07'],
})
const Week = Type.Integer({ minimum: 1, maximum: 52, description: 'The week of the series, counted from 1.' })
const Weeks = Type.Integer({
  minimum: 2,
  maximum: 52,
  description: 'How many weeks the series has, including weeks without an appointment.',
  examples: [12],
})
const staff = { kind: 'actor', center: 'addressed', roles: ['ADMIN', 'INSTRUCTOR'] } as const
const shared = { surface: 'platform', tag: 'Centers', store: 'cell' } as const

const asked = {
  instructorId: described(ActorId, 'The instructor to book.'),
  startsAt: described(
    DateTime,
    'When the first slot starts. Later weeks have the same local time, also after a clock change.',
    '2026-11-16T01:00:00.000Z',
  ),
  weeks: Weeks,
  bookedFor: described(ActorId, "The client's actor ID."),
}

export const previewSeries = operation({
  ...shared,
  id: 'bookingSeries.preview',
  method: 'GET',
  path: '/centers/{center}/booking-series/preview',
  access: staff,
  summary: 'Preview a weekly series',
  description:
    'Returns the date of each week of a series and whether it can be booked. Nothing is booked or held. Pass the dates to leave out as `leaveOut` when you create the series.',
  params: CenterParam,
  query: Type.Object(asked, closed),
  replies: {
    200: named(
      'BookingSeriesPreview',
      {
        dates: Type.Array(
          named(
            'BookingSeriesDate',
            {
              week: Week,
              date: described(Day, 'The day of this week.'),
              startsAt: described(DateTime, 'When the appointment would start.'),
              endsAt: described(DateTime, 'When the appointment would end.'),
              state: oneOf(
                'BookingSeriesState',
                seriesStates,
                "Whether the date is free. Otherwise, why not: the center is closed, the time is outside the center's or the instructor's hours, or the instructor or the client has another appointment.",
              ),
              closure: nullable(Type.String({ description: 'Why the center is closed. Null if it is open.' })),
            },
            { description: 'One week of a series.' },
          ),
          { description: 'The weeks, in chronological order.' },
        ),
      },
      { description: 'What a series would be.' },
    ),
  },
  errors: ['MISSING_REQUIRED_FIELD', 'NOT_FOUND'],
})

const SeriesException = named(
  'BookingSeriesException',
  {
    week: Week,
    date: described(Day, "The day that the week's appointment would have had, or has."),
    kind: oneOf(
      'BookingSeriesExceptionKind',
      seriesExceptions,
      "Why the week differs from the others: it couldn't be booked, it was skipped on request, or its appointment was moved or canceled on its own.",
    ),
  },
  { description: 'A week that differs from the other weeks of its series.' },
)
const Series = named(
  'BookingSeries',
  {
    id: TypedId('bookingSeries', "The series's ID."),
    bookedFor: described(ActorId, "The client's actor ID."),
    weeks: Weeks,
    bookings: Type.Array(Booking, { description: "The series's appointments, in the order of their weeks." }),
    exceptions: Type.Array(SeriesException, { description: 'The weeks that differ from the others.' }),
  },
  { description: 'Appointments of one client every week.' },
)

export const createSeries = operation({
  ...shared,
  id: 'bookingSeries.create',
  method: 'POST',
  path: '/centers/{center}/booking-series',
  access: staff,
  summary: 'Book a weekly series',
  description:
    "Books a client's appointments at the same local time every week, all at once or none of them. If a date that isn't in `leaveOut` can't be booked, nothing is booked, and the response is 409 with the dates in `details.dates`.",
  params: CenterParam,
  body: named(
    'NewBookingSeries',
    {
      ...asked,
      leaveOut: Type.Optional(
        Type.Array(Day, {
          maxItems: 51,
          uniqueItems: true,
          description: 'Dates without an appointment, such as those that the preview shows as not free.',
          examples: [['2026-12-25']],
        }),
      ),
    },
    {
      description: 'The series to book.',
      examples: [
        {
          instructorId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
          startsAt: '2026-11-16T01:00:00.000Z',
          weeks: 12,
          bookedFor: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f41',
          leaveOut: ['2027-02-08'],
        },
      ],
    },
  ),
  replies: { 201: Series },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const getSeries = operation({
  ...shared,
  id: 'bookingSeries.get',
  method: 'GET',
  path: '/centers/{center}/booking-series/{id}',
  access: staff,
  summary: 'Retrieve a weekly series',
  description: 'Returns the appointments of a series, and the weeks that differ from the others with the reason.',
  params: Type.Object({
    ...CenterParam.properties,
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The series's ID.",
      examples: ['ser_01kz9x4q8hfx5r3v7t2b6n0m1c'],
    }),
  }),
  replies: { 200: Series },
  errors: ['NOT_FOUND'],
})
