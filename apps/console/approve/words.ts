/** Every word of the approval page, in both languages. The second has the type of the first: a missing sentence does not compile. */
import { en } from './en.ts'
import { ko, type Words } from './ko.ts'

export type { Words } from './ko.ts'

export const languages = { ko, en } as const satisfies Record<string, Words>

/** Puts values into a sentence. A value is never looked into for further places. */
export const say = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => (name in values ? String(values[name]) : place))
