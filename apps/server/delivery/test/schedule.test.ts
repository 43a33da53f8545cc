import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../lib/retry-after.ts'
import { nextAttemptAt, pauseUntil, type Reply } from '../schedule.ts'

const delays = [0, 30, 120, 600, 3600, 21_600, 86_400]
const day = 86_400_000
const at = new Date('2026-11-15T08:30:00.500Z')
const failed = { delays, failedInCycle: 1, at, status: 500 as number | null, retryAfter: null as string | null }
interface Failed extends Reply {
  readonly delays: readonly number[]
  readonly failedInCycle: number
}
const next = ({ delays: [, ...pauses], failedInCycle, ...reply }: Failed): Date | null =>
  nextAttemptAt({ pauses, afterwards: 'end' }, failedInCycle, reply)
const secondsUntil = (next: Date | null): number | null => next && (next.getTime() - at.getTime()) / 1000

describe('the schedule', () => {
  it.each([
    [1, 30],
    [2, 120],
    [3, 600],
    [4, 3600],
    [5, 21_600],
    [6, 86_400],
    [7, null],
    [8, null],
  ])('after failure %i the next attempt is %s seconds later', (failedInCycle, seconds) => {
    for (const status of [null, 301, 401, 429, 500, 503]) {
      expect(secondsUntil(next({ ...failed, failedInCycle, status }))).toBe(seconds)
    }
  })

  it('ends after the last attempt, even with a Retry-After', () => {
    expect(next({ ...failed, failedInCycle: 7, status: 429, retryAfter: '60' })).toBe(null)
    expect(next({ ...failed, delays: [0], status: 503, retryAfter: '60' })).toBe(null)
  })

  it('keeps fractions of a second, and delays longer than a day', () => {
    expect(secondsUntil(next({ ...failed, delays: [0, 0.05] }))).toBe(0.05)
    expect(secondsUntil(next({ ...failed, delays: [0, 1.0004] }))).toBe(1)
    expect(secondsUntil(next({ ...failed, delays: [0, 0] }))).toBe(0)
    const long = { ...failed, delays: [0, 200_000], status: 429 }
    expect(secondsUntil(next({ ...long, retryAfter: '300000' }))).toBe(200_000)
  })
})

describe('Retry-After', () => {
  it.each([
    [429, '90', 90],
    [503, '90', 90],
    [429, '10', 30],
    [429, '30', 30],
    [429, 'garbage', 30],
    [429, null, 30],
    [429, '999999999', 86_400],
    [500, '90', 30],
    [301, '90', 30],
    [401, '90', 30],
    [200, '90', 30],
    [null, '90', 30],
  ])('with %s and %j makes the second attempt wait %i seconds', (status, retryAfter, seconds) => {
    expect(secondsUntil(next({ ...failed, status, retryAfter }))).toBe(seconds)
  })

  it.each([
    [429, '10', 10],
    [503, '90', 90],
    [503, '999999999', 86_400],
    [429, 'Sun, 15 Nov 2026 08:30:10 GMT', 9.5],
    [429, '0', null],
    [429, 'soon', null],
    [429, null, null],
    [500, '90', null],
    [null, '90', null],
  ])('with %s and %j pauses the endpoint for %s seconds', (status, retryAfter, seconds) => {
    expect(secondsUntil(pauseUntil({ status, retryAfter, at }))).toBe(seconds)
  })

  it('in the three forms of a date is the same instant', () => {
    const now = Date.UTC(1994, 10, 6, 8, 49, 0)
    for (const date of [
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
      '  Sun, 06 Nov 1994 08:49:37 GMT ',
    ]) {
      expect(retryAfterMs(date, now)).toBe(37_000)
      expect(retryAfterMs(date, now + 37_000)).toBe(null)
      expect(retryAfterMs(date, now + 36_999)).toBe(1)
      expect(retryAfterMs(date, now - 2 * day)).toBe(day)
    }
  })

  it('finds the century of a year with two digits', () => {
    const newYearsEve = Date.UTC(2099, 11, 31, 23, 59, 0)
    expect(retryAfterMs('Thursday, 31-Dec-99 23:59:30 GMT', newYearsEve)).toBe(30_000)
    expect(retryAfterMs('Sunday, 06-Nov-77 08:49:37 GMT', at.getTime())).toBe(null)
    expect(retryAfterMs('Sunday, 06-Nov-76 08:49:37 GMT', at.getTime())).toBe(day)
    expect(retryAfterMs('Friday, 01-Jan-00 00:00:30 GMT', newYearsEve)).toBe(90_000)
  })

  it.each([
    '',
    ' ',
    '0',
    '000',
    '-1',
    '+5',
    '1.5',
    '5s',
    '5, 6',
    '1e3',
    '0x10',
    '٣',
    'Infinity',
    'Sun, 06 Nov 1994 08:49:37 GMT',
    '2030-01-01T00:00:00Z',
    'Tue, 01 Jan 2030 00:00:00',
    'Tue, 01 Jan 2030 00:00:00 UTC',
    'Tue, 01 Jan 2030 00:00:00 +0000',
    'Tue, 1 Jan 2030 00:00:00 GMT',
    'Tue, 00 Jan 2030 00:00:00 GMT',
    'Thu, 31 Feb 2030 00:00:00 GMT',
    'Fri, 29 Feb 2030 00:00:00 GMT',
    'Tue, 01 Jan 2030 24:00:00 GMT',
    'Tue, 01 Jan 2030 00:60:00 GMT',
    'Tue, 01 Foo 2030 00:00:00 GMT',
    'tue, 01 jan 2030 00:00:00 gmt',
    'Tuesday, 01 Jan 2030 00:00:00 GMT',
    'Tue, 01-Jan-30 00:00:00 GMT',
    'Tue Jan 1 00:00:00 2030',
    'Tue Jan  1 00:00:00 2030 GMT',
    'Tue, 01 Jan 2030 00:00:00 GMT; later',
  ])('of %j is ignored', (header) => {
    expect(retryAfterMs(header, at.getTime())).toBe(null)
  })

  it('accepts a leap day and a leap second', () => {
    const before = Date.UTC(2028, 1, 28, 23, 59, 59)
    expect(retryAfterMs('Tue, 29 Feb 2028 00:00:00 GMT', before)).toBe(1000)
    expect(retryAfterMs('Tue, 29 Feb 2028 23:59:60 GMT', Date.UTC(2028, 1, 29, 23, 59, 59))).toBe(1000)
  })

  it('with any value never makes an attempt earlier and never delays it by more than a day', () => {
    const second = fc.integer({ min: 0, max: Date.UTC(2075, 0) / 1000 })
    const header = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.bigInt().map(String),
      second.map((seconds) => new Date(seconds * 1000).toUTCString()),
    )
    fc.assert(
      fc.property(header, fc.constantFrom(429, 503), fc.integer({ min: 1, max: 6 }), (retryAfter, status, n) => {
        const wait = secondsUntil(next({ ...failed, failedInCycle: n, status, retryAfter })) as number
        expect(wait).toBeGreaterThanOrEqual(delays[n] as number)
        expect(wait).toBeLessThanOrEqual(86_400)
        const until = pauseUntil({ status, retryAfter, at })
        if (until) expect(wait).toBeGreaterThanOrEqual(secondsUntil(until) as number)
      }),
      { numRuns: 2000 },
    )
  })

  it('reads any date that the platform writes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: Date.UTC(2200, 0) / 1000 }),
        fc.integer({ min: 1, max: 86_400 }),
        (to, s) => {
          expect(retryAfterMs(new Date(to * 1000).toUTCString(), (to - s) * 1000)).toBe(s * 1000)
        },
      ),
    )
  })
})
