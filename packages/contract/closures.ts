/** Days on which a center is closed, and the public holidays that it can adopt. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { closed, described, named, nullable } from './common.ts'
import { operation } from './operation.ts'
import { CountryCode } from './places.ts'

const Day = Type.String({
  format: 'date',
  description: "A day, as a date in the center's time zone.",
  examples: ['2026-12-25'],
})
const ClosureName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Why the center is closed, as its members read it.',
  examples: ['Christmas Day'],
})
const Closure = named(
  'Closure',
  {
    date: described(Day, 'The day on which the center is closed.'),
    name: Type.String({ description: 'Why the center is closed, as its members read it.' }),
    holiday: Type.Boolean({ description: 'Whether this is a public holiday that the center adopted.' }),
  },
  { description: 'A day on which the center is closed.' },
)
const NewClosures = named(
  'NewClosures',
  {
    closures: Type.Array(Closure, { description: 'The days that are now closed and were open before.' }),
    appointments: Type.Integer({
      description: 'How many appointments are still booked on these days. Closing a day cancels none of them.',
    }),
  },
  { description: 'Days that were closed.' },
)

const anyMember = { kind: 'actor', center: 'addressed' } as const
const admins = { kind: 'actor', center: 'addressed', roles: ['ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Centers', store: 'cell' } as const

export const listClosures = operation({
  ...shared,
  id: 'closures.list',
  method: 'GET',
  path: '/centers/{center}/closures',
  access: anyMember,
  summary: 'List closed days',
  description:
    'Returns the days on which the center is closed. By default, these are the days from today on for a year; a period can have up to 366 days.',
  params: CenterParam,
  query: Type.Object(
    {
      from: Type.Optional(described(Day, 'The first day of the period.')),
      to: Type.Optional(described(Day, 'The last day of the period.')),
    },
    closed,
  ),
  replies: { 200: Type.Array(Closure) },
})

export const addClosure = operation({
  ...shared,
  id: 'closures.add',
  method: 'POST',
  path: '/centers/{center}/closures',
  access: admins,
  summary: 'Close the center for a day or several days',
  description:
    "Closes the center on one day or on up to 31 days in a row. No appointment can be made on a closed day. Appointments that are already booked stay, and the response counts them. A day that's already closed keeps its name.",
  params: CenterParam,
  body: named(
    'ClosureRequest',
    {
      from: described(Day, 'The first day.'),
      to: Type.Optional(described(Day, 'The last day. Omit this to close one day.')),
      name: ClosureName,
    },
    { description: 'The days to close.', examples: [{ from: '2026-12-28', to: '2026-12-31', name: 'Winter break' }] },
  ),
  replies: { 201: NewClosures },
})

export const removeClosure = operation({
  ...shared,
  id: 'closures.remove',
  method: 'DELETE',
  path: '/centers/{center}/closures/{date}',
  access: admins,
  summary: 'Open the center on a closed day',
  description: "Opens the center again on a day that was closed. It's then open at its usual hours.",
  params: Type.Object({ ...CenterParam.properties, date: described(Day, 'The day to open.') }),
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})

export const getHolidays = operation({
  ...shared,
  id: 'holidays.get',
  method: 'GET',
  path: '/centers/{center}/holidays',
  access: anyMember,
  summary: 'Retrieve public holidays',
  description:
    "Returns the public holidays of the center's country from today on, as far as they're known, and says where they come from. They don't close the center unless it adopts them with `POST /api/centers/{center}/holidays`.",
  params: CenterParam,
  replies: {
    200: named(
      'PublicHolidays',
      {
        country: described(CountryCode, "The center's country."),
        source: nullable(
          Type.String({ description: "The law that names the holidays. Null if the country's holidays aren't known." }),
        ),
        sourceUrl: nullable(Type.String({ description: 'Where to read that law. Null if there is none.' })),
        comparedOn: nullable(described(Day, 'When the dates were last compared with the law. Null if there are none.')),
        days: Type.Array(
          named(
            'PublicHoliday',
            {
              date: described(Day, 'The day of the holiday.'),
              name: Type.String({ description: "The holiday's name in the center's language." }),
              closed: Type.Boolean({ description: 'Whether the center is closed on this day.' }),
            },
            { description: 'A public holiday.' },
          ),
          { description: "The country's public holidays, in chronological order." },
        ),
      },
      { description: "The public holidays of the center's country." },
    ),
  },
})

export const adoptHolidays = operation({
  ...shared,
  id: 'holidays.adopt',
  method: 'POST',
  path: '/centers/{center}/holidays',
  access: admins,
  summary: 'Close the center on public holidays',
  description:
    "Closes the center on all public holidays of a year that are still to come. To stay open on one of them, remove its day with `DELETE /api/centers/{center}/closures/{date}`. If the holidays of the country or the year aren't known, the response is 404.",
  params: CenterParam,
  body: named(
    'HolidayAdoption',
    {
      year: Type.Integer({
        minimum: 2000,
        maximum: 2100,
        description: 'The year whose holidays to adopt.',
        examples: [2027],
      }),
    },
    { description: 'The holidays to adopt.', examples: [{ year: 2027 }] },
  ),
  replies: { 200: NewClosures },
  errors: ['NOT_FOUND'],
})
