/** The waiting list of a center: who wants to be told when an instructor has a place on a day that is full. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { ActorId, closed, DateTime, described, named, nullable, PageQuery } from './common.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Day = Type.String({
  format: 'date',
  description: "A day, as a date in the center's time zone.",
  examples: ['2026-12-07'],
})
const anyMember = { kind: 'actor', center: 'addressed' } as const
const shared = { surface: 'platform', tag: 'Centers', store: 'cell' } as const

const BookingWait = named(
  'BookingWait',
  {
    id: TypedId('bookingWait', "The entry's ID."),
    clientId: described(ActorId, 'The client who waits.'),
    clientName: nullable(Type.String({ description: "The client's name. Null if they are no longer a member." })),
    instructorId: described(ActorId, 'The instructor they wait for.'),
    instructorName: nullable(
      Type.String({ description: "The instructor's name. Null if they are no longer a member." }),
    ),
    date: described(Day, 'The day they wait for.'),
    createdAt: described(DateTime, 'Since when they wait. Whoever waits longest is first.'),
    offer: nullable(
      named(
        'KeptPlace',
        {
          startsAt: described(DateTime, 'When the place starts.'),
          endsAt: described(DateTime, 'When the place ends.'),
          until: described(
            DateTime,
            'Until then, only this client can be booked there. Then the next who waits is told.',
          ),
        },
        { description: 'A place that came free and is kept for this client. Null while they wait for one.' },
      ),
    ),
  },
  { description: 'A client who waits for an instructor on a day.' },
)

export const createWait = operation({
  ...shared,
  id: 'bookingWaits.create',
  method: 'POST',
  path: '/centers/{center}/waiting-list',
  access: anyMember,
  summary: 'Wait for a place',
  description:
    "Adds a client to the waiting list for an instructor's day that has no free slot. When an appointment of that day is canceled or moved away, whoever has waited longest is told, and the place is kept for them for two hours, or until it starts. Only they can be booked there meanwhile; afterwards it's kept for the next. Booking an appointment with the instructor on that day ends the waiting. Members who aren't staff can add themselves and their children. If the day has a free slot, the response is 409.",
  params: CenterParam,
  body: named(
    'NewBookingWait',
    {
      instructorId: described(ActorId, 'The instructor to wait for.'),
      date: described(Day, 'The day to wait for.'),
      bookedFor: Type.Optional(
        described(ActorId, "The client's actor ID. Leave this out to wait for a place of your own."),
      ),
    },
    {
      description: 'Whom to wait for, and when.',
      examples: [{ instructorId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40', date: '2026-12-07' }],
    },
  ),
  replies: { 201: BookingWait },
  errors: ['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_ROLE'],
})

export const listWaits = operation({
  ...shared,
  id: 'bookingWaits.list',
  method: 'GET',
  path: '/centers/{center}/waiting-list',
  access: anyMember,
  envelope: 'page',
  summary: 'List who waits for a place',
  description:
    'Returns the waiting list by day, and by who has waited longest. Staff see all of it; other members see their own entries, or those of the child in `clientId`.',
  params: CenterParam,
  query: Type.Object(
    {
      clientId: Type.Optional(described(ActorId, 'Only this client.')),
      from: Type.Optional(described(Day, 'Only this day and later ones.')),
      to: Type.Optional(described(Day, 'Only this day and earlier ones.')),
      ...PageQuery.properties,
    },
    closed,
  ),
  replies: { 200: BookingWait },
  errors: ['INSUFFICIENT_ROLE'],
})

export const deleteWait = operation({
  ...shared,
  id: 'bookingWaits.delete',
  method: 'DELETE',
  path: '/centers/{center}/waiting-list/{id}',
  access: anyMember,
  summary: 'Leave the waiting list',
  description:
    'Removes an entry of yours, of your child, or, as staff, of any client. A place that was kept for them goes to the next who waits.',
  params: Type.Object({ ...CenterParam.properties, ...IdParam('bookingWait').properties }),
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
