/** What a verifier finds wrong with a file: a place, a stable code and the values of its sentence. */
import en from '@countersign/words/en/problems.json' with { type: 'json' }
import ko from '@countersign/words/ko/problems.json' with { type: 'json' }
import { fill, type Language } from '@countersign/words/say.ts'
import { shown } from './shown.ts'

export type ProblemCode = keyof typeof en
export const problemWords = { en, ko } as const
export type ProblemLanguage = Language

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

/** A sentence about the place, safe to print. */
export const problemInWords = ({ code, params = {} }: Omit<Problem, 'message' | 'path'>, language: ProblemLanguage) =>
  fill(
    problemWords[language][code],
    params,
    (value) => shown(String(value)),
    () => '',
  ) as string

export const problem = (path: string, code: ProblemCode, params?: Problem['params']): Problem => ({
  path,
  code,
  ...(params && { params }),
  message: problemInWords({ code, ...(params && { params }) }, 'en'),
})
