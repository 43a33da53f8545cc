/** Days and times in the zone of a center, over changes of the clock. */
import { expect, it } from 'vitest'
import { durationText, timeText } from '../ui/clock.ts'
import { dayOf, instantOf, localTimeOf, minutesOf, startOf } from '../ui/day.ts'

it.each([
  [
    '2026-11-17T06:30:00Z',
    'Asia/Seoul',
    '2026년 11월 17일 화요일 오후 3:30 KST',
    'Tuesday, November 17, 2026 at 3:30 PM KST',
  ],
  // The last minute of summer time in New York, and the first one after it: 1:59 is followed by 1:00.
  [
    '2026-11-01T05:59:00Z',
    'America/New_York',
    '2026년 11월 1일 일요일 오전 1:59 EDT',
    'Sunday, November 1, 2026 at 1:59 AM EDT',
  ],
  [
    '2026-11-01T06:00:00Z',
    'America/New_York',
    '2026년 11월 1일 일요일 오전 1:00 EST',
    'Sunday, November 1, 2026 at 1:00 AM EST',
  ],
  [
    '2026-03-29T01:00:00Z',
    'Europe/Berlin',
    '2026년 3월 29일 일요일 오전 3:00 CEST',
    'Sunday, March 29, 2026 at 3:00 AM CEST',
  ],
  [
    '2026-11-17T06:30:00Z',
    'Asia/Jakarta',
    '2026년 11월 17일 화요일 오후 1:30 GMT+7',
    'Tuesday, November 17, 2026 at 1:30 PM GMT+7',
  ],
])('%s in %s', (at, zone, korean, english) => {
  expect([timeText(at, 'ko', 'long', zone), timeText(at, 'en', 'long', zone)]).toEqual([korean, english])
})

it.each([
  ['Asia/Seoul', '2026-11-17', '2026-11-16T15:00:00.000Z', 24],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
  // Midnight does not occur: the clock goes from 0:00 to 1:00.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
  // Midnight occurs twice: the clock goes from 1:00 to 0:00.
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', 25],
])('a day of %s, %s', (zone, day, start, hours) => {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  expect(startOf(day, zone)).toBe(start)
  expect((Date.parse(startOf(next, zone)) - Date.parse(start)) / 3_600_000).toBe(hours)
  expect(dayOf(start, zone)).toBe(day)
  expect(dayOf(Date.parse(start) - 1, zone)).not.toBe(day)
})

it('an hour on the clock of the zone', () => {
  expect(['2026-03-08T06:59:00Z', '2026-03-08T07:00:00Z'].map((at) => minutesOf(at, 'America/New_York'))).toEqual([
    119, 180,
  ])
})

it('a local time as an instant: the first of two, and after the gap', () => {
  const local = ['2026-07-01T09:30', '2026-11-01T01:30', '2026-03-08T02:30']
  const instants = local.map((each) => instantOf(each, 'America/New_York'))
  expect(instants).toEqual(['2026-07-01T13:30:00.000Z', '2026-11-01T05:30:00.000Z', '2026-03-08T07:30:00.000Z'])
  const back = instants.map((at) => localTimeOf(Date.parse(at), 'America/New_York'))
  expect(back).toEqual([local[0], local[1], '2026-03-08T03:30'])
})

it('a duration has its two largest units, and is never shown as zero', () => {
  const told = [durationText(8_040_000, 'ko'), durationText(8_040_000, 'en'), durationText(1, 'en')]
  expect(told).toEqual(['2시간 14분', '2 hours 14 minutes', '1 minute'])
})
