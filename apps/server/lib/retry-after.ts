/** How long an answer asks to wait before the next request. Pure. */

/** A consumer can ask for a longer wait than the schedule's, but not for more than a day. */
const longestWait = 86_400_000

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const month = `(?<month>${months.join('|')})`
const time = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)'
const shortDay = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const longDay = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'

/**
 * The three forms of an HTTP-date (RFC 9110, 5.6.7); a recipient must accept all of them. `Date.parse` cannot be used: it
 * reads the third as local time and accepts much invalid text. The day of the week is not checked.
 */
const httpDates = [
  new RegExp(`^${shortDay}, (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(`^${longDay}, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`),
  new RegExp(`^${shortDay} ${month} (?<day>\\d\\d| \\d) ${time} (?<year>\\d{4})$`),
]

/** Two digits mean the latest year that ends with them and is at most 50 years ahead. */
function fullYear(digits: string, nowMs: number): number {
  if (digits.length === 4) return Number(digits)
  const latest = new Date(nowMs).getUTCFullYear() + 50
  return latest - ((latest - Number(digits)) % 100)
}

function httpDateMs(text: string, nowMs: number): number | null {
  const parts = httpDates.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined)
  if (!parts) return null
  const { year = '', month: name = '', day, hour, minute, second } = parts
  const date = new Date(0)
  date.setUTCFullYear(fullYear(year, nowMs), months.indexOf(name), Number(day))
  if (date.getUTCDate() !== Number(day)) return null
  return date.setUTCHours(Number(hour), Number(minute), Number(second))
}

/**
 * How long a `Retry-After` asks to wait, at most a day. Null when it asks for nothing: absent, zero, in the past, or
 * neither whole seconds nor an HTTP-date.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : (httpDateMs(text, nowMs) ?? nowMs) - nowMs
  return wait > 0 ? Math.min(wait, longestWait) : null
}
