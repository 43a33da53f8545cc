/** All printed sentences in both languages. */
import en from '@countersign/words/en/cli.json' with { type: 'json' }
import ko from '@countersign/words/ko/cli.json' with { type: 'json' }
import { fill, type Language } from '@countersign/words/say.ts'
import { printed } from './printed.ts'

export type { Language } from '@countersign/words/say.ts'

const languages = { en, ko }
export type Word = keyof typeof en
export type Facts = Readonly<Record<string, string | number>>

export interface Speech {
  readonly language: Language
  say(word: Word, facts?: Facts): string
}

const places: readonly string[] = ['entry', 'first', 'last', 'stop', 'change']
const isPlace = (name: string, value: string | number): value is number =>
  places.includes(name) && typeof value === 'number'

/**
 * Inserts facts into a sentence, safe to print, with numbers in the format of the language. The API and the formats count
 * entries from 0; sentences count them as people do, from 1.
 */
function filled(sentence: string, facts: Facts, language: Language): string {
  const numbers = new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US', { maximumFractionDigits: 0 })
  const counted = Object.entries({ ...facts, ...(facts.index !== undefined && { entry: facts.index }) }).map(
    ([name, value]) => [name, isPlace(name, value) ? value + 1 : value],
  )
  const values: Facts = Object.fromEntries(counted)
  const show = (value: unknown) =>
    typeof value === 'number' ? numbers.format(value) : printed(String(value), language)
  return fill(sentence, values, show, () => '') as string
}

export const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

export const speech = (language: Language): Speech => ({
  language,
  say: (word, facts = {}) => filled(languages[language][word], facts, language),
})

/** By its code; the English text of the library stands for a code that is newer than these words. */
export function verdictInWords(code: string, detail: string, facts: Facts, language: Language): string {
  const words: Readonly<Record<string, string>> = languages[language]
  const key = `verdict ${code}`
  return Object.hasOwn(words, key)
    ? filled(words[key] as string, { ...facts, detail }, language)
    : printed(detail, language)
}
