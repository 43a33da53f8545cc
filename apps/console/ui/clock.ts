/** Times as people of the center read them: on its clock, in Korean with 오전 and 오후, and the zone by name. */

import { formatter, zoneName } from '@countersign/design/zones.ts'
import type { Language } from '../app/i18n.ts'
import { currentZone } from '../app/zone.ts'

const formats = {
  ko: {
    long: { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long', hour: 'numeric', minute: '2-digit' },
    short: { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    clock: { hour: 'numeric', minute: '2-digit' },
    day: { year: 'numeric', month: 'long', day: 'numeric' },
  },
  en: {
    long: { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long', hour: 'numeric', minute: '2-digit' },
    short: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    clock: { hour: 'numeric', minute: '2-digit' },
    day: { year: 'numeric', month: 'short', day: 'numeric' },
  },
} as const satisfies Record<Language, Record<string, Intl.DateTimeFormatOptions>>

export type TimeForm = keyof (typeof formats)['ko']

/** `long` names the zone; the other forms stand where a time is one of many. */
export function timeText(
  at: string | number | Date,
  language: Language,
  form: TimeForm = 'short',
  zone = currentZone(),
): string {
  const locale = language === 'ko' ? 'ko-KR' : 'en-US'
  const text = formatter(locale, { ...formats[language][form], hour12: true, timeZone: zone }).format(new Date(at))
  return form === 'long' ? `${text} ${zoneName(new Date(at).getTime(), zone)}` : text
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** `2시간 14분`, `2 hours 14 minutes`: the two largest units, and never less than a minute. */
export function durationText(ms: number, language: Language): string {
  const parts: string[] = []
  let rest = Math.max(60_000, ms)
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 && parts.length < 2) {
      const style = { style: 'unit', unit, unitDisplay: 'long' } as const
      parts.push(new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US', style).format(count))
    }
  }
  return parts.join(' ')
}

/** Kept: making one takes longer than a hundred numbers. */
const numbers = { ko: new Intl.NumberFormat('ko-KR'), en: new Intl.NumberFormat('en-US') }

export const numberText = (value: number, language: Language): string => numbers[language].format(value)

/** `$49`, `$49.50`; Koreans write won after the number. */
export function moneyText(value: number, currency: string, language: Language): string {
  if (language === 'ko' && currency === 'KRW') return `${numberText(value, language)}원`
  const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const
  return new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US', style).format(value)
}
