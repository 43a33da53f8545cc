/** A person's appointments as a calendar that other programs subscribe to. These operations aren't in the specification. */
import { Type } from 'typebox'
import { DateTime, described, named, nullable } from './common.ts'
import { operation } from './operation.ts'

const shared = {
  surface: 'platform',
  tag: 'Account',
  store: 'identity',
  access: { kind: 'actor', center: 'optional' },
  path: '/auth/me/calendar',
} as const
const stepUp = { within: 'keys' } as const

const Names = Type.Boolean({
  description:
    "Whether the calendar has people's names. Without them, it says only when and at which center an appointment is. With them, a guardian reads their child's name, clients and guardians read the instructor's, and instructors read their clients' initials.",
  examples: [false],
})

export const getCalendarFeed = operation({
  ...shared,
  id: 'calendarFeed.get',
  method: 'GET',
  summary: 'Retrieve your calendar subscription',
  description: "Returns whether your appointments can be read as a calendar. The address isn't shown again.",
  replies: {
    200: named(
      'CalendarFeed',
      {
        createdAt: nullable(
          described(DateTime, 'When the current address was made. Null if the calendar subscription is off.'),
        ),
        names: Names,
      },
      { description: 'Whether your calendar subscription is on, and what it shows.' },
    ),
  },
})

const Choice = named(
  'CalendarFeedChoice',
  { names: Names },
  { description: 'What the calendar shows.', examples: [{ names: false }] },
)

export const createCalendarFeed = operation({
  ...shared,
  id: 'calendarFeed.create',
  stepUp,
  method: 'POST',
  summary: 'Turn on or reset your calendar subscription',
  description:
    'Makes a new secret address for your appointments: those that you have as a client or an instructor, and those of your children, in all of your centers. Anyone who knows the address can read the calendar, so it is shown only here, and only its hash is stored. An earlier address stops working at once.',
  body: Choice,
  replies: {
    201: named(
      'NewCalendarFeed',
      {
        url: Type.String({
          description: 'The address to subscribe to. Keep it secret.',
          examples: [
            'https://app.countersign.example/api/calendar/csc_9vJ1u3m4b5X6c7V8n9M0aSdFgHjKlQwErTyUiOpZxC0.ics',
          ],
        }),
        createdAt: described(DateTime, 'When the address was made.'),
        names: Names,
      },
      { description: 'The new address of your calendar.' },
    ),
  },
})

export const updateCalendarFeed = operation({
  ...shared,
  id: 'calendarFeed.update',
  stepUp,
  method: 'PATCH',
  summary: 'Change what your calendar shows',
  description:
    "Changes whether the calendar has people's names. The address stays the same. If the calendar subscription is off, the response is 404.",
  body: Choice,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})

export const deleteCalendarFeed = operation({
  ...shared,
  id: 'calendarFeed.delete',
  method: 'DELETE',
  summary: 'Turn off your calendar subscription',
  description: 'The address stops working at once. If the calendar subscription is off, nothing changes.',
  replies: { 204: null },
})

export const readCalendarFeed = operation({
  id: 'calendarFeed.read',
  surface: 'platform',
  method: 'GET',
  path: '/calendar/{file}',
  tag: 'Account',
  access: { kind: 'public' },
  store: 'none',
  envelope: 'bare',
  contentType: 'text/calendar',
  summary: 'Read a calendar by its secret address',
  description:
    "For calendar programs. Returns the appointments that the owner of the address may see now, as iCalendar (RFC 5545), from 31 days ago until a year ahead, at most 1000. An address that was reset or turned off, and one whose owner has deleted the account, gets the same 404 as one that never existed. If one of the centers can't be read, the response is 503 and never a part of the calendar.",
  params: Type.Object({
    file: Type.String({
      maxLength: 100,
      description: 'The secret token with `.ics` behind it.',
      examples: ['csc_9vJ1u3m4b5X6c7V8n9M0aSdFgHjKlQwErTyUiOpZxC0.ics'],
    }),
  }),
  replies: { 200: Type.String({ description: 'The calendar.' }) },
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
})
