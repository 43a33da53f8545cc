/** Sentences of the catalog over the facts of a draft. Pure. */
import type { Json } from '@countersign/proof/canonical.ts'
import { fill } from '@countersign/words/say.ts'

export type SentenceFacts = { readonly [name: string]: Json }

/** The sentences whose values are all present. */
export const sayAll = (sentences: readonly string[], facts: SentenceFacts): string[] =>
  sentences.map((sentence) => fill(sentence, facts)).filter((text) => text !== null)

/** A list gives a sentence for each of its items; any other fact gives one where it is neither absent, 0 nor false. */
export const sayFindings = (sentences: Readonly<Record<string, string>>, facts: SentenceFacts): string[] =>
  Object.entries(sentences).flatMap(([name, sentence]) => {
    const fact = facts[name]
    const items = Array.isArray(fact) ? (fact as SentenceFacts[]) : fact ? [{}] : []
    return items.flatMap((item) => sayAll([sentence], { ...facts, ...item }))
  })
