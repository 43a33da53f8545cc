/** How long things took, in one unit for a whole plot, and in the nearest one for a value alone. */
import type { Language } from '../../app/i18n.ts'

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

const localeOf = (language: Language) => (language === 'ko' ? 'ko-KR' : 'en-US')

export const spentText = (seconds: number | null, language: Language): string => {
  if (seconds === null) return '–'
  const [unit, size] = units.find(([, each]) => seconds >= each * 1.5) ?? units[3]
  return textIn(unit, seconds / size, language)
}

function textIn(unit: (typeof units)[number][0], value: number, language: Language): string {
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 } as const
  return new Intl.NumberFormat(localeOf(language), style).format(value)
}

/** The axis of a plot in one unit; each value is said in its nearest one. */
export function inOneUnit(values: readonly (number | null)[], language: Language) {
  const highest = Math.max(0, ...values.map((value) => value ?? 0))
  const [unit, size] = units.find(([, each]) => highest >= each * 1.5) ?? units[3]
  return {
    scale: (value: number | null) => (value === null ? null : value / size),
    format: (value: number) => spentText(value * size, language),
    axis: (value: number) => textIn(unit, value, language),
  }
}
