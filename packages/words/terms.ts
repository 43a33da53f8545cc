/** What a center calls its people and appointments: the words of its trade, or its own in their place. Pure. */
import enNeutral from '@countersign/words/en/terms.json' with { type: 'json' }
import koNeutral from '@countersign/words/ko/terms.json' with { type: 'json' }
import type { Language } from './say.ts'

export type TermName = keyof typeof koNeutral
export type Term = Readonly<Record<Language, string>>
/** In both languages. */
export type Terms = Readonly<Record<TermName, Term>>
/** As values of a sentence: `{term.client}`. */
export type TermValues = {
  readonly term: Readonly<Record<TermName, string>>
}

export const termNames = Object.keys(koNeutral) as TermName[]

const inBoth = (word: (name: TermName) => Term): Terms =>
  Object.fromEntries(termNames.map((name) => [name, word(name)])) as Record<TermName, Term>

/** Where no center is meant, or centers of several trades. */
export const neutralTerms: Terms = inBoth((name) => ({ ko: koNeutral[name], en: enNeutral[name] }))

export const termValues = (terms: Terms, language: Language): TermValues => ({
  term: Object.fromEntries(termNames.map((name) => [name, terms[name][language]])) as Record<TermName, string>,
})

/** What a center has changed, over the words of its trade. */
export const withOwnTerms = (terms: Terms, own: Partial<Record<TermName, Partial<Term> | undefined>> = {}): Terms =>
  inBoth((name) => ({ ...terms[name], ...own[name] }))
