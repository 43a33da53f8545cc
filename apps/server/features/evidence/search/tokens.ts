/**
 * The tokens of a text, and the words of a question: the same for the index and for comparing. Pure.
 * Scripts without spaces between words go by pairs of neighboring letters, so `환불` finds `수강료환불`; other scripts by the
 * beginnings of words; numbers by their value, however they are written.
 */

/** Written without spaces between words, or with endings on them. */
const pairedRun = '[\\p{Script=Hangul}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]+'
const numberRun = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?'
const runs = new RegExp(
  `(?<number>${numberRun})(?<unit>\\s?[만억천백](?=[\\s원\\d]|$))?|(?<paired>${pairedRun})|(?<word>[\\p{L}\\p{M}]+)`,
  'gu',
)
const units: Readonly<Record<string, number>> = { 백: 100, 천: 1000, 만: 10_000, 억: 100_000_000 }

/** So common that they tell nothing apart. */
const common = new Set('a an and are as at be by for from in is it its of on or our that the to was we with'.split(' '))

export const normalized = (text: string): string => text.normalize('NFKC').toLowerCase()

export type Run =
  | { readonly kind: 'paired' | 'word'; readonly text: string }
  /** A value, and with a unit behind it also that many of the unit. */
  | { readonly kind: 'number'; readonly values: readonly string[] }

export function runsOf(text: string): Run[] {
  const found: Run[] = []
  for (const { groups = {} } of normalized(text).matchAll(runs)) {
    const { number, unit, paired, word } = groups
    if (number !== undefined) {
      const value = Number(number.replaceAll(',', ''))
      const many = unit && units[unit.trim()]
      found.push({ kind: 'number', values: many ? [String(value * many), String(value)] : [String(value)] })
    } else if (paired !== undefined) found.push({ kind: 'paired', text: paired })
    else if (word !== undefined && word.length > 1 && !common.has(word)) found.push({ kind: 'word', text: word })
  }
  return found
}

export function pairsOf(text: string): string[] {
  const letters = [...text]
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)
}

/** What is indexed of the beginning of a word; the rest of a longer one is compared in the text. */
export const beginningsOf = (word: string): string[] =>
  word.length < 3 ? [word] : word.length < 5 ? [word.slice(0, 3)] : [word.slice(0, 3), word.slice(0, 5)]

export const tokensOfRun = (run: Run): string[] =>
  run.kind === 'number'
    ? run.values.map((value) => `n:${value}`)
    : run.kind === 'paired'
      ? pairsOf(run.text)
      : beginningsOf(run.text)

/** Ids of people and agents, policies, states and types of actions, each in its own namespace. */
export const factToken = (kind: 'by' | 'policy' | 'state' | 'type' | 'tag', value: string): string => `${kind}:${value}`

/** FNV-1a with a final mix. Two centers share no tokens but by chance, and the center is compared too. */
export function hashed(centerId: number, token: string): number {
  let hash = 0x811c9dc5 ^ centerId
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) | 0
}
