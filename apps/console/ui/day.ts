/** Days and hours of a Korean center. Korea has no summer time, so a day is always 24 hours. */
import type { Language } from '../app/i18n.ts'

const offsetMs = 9 * 3_600_000
const dayMs = 86_400_000

/** `2026-11-16`, in KST. */
export type Day = string

export const dayOf = (at: string | number | Date): Day =>
  new Date(new Date(at).getTime() + offsetMs).toISOString().slice(0, 10)
export const today = (): Day => dayOf(Date.now())
/** The day, or today if it is over. */
export const notPast = (day: Day): Day => [day, today()].toSorted().at(-1) ?? day
/** Where the day begins, for the API. */
export const startOf = (day: Day): string => new Date(Date.parse(`${day}T00:00:00Z`) - offsetMs).toISOString()
export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
/** 0 is Monday. */
export const weekdayOf = (day: Day): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
export const mondayOf = (day: Day): Day => addDays(day, -weekdayOf(day))
/** Minutes since midnight in KST. */
export const minutesOf = (at: string | number): number => {
  const local = new Date(new Date(at).getTime() + offsetMs)
  return local.getUTCHours() * 60 + local.getUTCMinutes()
}
export const isDay = (value: unknown): value is Day =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`))

const forms = {
  weekday: { weekday: 'short' },
  month: { month: 'long' },
  full: { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' },
  short: { month: 'long', day: 'numeric', weekday: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export const dayText = (day: Day, language: Language, form: keyof typeof forms): string =>
  new Intl.DateTimeFormat(language === 'ko' ? 'ko-KR' : 'en-US', { ...forms[form], timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
