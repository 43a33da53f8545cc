/** The dates of a weekly series: the local time of the first one is kept across clock changes. Pure. */
import { daysAfter, instantOf, localDateOf, wallTimeOf } from '../../../lib/local-time.ts'
import type { WeekHours } from '../../../verticals/vertical.ts'
import { dayIntervals, type Interval, within } from './slots.ts'

export interface WeekOfSeries extends Interval {
  readonly week: number
  readonly date: string
  /** Whether the clock of the zone shows this time on this day: where clocks go forward, an hour is left out. */
  readonly exists: boolean
}

/** The local time of an instant, as `HH:MM`. */
export const clockOf = (timezone: string, instant: number): string =>
  new Date(wallTimeOf(timezone, instant)).toISOString().slice(11, 16)

/** The appointment at this local time on this day. It lasts as long as the first one, in elapsed minutes. */
export function onDay(timezone: string, date: string, clock: string, length: number): Omit<WeekOfSeries, 'week'> {
  const start = instantOf(timezone, date, clock)
  return { date, start, end: start + length, exists: clockOf(timezone, start) === clock }
}

export function weeksOf(timezone: string, first: Interval, weeks: number): WeekOfSeries[] {
  const day = localDateOf(timezone, first.start)
  const clock = clockOf(timezone, first.start)
  return Array.from({ length: weeks }, (_, at) => ({
    week: at + 1,
    ...onDay(timezone, daysAfter(day, at * 7), clock, first.end - first.start),
  }))
}

/** Whether the center is open then and the instructor works. A slot need not begin then: on a day with a clock change it may not. */
export function isWithinHours(
  { timezone, openingHours }: { readonly timezone: string; readonly openingHours: WeekHours },
  ownHours: WeekHours | null,
  { date, exists, ...span }: Omit<WeekOfSeries, 'week'>,
): boolean {
  return (
    exists &&
    [openingHours, ownHours ?? openingHours].every((hours) =>
      dayIntervals(hours, date, timezone).some((open) => within(span, open)),
    )
  )
}
