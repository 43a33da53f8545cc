/** Free slots of a day: the opening hours, intersected with the instructor's own, minus bookings. Pure. */

import { instantOf, weekdayOf } from '../../../lib/local-time.ts'
import type { WeekHours } from '../../../verticals/vertical.ts'

export interface Interval {
  readonly start: number
  readonly end: number
}

export interface DayPlan {
  readonly date: string
  readonly timezone: string
  readonly openingHours: WeekHours
  /** Null means the opening hours. */
  readonly ownHours: WeekHours | null
  readonly slotMinutes: number
  readonly booked: readonly Interval[]
}

export function dayIntervals(hours: WeekHours, date: string, timezone: string): Interval[] {
  return (hours[weekdayOf(date)] ?? [])
    .map(({ from, to }) => ({ start: instantOf(timezone, date, from), end: instantOf(timezone, date, to) }))
    .filter(({ start, end }) => start < end)
}

export const overlaps = (a: Interval, b: Interval): boolean => a.start < b.end && b.start < a.end
export const within = (inner: Interval, outer: Interval): boolean =>
  inner.start >= outer.start && inner.end <= outer.end

/** Steps are elapsed minutes since opening: a day of 23 hours has fewer, a day of 25 hours more. */
export function freeSlots(plan: DayPlan): Interval[] {
  const { date, timezone, openingHours, ownHours, slotMinutes, booked } = plan
  const own = ownHours === null ? null : dayIntervals(ownHours, date, timezone)
  const step = slotMinutes * 60_000
  const free: Interval[] = []
  for (const open of dayIntervals(openingHours, date, timezone)) {
    for (let start = open.start; start + step <= open.end; start += step) {
      const slot = { start, end: start + step }
      const works = own === null || own.some((interval) => within(slot, interval))
      if (works && !booked.some((booking) => overlaps(slot, booking))) free.push(slot)
    }
  }
  return free
}
