/**
 * Sentences as data. Pure.
 *
 * | in a sentence | becomes |
 * | --- | --- |
 * | `{name}`, `{list.length}` | the value of a fact |
 * | `{-name}`, `{+name}` | the negated value, the value with its sign |
 * | `{?name}` | the value; 0 counts as absent |
 * | `[text]` | the text, or nothing where one of its values is absent |
 * | `[text\|other]` | the first of the texts that has all its values |
 *
 * A value is absent where the fact is null or missing. Facts may hold any characters: only the sentence is parsed.
 */
import type { Json } from '@countersign/proof/canonical.ts'

export type SentenceFacts = { readonly [name: string]: Json }

/** Null where a value outside of brackets is absent. */
export function say(sentence: string, facts: SentenceFacts): string | null {
  const tokens = sentence.split(/([[\]|]|\{[^}]*\})/)
  let position = 0
  const firstComplete = (): string | null => {
    const texts: (string | null)[] = ['']
    for (; position < tokens.length && tokens[position] !== ']'; position++) {
      let text: string | null = tokens[position] as string
      if (text === '|') {
        texts.push('')
        continue
      }
      if (text === '[') {
        position++
        text = firstComplete() ?? ''
      } else if (text.startsWith('{')) text = factOf(text.slice(1, -1), facts)
      const before = texts.pop() ?? null
      texts.push(before === null || text === null ? null : before + text)
    }
    return texts.find((text) => text !== null) ?? null
  }
  return firstComplete()
}

function factOf(name: string, facts: SentenceFacts): string | null {
  const mark = /^[-+?]/.exec(name)?.[0]
  const path = (mark ? name.slice(1) : name).split('.')
  const value = path.reduce<Json | undefined>(
    (from, member) => (from as SentenceFacts | null | undefined)?.[member],
    facts,
  )
  if (value == null || (mark === '?' && value === 0)) return null
  if (mark === '-') return String(-(value as number))
  return mark === '+' && (value as number) >= 0 ? `+${value}` : String(value)
}

/** The sentences whose values are all present. */
export const sayAll = (sentences: readonly string[], facts: SentenceFacts): string[] =>
  sentences.map((sentence) => say(sentence, facts)).filter((text) => text !== null)

/** A list gives a sentence for each of its items; any other fact gives one where it is neither absent, 0 nor false. */
export const sayFindings = (sentences: Readonly<Record<string, string>>, facts: SentenceFacts): string[] =>
  Object.entries(sentences).flatMap(([name, sentence]) => {
    const fact = facts[name]
    const items = Array.isArray(fact) ? (fact as SentenceFacts[]) : fact ? [{}] : []
    return items.flatMap((item) => sayAll([sentence], { ...facts, ...item }))
  })
