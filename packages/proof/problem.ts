/** What a verifier finds wrong with a file: a place, a stable code and the values of its sentence. */
import en from '@countersign/words/en/problems.json' with { type: 'json' }
import { fill } from '@countersign/words/say.ts'
import { shown } from './shown.ts'

export type ProblemCode = keyof typeof en

export interface Problem {
  /** The path in the document: member names joined by dots, as the file spells them. */
  readonly path: string
  /** Stable: translations are keyed by it. */
  readonly code: ProblemCode
  readonly params?: Readonly<Record<string, string>>
  /** The sentence in English, safe to print. */
  readonly message: string
}

export type Report = (path: string, code: ProblemCode, params?: Problem['params']) => void

export type ProblemParts = Omit<Problem, 'message' | 'path'>

/** One of the sentences of a language, safe to print. */
export const problemAmong = (
  words: Readonly<Record<ProblemCode, string>>,
  { code, params = {} }: ProblemParts,
): string =>
  fill(
    words[code],
    params,
    (value) => shown(String(value)),
    () => '',
  ) as string

export const problem = (path: string, code: ProblemCode, params?: Problem['params']): Problem => ({
  path,
  code,
  ...(params && { params }),
  message: problemAmong(en, { code, ...(params && { params }) }),
})
