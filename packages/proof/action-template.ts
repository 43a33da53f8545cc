/**
 * The headline of a decision, made from the values of `action.input` by a sentence with placeholders: `{/payment/won}`, a
 * JSON Pointer in braces. Nothing in a sentence is executed, and whatever it or a value says stays one line of text. A
 * value that is absent shows as a gap; no text and no value can look like one.
 */
import { canonical, type Json } from './canonical.ts'
import { pointerPattern, valueAt } from './json-pointer.ts'
import { shown } from './shown.ts'
import { grouped } from './view-values.ts'

export type TemplateLanguage = 'ko' | 'en'

/** A text in one language or both. */
export interface LocalizedText {
  readonly ko?: string | undefined
  readonly en?: string | undefined
}

/** The text in this language, or else in the other one. */
export const inLanguage = ({ ko, en }: LocalizedText, language: TemplateLanguage): string =>
  (language === 'ko' ? (ko ?? en) : (en ?? ko)) ?? ''

export interface ActionTemplate {
  readonly type: string
  readonly name: LocalizedText
  readonly sentence: LocalizedText | null
  /** By pointer below `action.input`. */
  readonly labels: Readonly<Record<string, LocalizedText>>
}

/** What the digest of a template covers: these four members in canonical form. */
export const templateText = ({ type, name, sentence, labels }: ActionTemplate): string =>
  canonical({ type, name, sentence, labels } as unknown as Json)

export type SentencePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `more`: how many characters of a long value are left out. */
  | { readonly kind: 'value'; readonly pointer: string; readonly text: string; readonly more: number }
  | { readonly kind: 'gap'; readonly pointer: string; readonly text: string }

const maxValueLength = 120
const placeholder = new RegExp(`\\{(${pointerPattern})\\}`, 'gu')

/** A brace that begins no placeholder is text. */
export function sentenceParts(sentence: string, input: unknown): readonly SentencePart[] {
  const parts: SentencePart[] = []
  // The capture stands between the texts around it: every second piece is a pointer.
  for (const [at, piece] of sentence.split(placeholder).entries()) {
    if (at % 2 === 1) parts.push(partAt(piece, input))
    else if (piece !== '') parts.push({ kind: 'text', text: plain(piece) })
  }
  return parts
}

function partAt(pointer: string, input: unknown): SentencePart {
  const found = valueAt(pointer, input)
  if (found === undefined) return { kind: 'gap', pointer, text: `⟨${plain(pointer)}?⟩` }
  const characters = Array.from(written(found))
  const more = Math.max(0, characters.length - maxValueLength)
  return { kind: 'value', pointer, text: plain(characters.slice(0, maxValueLength).join('')), more }
}

/** The brackets of a gap are written as escapes everywhere else. */
const plain = (text: string): string =>
  shown(text).replace(/[⟨⟩]/gu, (char) => `\\u{${(char.codePointAt(0) as number).toString(16)}}`)

/** An empty or blank text is quoted, because it would not be seen. */
function written(value: unknown): string {
  if (typeof value === 'number') return grouped(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  return value.trim() === '' ? JSON.stringify(value) : value
}

/** Letters that are written from right to left reorder what stands beside them, unless they are isolated. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)

/** As one line of text, for what shows no parts. */
export const sentenceOf = (parts: readonly SentencePart[]): string =>
  parts
    .map((part) => isolated(part.text) + (part.kind === 'value' && part.more > 0 ? `… (+${part.more})` : ''))
    .join('')

/** What is wrong with a text that people read, or null. */
export function textFault(text: string): 'blank' | 'hidden' | null {
  if (text.trim() === '') return 'blank'
  return shown(text) === text ? null : 'hidden'
}

/** The same for a sentence, which has braces around pointers only. */
export const sentenceFault = (sentence: string): 'blank' | 'hidden' | 'braces' | null =>
  textFault(sentence) ?? (/[{}]/.test(sentence.replace(placeholder, '')) ? 'braces' : null)
