/** Weekly series across clock changes: the local time is kept, the instant and the offset follow. */
import { describe, expect, it } from 'vitest'
import { instantOf } from '../../../../lib/local-time.ts'
import { isWithinHours, weeksOf } from '../series-dates.ts'

const hour = 3_600_000
const always = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [{ from: '00:00', to: '24:00' }]]),
)

/** Zone, first local time, and the instants of the weeks; null where the clock does not show that time. */
const cases: readonly [name: string, zone: string, day: string, clock: string, instants: readonly (string | null)[]][] =
  [
    [
      'Seoul has no clock change',
      ...(['Asia/Seoul', '2027-03-08', '10:00'] as const),
      ['2027-03-08T01:00', '2027-03-15T01:00', '2027-03-22T01:00', '2027-03-29T01:00'],
    ],
    [
      'Berlin in spring: ten in the morning is an hour earlier in UTC',
      ...(['Europe/Berlin', '2027-03-22', '10:00'] as const),
      ['2027-03-22T09:00', '2027-03-29T08:00', '2027-04-05T08:00'],
    ],
    [
      'Berlin in autumn: an hour later',
      ...(['Europe/Berlin', '2027-10-25', '10:00'] as const),
      ['2027-10-25T08:00', '2027-11-01T09:00'],
    ],
    [
      'New York changes on another Sunday',
      ...(['America/New_York', '2027-03-08', '16:30'] as const),
      ['2027-03-08T21:30', '2027-03-15T20:30', '2027-03-22T20:30'],
    ],
    [
      'Sydney changes the other way',
      ...(['Australia/Sydney', '2027-03-29', '09:00'] as const),
      ['2027-03-28T22:00', '2027-04-04T23:00'],
    ],
    [
      'Lord Howe moves its clock by half an hour',
      ...(['Australia/Lord_Howe', '2027-03-29', '09:00'] as const),
      ['2027-03-28T22:00', '2027-04-04T22:30'],
    ],
    [
      'a time that a day does not have is left out, and the next week has it again',
      ...(['Europe/Berlin', '2027-03-21', '02:30'] as const),
      ['2027-03-21T01:30', null, '2027-04-04T00:30'],
    ],
    [
      'of a time that occurs twice, the first',
      ...(['Europe/Berlin', '2027-10-24', '02:30'] as const),
      ['2027-10-24T00:30', '2027-10-31T00:30', '2027-11-07T01:30'],
    ],
    [
      'over the end of a year and a leap day',
      ...(['Asia/Seoul', '2027-12-28', '08:00'] as const),
      ['2027-12-27T23:00', '2028-01-03T23:00'],
    ],
    [
      'Kathmandu, five hours and three quarters ahead',
      ...(['Asia/Kathmandu', '2027-05-03', '09:15'] as const),
      ['2027-05-03T03:30', '2027-05-10T03:30'],
    ],
  ]

describe('weeksOf', () => {
  it.each(cases)('%s', (_, zone, day, clock, instants) => {
    const start = instantOf(zone, day, clock)
    const weeks = weeksOf(zone, { start, end: start + hour }, instants.length)
    expect(weeks.map((each) => (each.exists ? new Date(each.start).toISOString().slice(0, 16) : null))).toEqual(
      instants,
    )
    for (const each of weeks) expect(each.end - each.start).toBe(hour)
  })
})

describe('isWithinHours', () => {
  const weekOf = (zone: string, day: string, clock: string) => {
    const start = instantOf(zone, day, clock)
    return weeksOf(zone, { start, end: start + hour }, 1)[0] as ReturnType<typeof weeksOf>[number]
  }
  const plan = { timezone: 'Europe/Berlin', openingHours: { ...always, mon: [{ from: '09:00', to: '12:00' }] } }

  it.each([
    ['at the opening', '2027-03-29', '09:00', null, true],
    ['until the closing', '2027-03-29', '11:00', null, true],
    ['over the closing', '2027-03-29', '11:30', null, false],
    ['beside the own hours', '2027-03-29', '09:00', { mon: [{ from: '10:00', to: '12:00' }] }, false],
    ['on a day without own hours', '2027-03-30', '09:00', { mon: [{ from: '10:00', to: '12:00' }] }, false],
    ['off the steps of the slots', '2027-03-29', '09:20', null, true],
  ] as const)('%s', (_, day, clock, own, expected) => {
    expect(isWithinHours(plan, own as never, weekOf('Europe/Berlin', day, clock))).toBe(expected)
  })
})
