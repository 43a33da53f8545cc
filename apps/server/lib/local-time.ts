/** Local times of a time zone as instants, also on days with a clock change. Pure; the rules come from Intl. */

const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(timezone, format)
  }
  return format
}

export function isTimezone(timezone: string): boolean {
  try {
    return Boolean(formatFor(timezone))
  } catch {
    return false
  }
}

/** How far the zone's clock is ahead of UTC at this instant, in milliseconds. */
function offsetAt(timezone: string, instant: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatFor(timezone).formatToParts(instant)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
}

/**
 * The instant of a local time. Where clocks go back, a time occurs twice: the first is returned. Where they go forward, a
 * time does not occur: the instant of the change is returned, so that a closing time inside the gap stays in that day.
 */
export function instantOf(timezone: string, date: string, time: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  // The offsets a day before and after are the only two candidates; the earlier instant comes from the larger offset.
  const offsets = [offsetAt(timezone, wall - 86_400_000), offsetAt(timezone, wall + 86_400_000)]
  const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b)
  const match = candidates.find((instant) => instant + offsetAt(timezone, instant) === wall)
  return match ?? jumpBetween(timezone, candidates[0] as number, candidates[1] as number)
}

function jumpBetween(timezone: string, from: number, to: number): number {
  const before = offsetAt(timezone, from)
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(timezone, middle) === before) low = middle
    else high = middle
  }
  return high
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof weekdays)[number]

export const weekdayOf = (date: string): Weekday => weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] as Weekday

/** The local time of an instant, encoded as if it were UTC. */
export const wallTimeOf = (timezone: string, instant: number): number => instant + offsetAt(timezone, instant)

/** The local date of an instant. */
export const localDateOf = (timezone: string, instant: number): string =>
  new Date(wallTimeOf(timezone, instant)).toISOString().slice(0, 10)

/** The date that many days later. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
