/** The words of the view of a decision, in both languages. */
import en from '@countersign/words/en/view.json' with { type: 'json' }
import ko from '@countersign/words/ko/view.json' with { type: 'json' }
import { type Language, say, type Values } from '@countersign/words/say.ts'

export type ViewLanguage = Language
export type ViewWord = keyof typeof ko

export const viewWords: Readonly<Record<ViewLanguage, Readonly<Record<ViewWord, string>>>> = { ko, en }

/** A word with its numbers and names put in. */
export const sayView = (language: ViewLanguage, word: ViewWord, values?: Values): string =>
  say(viewWords, language, word, values)
