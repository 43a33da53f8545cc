/** The sentences of problems in every language; apart, because a guard bundles the English ones alone. */
import en from '@countersign/words/en/problems.json' with { type: 'json' }
import ko from '@countersign/words/ko/problems.json' with { type: 'json' }
import type { Language } from '@countersign/words/say.ts'
import { type ProblemParts, problemAmong } from './problem.ts'

export const problemWords = { en, ko } as const
export type ProblemLanguage = Language

/** A sentence about the place, safe to print. */
export const problemInWords = (problem: ProblemParts, language: ProblemLanguage): string =>
  problemAmong(problemWords[language], problem)
