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

/**
 * Inserts facts into a sentence, safe to print, with numbers in the format of the language. `{entry}` is the index, as in
 * the API.
 */
function filled(sentence: string, facts: Facts, language: Language): string {
  const numbers = new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US', { maximumFractionDigits: 0 })
  const values = { ...facts, ...(typeof facts.index === 'number' && { entry: facts.index }) }
  const show = (value: unknown) =>
    typeof value === 'number' ? numbers.format(value) : printed(String(value), language)
  return fill(sentence, values, show, () => '') as string
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

/** By its code; the English text of the library stands for a code that is newer than these words. */
export function verdictInWords(code: string, detail: string, facts: Facts, language: Language): string {
  const words: Readonly<Record<string, string>> = languages[language]
  const key = `verdict ${code}`
  return Object.hasOwn(words, key)
    ? filled(words[key] as string, { ...facts, detail }, language)
    : printed(detail, language)
}
