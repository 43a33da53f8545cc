/** Every word of the pages, in both languages. The second has the type of the first: a missing sentence does not compile. */
import { en } from './words-en.ts'
import { ko, type Words } from './words-ko.ts'

export type { Words } from './words-ko.ts'

export const languages = { ko, en } as const satisfies Record<string, Words>
export type Language = keyof typeof languages

/** The first language of a browser that we speak; Korean where there is none. */
export function languageOf(preferred: readonly string[]): Language {
  for (const each of preferred) {
    const [language] = each.toLowerCase().split('-')
    if (language === 'ko' || language === 'en') return language
  }
  return 'ko'
}

/** Puts values into a sentence. A value is never looked into for further places. */
export const say = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => (name in values ? String(values[name]) : place))
