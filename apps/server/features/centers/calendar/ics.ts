/**
 * A calendar in the form of RFC 5545. Times are in UTC, so no time zone definition is needed and every program shows its own local
 * time. Pure.
 */

export interface CalendarEvent {
  readonly uid: string
  /** Grows with every change. */
  readonly sequence: number
  readonly changedAt: Date
  readonly startsAt: Date
  readonly endsAt: Date
  readonly isCanceled: boolean
  readonly summary: string
  readonly description: string
  readonly url: string
}

/** Of a line without its line break (3.1). */
const maxOctets = 75

/** A line break inside a character would be read as two lines of broken text: only whole characters are moved to the next line. */
export function folded(line: string): string {
  let [result, octets] = ['', 0]
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxOctets) {
      result += '\r\n '
      // The space counts.
      octets = 1
    }
    result += character
    octets += size
  }
  return result
}

/** Names are written by others: a line break in one begins no property of its own, and control characters are left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => (character === '\n' ? character : ''))
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** `20261119T093000Z`. */
export const utc = (at: Date): string => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')

const linesOf = (event: CalendarEvent): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${event.uid}`,
  // In a published calendar, when this information was last revised (3.8.7.2).
  `DTSTAMP:${utc(event.changedAt)}`,
  `LAST-MODIFIED:${utc(event.changedAt)}`,
  `SEQUENCE:${event.sequence}`,
  `DTSTART:${utc(event.startsAt)}`,
  `DTEND:${utc(event.endsAt)}`,
  `STATUS:${event.isCanceled ? 'CANCELLED' : 'CONFIRMED'}`,
  `TRANSP:${event.isCanceled ? 'TRANSPARENT' : 'OPAQUE'}`,
  `SUMMARY:${escaped(event.summary)}`,
  ...(event.description === '' ? [] : [`DESCRIPTION:${escaped(event.description)}`]),
  `URL:${event.url}`,
  // Whoever shares a calendar shares no appointment of somebody else with it.
  'CLASS:PRIVATE',
  'END:VEVENT',
]

export function calendarText(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Countersign//Appointments//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}
