/** Every word of the page, in both languages. The second has the type of the first: a missing sentence does not compile. */
import { en, type Words } from './words-en.ts'
import { ko } from './words-ko.ts'

export type { Words } from './words-en.ts'

export const languages = { en, ko } as const satisfies Record<string, Words>
export type Language = keyof typeof languages

/** Puts values into a sentence. A value is never looked into for further places. */
export const say = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => (name in values ? String(values[name]) : place))
