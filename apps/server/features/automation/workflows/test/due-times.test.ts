/** Due times around clock changes: forward, back, at midnight, by half an hour. */
import { describe, expect, it } from 'vitest'
import { checkCron, dueAfter, dueBy } from '../due-times.ts'

const between = (cron: string, timezone: string, from: string, to: string): string[] => {
  const found: string[] = []
  for (let at = new Date(from); ; ) {
    at = dueAfter({ cron, timezone }, at)
    if (at > new Date(to)) return found
    found.push(at.toISOString().slice(5, 16))
  }
}

describe('a local time that a clock change skips', () => {
  it.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', '2026-03-30T12:00Z', ['03-29T01:00', '03-30T00:30']],
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', '2026-03-09T12:00Z', ['03-08T07:00', '03-09T06:30']],
    // Half an hour only, and at midnight, where other clocks lose the whole day.
    ['0 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', '2026-10-04T18:00Z', ['10-03T15:30', '10-04T15:00']],
    ['30 0 * * *', 'America/Santiago', '2026-09-05T12:00Z', '2026-09-07T12:00Z', ['09-06T04:00', '09-07T03:30']],
    ['30 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', '2026-03-29T12:00Z', ['03-29T01:00', '03-29T01:30']],
  ])('%s in %s is due once, at the jump', (cron, timezone, from, to, due) => {
    expect(between(cron, timezone, from, to)).toEqual(due)
  })
})

describe('a local time that a clock change repeats', () => {
  it.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', '2026-10-26T12:00Z', ['10-25T00:30', '10-26T01:30']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', '2026-11-02T12:00Z', ['11-01T05:30', '11-02T06:30']],
    ['30 2 * * *', 'Australia/Sydney', '2026-04-04T00:00Z', '2026-04-05T20:00Z', ['04-04T15:30', '04-05T16:30']],
  ])('%s in %s is due once, the first time', (cron, timezone, from, to, due) => {
    expect(between(cron, timezone, from, to)).toEqual(due)
  })

  it('is not due a second time', () => {
    const schedule = { cron: '30 2 * * *', timezone: 'Europe/Berlin' }
    expect(dueAfter(schedule, new Date('2026-10-25T01:10Z')).toISOString()).toBe('2026-10-26T01:30:00.000Z')
    expect(dueBy(schedule, new Date('2026-10-25T05:00Z')).toISOString()).toBe('2026-10-25T00:30:00.000Z')
  })
})

it('the last due time up to an instant is followed by the next one after it', () => {
  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Asia/Seoul', 'Australia/Sydney', 'America/Santiago']) {
    for (const cron of ['*/20 * * * *', '15 2 * * *', '0 0 1,15 * *', '0 9 * * 1-5']) {
      let at = new Date('2026-01-01T00:00Z')
      for (let i = 0; i < 100; i++) {
        const next = dueAfter({ cron, timezone }, at)
        expect(next.getTime()).toBeGreaterThan(at.getTime())
        expect(dueBy({ cron, timezone }, next)).toEqual(next)
        if (i > 0) expect(dueBy({ cron, timezone }, new Date(next.getTime() - 1))).toEqual(at)
        at = next
      }
    }
  }
})

it('without a clock change it is due at the local time', () => {
  expect(between('0 18 * * 5', 'Asia/Seoul', '2026-11-01T00:00Z', '2026-11-15T00:00Z')).toEqual([
    '11-06T09:00',
    '11-13T09:00',
  ])
})

it.each(['* * * *', '0 0 9 * * *', 'nonsense here is not cron', '61 * * * *'])('%s is not a schedule', (cron) => {
  expect(() => checkCron(cron)).toThrow()
})
