/** What a center calls its people and appointments: the words of its trade, or its own in their place. Pure. */
import enNeutral from '@countersign/words/en/terms.json' with { type: 'json' }
import koNeutral from '@countersign/words/ko/terms.json' with { type: 'json' }
import { type Form, forms } from './nouns.ts'
import type { Language } from './say.ts'

export type TermName = keyof typeof koNeutral
export type Term = Readonly<Record<Language, string>>
/** In both languages. */
export type Terms = Readonly<Record<TermName, Term>>
/** As values of a sentence: `{term.client}`, and in the forms of an English noun `{term.client, many}`. */
export type TermValues = {
  readonly term: Readonly<Record<TermName | `${TermName} ${Form}`, string>>
}

export const termNames = Object.keys(koNeutral) as TermName[]

const inBoth = (word: (name: TermName) => Term): Terms =>
  Object.fromEntries(termNames.map((name) => [name, word(name)])) as Record<TermName, Term>

/** Where no center is meant, or centers of several trades. */
export const neutralTerms: Terms = inBoth((name) => ({ ko: koNeutral[name], en: enNeutral[name] }))

export function termValues(terms: Terms, language: Language): TermValues {
  const values = termNames.flatMap((name) => {
    const word = terms[name][language]
    return [[name, word], ...Object.entries(forms).map(([form, make]) => [`${name} ${form}`, make(word)])]
  })
  return { term: Object.fromEntries(values) as TermValues['term'] }
}

/** What a center has changed, over the words of its trade. */
export const withOwnTerms = (terms: Terms, own: Partial<Record<TermName, Partial<Term> | undefined>> = {}): Terms =>
  inBoth((name) => ({ ...terms[name], ...own[name] }))
