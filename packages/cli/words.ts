/** All printed sentences in both languages. Korean has the type of English, so that no sentence can be missing. */
import { printed } from './printed.ts'
import { en, type Words } from './words-en.ts'
import { ko } from './words-ko.ts'

export type { Words } from './words-en.ts'

const languages = { en, ko } as const satisfies Record<string, Words>
export type Language = keyof typeof languages
export type Word = keyof Words
export type Facts = Readonly<Record<string, string | number>>

export interface Speech {
  readonly language: Language
  say(word: Word, facts?: Facts): string
}

/** Inserts facts into a sentence, safe to print, with numbers in the format of the language. */
/** `{entry}` counts from 1, as people do; `index` in the facts counts from 0, as machines do. */
export function filled(sentence: string, facts: Facts, language: Language): string {
  const numbers = new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US', { maximumFractionDigits: 0 })
  return sentence.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = name === 'entry' && typeof facts.index === 'number' ? facts.index + 1 : facts[name]
    return typeof value === 'number' ? numbers.format(value) : printed(value ?? '', language)
  })
}

export const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

/** The locale of the machine: the first of these variables that is set. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  const set = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return set.toLowerCase().startsWith('ko') ? 'ko' : 'en'
}

export const speech = (language: Language): Speech => ({
  language,
  say: (word, facts = {}) => filled(languages[language][word], facts, language),
})
