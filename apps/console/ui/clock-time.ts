/** A time of day as people type it: 9, 930, 9:30, 21.30. */
const whole = /^(\d{1,2})(?:[:.시]?\s*(\d{2})?)분?$/

/** `HH:MM`, up to 24:00; null where no time is meant. */
export function clockTime(text: string): string | null {
  const bare = text.trim()
  const digits = /^\d{3,4}$/.test(bare) ? `${bare.slice(0, -2)}:${bare.slice(-2)}` : bare
  const [, hour = '', minute = '00'] = whole.exec(digits) ?? []
  if (hour === '' || Number(minute) > 59 || Number(hour) * 60 + Number(minute) > 24 * 60) return null
  return `${hour.padStart(2, '0')}:${minute}`
}

/** Half hours to choose from; every minute can be typed. */
export const halfHours: readonly string[] = Array.from(
  { length: 49 },
  (_, at) => `${String(Math.floor(at / 2)).padStart(2, '0')}:${at % 2 === 0 ? '00' : '30'}`,
)
