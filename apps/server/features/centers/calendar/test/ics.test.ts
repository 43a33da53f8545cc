import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { type CalendarEvent, calendarText, escaped, folded, utc } from '../ics.ts'
import { initialsOf } from '../names.ts'

const event = (more: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid: 'bkg_1@countersign',
  sequence: 0,
  changedAt: new Date('2026-11-19T09:30:00.250Z'),
  startsAt: new Date('2026-12-01T01:00:00Z'),
  endsAt: new Date('2026-12-01T01:50:00Z'),
  isCanceled: false,
  summary: 'Session · Haneul',
  description: '',
  url: 'https://app.example/c/haneul/bookings',
  ...more,
})

/** The event, which is there. */
const there = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('no such event')
  return value
}

const read = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))

/** What is hostile in a name: the ends of a property, of an event and of a line, each way to write a line break, and broken halves. */
const hostile = [
  'Mina\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:stolen',
  'Mina\nATTENDEE:mailto:evil@example.org',
  'a\\nb\\,c;d,e:f"g',
  'a\u0085ATTACH:x\u2028b\u2029c\vd\fe',
  '\u0000\u0007\u001b[31m\u202ered\u202c',
  '한'.repeat(200),
  '👩‍👩‍👧‍👦'.repeat(60),
  `${'x'.repeat(66)}é${'y'.repeat(80)}`,
  'half \ud800 a pair',
  '',
]

describe('a calendar', () => {
  it.each(hostile)('%j is read back as one summary of one event, in lines of at most 75 octets', (summary) => {
    const text = calendarText('Appointments', [event({ summary, description: summary }), event({ uid: 'other' })])
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    for (const bad of ['\r', '\n', '\u0000', '\u202e']) expect(text.replaceAll('\r\n', '')).not.toContain(bad)
    const [first, second, ...more] = read(text)
    expect([there(second).uid, more]).toEqual(['other', []])
    const plain = summary
      .toWellFormed()
      .replaceAll(/\r\n|[\u0085\u2028\u2029\v\f]/g, '\n')
      .replaceAll(/(?!\n)[\p{Cc}\u202e\u202c]/gu, '')
    expect(there(first).summary ?? '').toBe(plain)
    expect(there(first).attendees).toEqual([])
  })

  it('folds between characters, never inside one, and unfolds to the same line', () => {
    for (const text of hostile.map((each) => `SUMMARY:${escaped(each)}`))
      expect(folded(text).replaceAll('\r\n ', '')).toBe(text)
  })

  it('times are those of the clock in every zone, also around a clock change', () => {
    const cases = [
      // Berlin: 01:59 CET is followed by 03:00 CEST, and in October 02:30 happens twice.
      ['2027-03-28T00:30:00Z', '2027-03-28T01:30:00Z', '20270328T003000Z'],
      ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '20261025T003000Z'],
      ['2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z', '20261025T013000Z'],
      // New York, and Seoul, which has no clock change.
      ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '20261101T053000Z'],
      ['2026-12-31T15:00:00Z', '2026-12-31T16:00:00Z', '20261231T150000Z'],
    ] as const
    for (const [from, to, written] of cases) {
      const [startsAt, endsAt] = [new Date(from), new Date(to)]
      expect(utc(startsAt)).toBe(written)
      const [found] = read(calendarText('x', [event({ startsAt, endsAt })]))
      expect(there(found).startDate.toJSDate()).toEqual(startsAt)
      expect(there(found).endDate.toJSDate()).toEqual(endsAt)
      expect(there(found).duration.toSeconds()).toBe(3600)
    }
  })

  it('has what programs decide by: the identity, the revision, the status', () => {
    const [found] = read(calendarText('x', [event({ sequence: 7, isCanceled: true })]))
    const component = there(found).component
    expect([there(found).uid, there(found).sequence, component.getFirstPropertyValue('status')]).toEqual([
      'bkg_1@countersign',
      7,
      'CANCELLED',
    ])
    expect(String(component.getFirstPropertyValue('last-modified'))).toBe('2026-11-19T09:30:00Z')
    expect(String(component.getFirstPropertyValue('dtstamp'))).toBe('2026-11-19T09:30:00Z')
  })
})

it.each([
  ['Lee Mina', 'L. M.'],
  ['이미나', '이○○'],
  ['mina', 'm.'],
  ['Anna Maria van der Berg', 'A. M. v.'],
  ['👩‍👧 Kim', '👩‍👧. K.'],
  ['  ', ''],
])('of %j go %j into the calendar of somebody else', (name, initials) => expect(initialsOf(name)).toBe(initials))
