/** What a person typed, as words that a decision must have, each in the forms in which it may stand. Pure. */
import { Problem } from '../../../lib/problem.ts'
import type { Text } from './searchable.ts'
import { beginningsOf, factToken, hashed, pairsOf, runsOf } from './tokens.ts'

const maxWords = 8

/** What Korean puts behind a noun. */
const endings =
  '으로 에게 한테 께서 에서 까지 부터 이랑 하고 했던 하는 했다 됐던 되는 해준 해서 은 는 이 가 을 를 의 에 께 로 와 과 도 만 님 씨 한 된 건'
    .split(' ')
    .map((ending) => [...ending])

interface Form {
  readonly tokens: readonly string[]
  isIn(text: Text): boolean
}

export interface Word {
  readonly said: string
  readonly forms: readonly Form[]
}

/** Without its endings, one and two of them: at least two letters stay. */
function stemsOf(text: string): string[] {
  const without = (letters: readonly string[]) =>
    endings
      .filter(
        (ending) => letters.length >= ending.length + 2 && letters.slice(-ending.length).join('') === ending.join(''),
      )
      .map((ending) => letters.slice(0, -ending.length))
  const once = without([...text])
  return [
    ...new Set([text, ...once.map((each) => each.join('')), ...once.flatMap(without).map((each) => each.join(''))]),
  ]
}

const together = (...parts: readonly string[]): Form => ({
  tokens: parts.flatMap(pairsOf),
  isIn: ({ paired }) => parts.every((part) => paired.includes(part)),
})

/** `수강료환불` may stand as `수강료 환불`. */
function splitsOf(text: string): Form[] {
  const letters = [...text]
  return Array.from({ length: Math.max(0, Math.min(letters.length, 12) - 3) }, (_, at) =>
    together(letters.slice(0, at + 2).join(''), letters.slice(at + 2).join('')),
  )
}

/** `refunds` and `refunded` begin like `refund`. */
function stemOf(word: string): string {
  const stem = word.replace(/(ings?|ed|es|s)$/, '')
  return stem.length >= 4 ? stem : word
}

const beginning = (word: string): Form => {
  const stem = stemOf(word)
  return {
    tokens: beginningsOf(stem).slice(-1),
    isIn: ({ words }) => words.some((each) => (stem.length < 3 ? each === stem : each.startsWith(stem))),
  }
}

const amount = (value: string): Form => ({ tokens: [`n:${value}`], isIn: ({ numbers }) => numbers.has(value) })

const fact = (kind: Parameters<typeof factToken>[0], value: string): Form => {
  const token = factToken(kind, value)
  return { tokens: [token], isIn: ({ facts }) => facts.has(token) }
}

export const factWord = (kind: Parameters<typeof factToken>[0], value: string): Word => ({
  said: value,
  forms: [fact(kind, value)],
})

export interface Known {
  /** Members whose current name begins like this. */
  peopleNamed(text: string): readonly string[]
  /** Types of actions whose name holds this. */
  typesNamed(text: string): readonly string[]
}

export function wordsIn(question: string, { peopleNamed, typesNamed }: Known): Word[] {
  const words = runsOf(question).flatMap((run): Word[] => {
    if (run.kind === 'number') return [{ said: run.values[0] as string, forms: run.values.slice(0, 1).map(amount) }]
    const stems = run.kind === 'paired' ? stemsOf(run.text).filter((stem) => [...stem].length > 1) : [stemOf(run.text)]
    if (stems.length === 0) return []
    const written =
      run.kind === 'paired' ? [...stems.map((stem) => together(stem)), ...splitsOf(run.text)] : [beginning(run.text)]
    const known = [
      ...stems.flatMap(peopleNamed).map((id) => fact('by', id)),
      ...stems.flatMap(typesNamed).map((key) => fact('type', key)),
    ]
    return [{ said: run.text, forms: [...written, ...known] }]
  })
  if (words.length > maxWords) {
    throw new Problem('VALIDATION_ERROR', `The search has ${words.length} words. Send at most ${maxWords}.`, {
      details: { field: 'q', reason: 'words' },
    })
  }
  return words
}

/** For the index. */
export const hashesOf = (centerId: number, words: readonly Word[]): number[][][] =>
  words.map(({ forms }) => forms.map(({ tokens }) => tokens.map((token) => hashed(centerId, token))))

export const isIn = (text: Text, words: readonly Word[]): boolean =>
  words.every(({ forms }) => forms.some((form) => form.isIn(text)))
