/** Refuses words of a center that a reader would take for something else. Pure. */
import { marksOf } from '@countersign/proof/look-alikes.ts'
import type { Language } from '@countersign/words/say.ts'
import { type TermName, type Terms, termNames } from '@countersign/words/terms.ts'
import { Problem } from '../../../lib/problem.ts'

/** Letters, digits and what joins them: no markup and no sentence. */
const plain = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}'’·/ -]*[\p{L}\p{M}\p{N}])?$/u

/** Who may do more than a member: nobody else is called so, or a page would promise another approver than it gets. */
const taken: Readonly<Record<Language, RegExp>> = {
  ko: /관리자|운영자|파트너|시스템/,
  en: /\b(?:admin|administrator|operator|partner|system)s?\b/i,
}

/** People of different roles are told apart by these. */
const people: readonly TermName[] = ['instructor', 'client', 'guardian']

const folded = (word: string): string => word.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase()

export function requireSoundTerms(terms: Terms): void {
  for (const language of ['ko', 'en'] as const) {
    for (const name of termNames) requireSound(`terms.${name}.${language}`, terms[name][language], language)
    const words = people.map((name) => folded(terms[name][language]))
    const twice = people.find((_, at) => words.indexOf(words[at] as string) !== at)
    if (twice)
      throw refusal(
        'termTwice',
        `terms.${twice}.${language}`,
        `"terms.${twice}.${language}" is already the word for another role. Choose a different word.`,
      )
  }
}

function requireSound(field: string, word: string, language: Language): void {
  if (!plain.test(word) || marksOf(word).length > 0)
    throw refusal(
      'termPlain',
      field,
      `"${field}" can have only letters, digits, spaces and hyphens of one script. Choose a plain word.`,
    )
  if (taken[language].test(word.normalize('NFKC')))
    throw refusal(
      'termTaken',
      field,
      `"${field}" names somebody with more rights, such as an administrator. Choose another word.`,
    )
}

const refusal = (reason: string, field: string, message: string) =>
  new Problem('VALIDATION_ERROR', message, { details: { reason, field } })
