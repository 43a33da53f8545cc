/** Times as people read them, in a time zone. Pure. */
import type { Language } from '@countersign/words/say.ts'

const locales = { ko: 'ko-KR', en: 'en-US' } as const
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(key: string, language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const kept = formats.get(key)
  if (kept) return kept
  const made = new Intl.DateTimeFormat(locales[language], options)
  formats.set(key, made)
  return made
}

export const localTime = (at: string, timeZone: string, language: Language): string =>
  formatOf(`time ${language} ${timeZone}`, language, {
    ...{ timeZone, month: 'long', day: 'numeric', weekday: 'long', hour: 'numeric', minute: '2-digit' },
  })
    .format(new Date(at))
    // Some versions of ICU write a narrow space, which mail programs show as a box.
    .replaceAll(/[\u202f\u00a0]/g, ' ')

export const zoneName = (at: string, timeZone: string, language: Language): string =>
  formatOf(`zone ${language} ${timeZone}`, language, { timeZone, timeZoneName: 'long' })
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
