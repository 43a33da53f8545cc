/** Every word of the page, in both languages. */
import en from '@countersign/words/en/verifier.json' with { type: 'json' }
import ko from '@countersign/words/ko/verifier.json' with { type: 'json' }
import { fill, type Language, type Values } from '@countersign/words/say.ts'

export type { Language } from '@countersign/words/say.ts'
export type Words = typeof en

export const languages: Readonly<Record<Language, Words>> = { en, ko }

/** Puts values into a sentence. */
export const say = (sentence: string, values: Values): string => fill(sentence, values, String, String) as string

/**
 * By the code that the library gives with a verdict; where a code serves several verdicts, by both. What the library says
 * in English stands in for a code that is newer than these words.
 */
export function verdictInWords(name: string, code: string, detail: string, language: Language): string {
  const words: Readonly<Record<string, string>> = languages[language]
  return words[`verdict ${name} ${code}`] ?? words[`verdict ${code}`] ?? detail
}
