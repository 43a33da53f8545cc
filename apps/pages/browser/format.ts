/** Dates and durations. A time names the zone whose clock it is on. */
import { zoneName } from '@countersign/design/zones.ts'
import { fromBase64Url } from '@countersign/proof/base64.ts'
import type { Language } from '../words.ts'

/** That of the center whose decision is shown; on the other pages that of the browser. */
let zone = Intl.DateTimeFormat().resolvedOptions().timeZone

export function setZone(name: string): void {
  zone = name
}

const locale = { ko: 'ko-KR', en: 'en-US' } as const

const onClock = (iso: string, language: Language, form: Intl.DateTimeFormatOptions): string => {
  const at = new Date(iso)
  const text = new Intl.DateTimeFormat(locale[language], { ...form, timeZone: zone }).format(at)
  return `${text} ${zoneName(at.getTime(), zone)}`
}

export const dateTime = (iso: string, language: Language): string =>
  onClock(iso, language, { dateStyle: 'long', timeStyle: 'short' })

export const timeOfDay = (iso: string, language: Language): string => onClock(iso, language, { timeStyle: 'short' })

/** The two largest units. Less than a minute is one minute: a deadline is never shown as zero. */
export function duration(ms: number, language: Language): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  const parts = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  return parts
    .filter(([amount]) => amount > 0)
    .slice(0, 2)
    .map(([amount, unit]) =>
      new Intl.NumberFormat(locale[language], { style: 'unit', unit, unitDisplay: 'long' }).format(amount),
    )
    .join(' ')
}

/** Of a thumbprint, for two people to read to each other: 16 digits in groups of four. */
export function checkNumber(thumbprint: string): string {
  const bytes = fromBase64Url(thumbprint)
  if (!bytes) return thumbprint
  const value = bytes.slice(0, 8).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 10n ** 16n
  return value
    .toString()
    .padStart(16, '0')
    .replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
