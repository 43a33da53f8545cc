/** Schedules that people choose, as the cron expressions of the API. Pure. */

export const repeats = ['hourly', 'daily', 'workdays', 'weekly', 'monthly'] as const
export type Repeat = (typeof repeats)[number]

export interface Chosen {
  readonly repeat: Repeat
  /** `07:05`; of an hourly one, the minute counts. */
  readonly time: string
  /** 0: Sunday. */
  readonly day: number
  readonly date: number
}

const two = (value: number | string): string => String(value).padStart(2, '0')
const whole = (text: string, max: number): number | null =>
  /^\d{1,2}$/.test(text) && Number(text) <= max ? Number(text) : null
const names = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** Null for an expression that the form has no words for. */
export function chosenOf(cron: string): Chosen | null {
  const [minute = '', hour = '', date = '', month = '', weekday = '', ...more] = cron.trim().split(/\s+/)
  const at = whole(minute, 59)
  if (at === null || month !== '*' || more.length > 0) return null
  const usual = { time: '07:00', day: 1, date: 1 }
  if (hour === '*')
    return date === '*' && weekday === '*' ? { ...usual, repeat: 'hourly', time: `00:${two(at)}` } : null
  const hours = whole(hour, 23)
  if (hours === null) return null
  const own = { ...usual, time: `${two(hours)}:${two(at)}` }
  const named = names.indexOf(weekday.toUpperCase())
  const day = named === -1 ? whole(weekday, 7) : named
  if (date === '*' && weekday === '*') return { ...own, repeat: 'daily' }
  if (date === '*' && /^(1-5|MON-FRI)$/i.test(weekday)) return { ...own, repeat: 'workdays' }
  if (date === '*' && day !== null) return { ...own, repeat: 'weekly', day: day % 7 }
  const on = whole(date, 31)
  return weekday === '*' && on !== null && on > 0 ? { ...own, repeat: 'monthly', date: on } : null
}

export function cronOf({ repeat, time, day, date }: Chosen): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const rest: Readonly<Record<Repeat, string>> = {
    hourly: '* * * *',
    daily: `${hour} * * *`,
    workdays: `${hour} * * 1-5`,
    weekly: `${hour} * * ${day}`,
    monthly: `${hour} ${date} * *`,
  }
  return `${minute} ${rest[repeat]}`
}
