/** Days and hours in the time zone of the center. A day has 23, 24 or 25 hours; midnight may occur twice or not at all. */

import { offsetOf } from '@countersign/design/zones.ts'
import type { Language } from '../app/i18n.ts'
import { currentZone } from '../app/zone.ts'

const dayMs = 86_400_000

/** `2026-11-16`, in the zone. */
export type Day = string

export const dayOf = (at: string | number | Date, zone = currentZone()): Day => {
  const ms = new Date(at).getTime()
  return new Date(ms + offsetOf(ms, zone)).toISOString().slice(0, 10)
}
export const today = (zone = currentZone()): Day => dayOf(Date.now(), zone)
/** The day, or today if it is over. */
export const notPast = (day: Day): Day => [day, today()].toSorted().at(-1) ?? day
/** `2026-11-16T09:30`, as a field for a time has it. */
export const localTimeOf = (at: number, zone = currentZone()): string =>
  new Date(at + offsetOf(at, zone)).toISOString().slice(0, 16)
/** The instant of a local time. Of one that occurs twice, the first; one that does not occur moves with the clock. */
export function instantOf(local: string, zone = currentZone()): string {
  const wall = Date.parse(`${local}:00Z`)
  const candidates = [wall - dayMs, wall + dayMs].map((near) => wall - offsetOf(near, zone)).toSorted((a, b) => a - b)
  const first = candidates.find((at) => at + offsetOf(at, zone) === wall) ?? candidates.at(-1)
  return new Date(first ?? wall).toISOString()
}
/** The first instant of the day, for the API. */
export const startOf = (day: Day, zone = currentZone()): string => instantOf(`${day}T00:00`, zone)
export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
/** 0 is Monday. */
export const weekdayOf = (day: Day): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
export const mondayOf = (day: Day): Day => addDays(day, -weekdayOf(day))
/** Minutes on the clock of the zone since midnight. */
export const minutesOf = (at: string | number, zone = currentZone()): number => {
  const ms = new Date(at).getTime()
  const local = new Date(ms + offsetOf(ms, zone))
  return local.getUTCHours() * 60 + local.getUTCMinutes()
}
export const isDay = (value: unknown): value is Day =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`))

const forms = {
  weekday: { weekday: 'short' },
  month: { month: 'long' },
  full: { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' },
  short: { month: 'long', day: 'numeric', weekday: 'short' },
  numeric: { month: 'numeric', day: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export const dayText = (day: Day, language: Language, form: keyof typeof forms): string =>
  new Intl.DateTimeFormat(language === 'ko' ? 'ko-KR' : 'en-US', { ...forms[form], timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
