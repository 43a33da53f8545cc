import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freeSlots } from '../../features/centers/bookings/slots.ts'
import type { WeekHours } from '../../verticals/vertical.ts'
import { instantOf, isTimezone, localDateOf, weekdayOf } from '../local-time.ts'

const iso = (instant: number) => new Date(instant).toISOString()

describe('a local time as an instant', () => {
  it.each([
    ['Asia/Seoul', '2026-11-16', '09:00', '2026-11-16T00:00:00.000Z'],
    ['America/New_York', '2026-07-01', '09:00', '2026-07-01T13:00:00.000Z'],
    ['Asia/Kathmandu', '2026-07-01', '09:00', '2026-07-01T03:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-07-01', '00:00', '2026-06-30T10:00:00.000Z'],
    ['Europe/Berlin', '2026-06-01', '24:00', '2026-06-01T22:00:00.000Z'],
  ])('in %s on %s at %s', (zone, date, time, expected) => expect(iso(instantOf(zone, date, time))).toBe(expected))

  it('is the first of two when clocks go back', () => {
    expect(iso(instantOf('Europe/Berlin', '2027-10-31', '02:30'))).toBe('2027-10-31T00:30:00.000Z')
  })

  it('is the instant of the change when clocks skip it', () => {
    expect(iso(instantOf('Europe/Berlin', '2027-03-28', '02:30'))).toBe('2027-03-28T01:00:00.000Z')
    expect(iso(instantOf('Australia/Lord_Howe', '2026-10-04', '02:15'))).toBe('2026-10-03T15:30:00.000Z')
  })

  it('converts back to its date, in every time zone', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('1990-01-01'), max: new Date('2050-01-01'), noInvalidDate: true }),
        (zone, day) => {
          const date = day.toISOString().slice(0, 10)
          const noon = instantOf(zone, date, '12:00')
          return localDateOf(zone, noon) === date && instantOf(zone, date, '00:00') < noon
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('only existing time zones are accepted', () => {
    expect([isTimezone('Asia/Seoul'), isTimezone('Asia/Atlantis'), isTimezone('')]).toEqual([true, false, false])
  })

  it('has the weekday of its date', () =>
    expect([weekdayOf('2026-11-15'), weekdayOf('2026-11-16')]).toEqual(['sun', 'mon']))
})

describe('free slots', () => {
  const hours = (from: string, to: string): WeekHours => ({ sun: [{ from, to }] })
  const day = (over: Partial<Parameters<typeof freeSlots>[0]>) =>
    freeSlots({
      date: '2026-11-15',
      timezone: 'Europe/Berlin',
      openingHours: hours('09:00', '12:00'),
      ownHours: null,
      slotMinutes: 60,
      booked: [],
      ...over,
    })
  const times = (slots: { start: number }[]) => slots.map(({ start }) => iso(start).slice(11, 16))

  it('fill the opening hours without a partial slot at the end', () => {
    expect(times(day({}))).toEqual(['08:00', '09:00', '10:00'])
    expect(times(day({ slotMinutes: 50 }))).toEqual(['08:00', '08:50', '09:40'])
    expect(times(day({ slotMinutes: 181 }))).toEqual([])
  })

  it('are limited to the hours of the instructor', () => {
    expect(times(day({ ownHours: hours('09:30', '12:00') }))).toEqual(['09:00', '10:00'])
    expect(times(day({ ownHours: {} }))).toEqual([])
  })

  it('exclude slots that a booking covers, also in part', () => {
    const at = (time: string) => Date.parse(`2026-11-15T${time}:00Z`)
    expect(times(day({ booked: [{ start: at('09:00'), end: at('10:00') }] }))).toEqual(['08:00', '10:00'])
    expect(times(day({ booked: [{ start: at('08:59'), end: at('09:01') }] }))).toEqual(['10:00'])
  })

  it('are as many as the day has hours: 23 in spring, 25 in autumn', () => {
    const wholeDay = { openingHours: hours('00:00', '24:00') }
    expect(day({ ...wholeDay, date: '2027-03-28' })).toHaveLength(23)
    expect(day({ ...wholeDay, date: '2027-10-31' })).toHaveLength(25)
    expect(day(wholeDay)).toHaveLength(24)
  })

  it('never overlap each other or a booking', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 240 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 1, max: 200 })), { maxLength: 10 }),
        (slotMinutes, bookings) => {
          const midnight = Date.parse('2026-11-14T23:00:00Z')
          const booked = bookings.map(([from, length]) => ({
            start: midnight + from * 60_000,
            end: midnight + (from + length) * 60_000,
          }))
          const slots = day({ openingHours: hours('00:00', '24:00'), slotMinutes, booked })
          const all = [...slots, ...booked.filter((_, index) => index === 0)].sort((a, b) => a.start - b.start)
          return all.every((slot, index) => index === 0 || slot.start >= (all[index - 1]?.end ?? 0))
        },
      ),
      { numRuns: 500 },
    )
  })
})
