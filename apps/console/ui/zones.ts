/** Time zones by the names that a reader knows them by. */
import type { Language } from '../app/i18n.ts'

export interface Zone {
  readonly id: string
  /** The name in the reader's language, and the id, which tells cities apart. */
  readonly label: string
}

const localeOf = (language: Language): string => (language === 'ko' ? 'ko-KR' : 'en-US')

function partOf(zone: string, language: Language, form: Intl.DateTimeFormatOptions): string {
  const parts = new Intl.DateTimeFormat(localeOf(language), { timeZone: zone, ...form }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

export const zoneLabel = (id: string, language: Language): string =>
  `${partOf(id, language, { timeZoneName: 'longGeneric' })} (${id.replaceAll('_', ' ')})`

/** Some hundred: only when somebody looks for one. */
export const zonesIn = (language: Language): readonly Zone[] =>
  Intl.supportedValuesOf('timeZone')
    .map((id) => ({ id, label: zoneLabel(id, language) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, localeOf(language)))

const plain = (text: string): string => text.trim().toLowerCase().replaceAll('_', ' ')

/** By its label, its id, or the last part of its id; null where nothing or more than one thing is meant. */
export function zoneOf(text: string, zones: readonly Zone[]): string | null {
  const sought = plain(text)
  if (sought === '') return null
  const exact = zones.find(({ id, label }) => plain(label) === sought || plain(id) === sought)
  if (exact) return exact.id
  const found = zones.filter(({ id }) => plain(id).split('/').at(-1) === sought)
  return found.length === 1 ? (found[0]?.id ?? null) : null
}

export const timeIn = (zone: string, language: Language, now: Date): string =>
  new Intl.DateTimeFormat(localeOf(language), { timeZone: zone, hour: 'numeric', minute: '2-digit' }).format(now)
