/** How far the clock of a zone is ahead of UTC, and what people call the zone. The rules come from Intl. */

const made = new Map<string, Intl.DateTimeFormat>()

/** A format takes long to make, and a page shows hundreds of times. */
export function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const found = made.get(key) ?? new Intl.DateTimeFormat(locale, options)
  made.set(key, found)
  return found
}

const nameOf = (at: number, locale: string, timeZone: string, timeZoneName: 'short' | 'longOffset'): string =>
  formatter(locale, { timeZone, timeZoneName })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** In milliseconds, at this instant. */
export function offsetOf(at: number, zone: string): number {
  const [, sign, hours, minutes, seconds] =
    nameOf(at, 'en-US', zone, 'longOffset').match(/GMT([+-])(\d+):(\d+)(?::(\d+))?/) ?? []
  const ms = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000
  return sign === '-' ? -ms : ms
}

/** Intl abbreviates a zone only in the English of its own region, and zones without English not at all. */
const regions = ['en-US', 'en-GB', 'en-AU', 'en-IN'] as const
const known: Readonly<Record<string, string>> = { 'Asia/Seoul': 'KST', 'Asia/Tokyo': 'JST' }

/** `KST`, `EST`, `CEST`; where people have no abbreviation, `GMT+7`. */
export function zoneName(at: number, zone: string): string {
  const names = regions.map((region) => nameOf(at, region, zone, 'short'))
  return known[zone] ?? names.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? zone
}
