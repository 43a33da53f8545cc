/** A template while it is edited, and what is sent of it. Pure. */
import { sentenceFault } from '@countersign/proof/action-template.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { leavesOf, pointerOf } from '@countersign/proof/view-values.ts'
import type { ActionType, NewActionType } from '@countersign/sdk'

export interface Texts {
  readonly ko: string
  readonly en: string
}

export interface LabelRow extends Texts {
  /** Of the row, not of the value: a pointer changes while it is typed. */
  readonly key: number
  readonly pointer: string
}

export interface Draft {
  readonly type: string
  readonly name: Texts
  readonly sentence: Texts
  readonly labels: readonly LabelRow[]
}

type Written = { readonly ko?: string; readonly en?: string } | null | undefined
const textsOf = (written: Written): Texts => ({ ko: written?.ko ?? '', en: written?.en ?? '' })

export const draftOf = (type: string, template: ActionType | undefined): Draft => ({
  type: template?.type ?? type,
  name: textsOf(template?.name),
  sentence: textsOf(template?.sentence),
  labels: Object.entries(template?.labels ?? {}).map(([pointer, label], key) => ({ key, pointer, ...textsOf(label) })),
})

/** Undefined without a text in either language. */
function written({ ko, en }: Texts) {
  const texts = { ...(ko.trim() && { ko: ko.trim() }), ...(en.trim() && { en: en.trim() }) }
  return Object.keys(texts).length === 0 ? undefined : texts
}

export function bodyOf({ name, sentence, labels }: Draft): NewActionType {
  const headline = written(sentence)
  const pairs = labels.flatMap(({ pointer, ...texts }) => {
    const label = written(texts)
    return label ? [[pointer.trim(), label] as const] : []
  })
  return {
    name: written(name) ?? {},
    ...(headline && { sentence: headline }),
    ...(pairs.length > 0 && { labels: Object.fromEntries(pairs) }),
  }
}

/** What a template was sent with, to set it again. */
export const bodyOfTemplate = ({ name, sentence, labels }: ActionType): NewActionType => ({
  name,
  ...(sentence && { sentence }),
  ...(Object.keys(labels).length > 0 && { labels }),
})

/** JSON Pointers to the values of an example, in their order. */
export const pointersIn = (input: unknown): readonly string[] =>
  typeof input === 'object' && input !== null ? leavesOf(input as Json).map(({ steps }) => pointerOf(steps)) : []

const isPointer = (text: string): boolean => /^(\/([^~/]|~[01])*)+$/.test(text.trim())

/** The first thing that keeps the draft from being sent. */
export function missingIn({ type, name, sentence, labels }: Draft) {
  if (type.trim() === '') return 'missingType'
  if (!written(name)) return 'missingName'
  for (const text of [sentence.ko, sentence.en]) {
    const fault = text.trim() === '' ? null : sentenceFault(text)
    if (fault === 'braces') return 'missingBraces'
    if (fault !== null) return 'missingVisible'
  }
  const used = labels.filter((row) => written(row))
  if (used.some(({ pointer }) => !isPointer(pointer))) return 'missingPointer'
  if (new Set(used.map(({ pointer }) => pointer.trim())).size < used.length) return 'missingOnce'
  return null
}
