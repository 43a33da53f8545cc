/**
 * Which sections answer a reader's words. Words that occur nowhere are forgiven, the kind of page decides among near
 * equals, and Korean is compared by pairs of syllables: a reader types "승인자를" and the page says "승인자가".
 */
import MiniSearch, { type SearchResult } from 'minisearch'
import { noise, synonyms } from './synonyms.ts'

/** How to do something comes before what there is, and both before why. */
const weights = { guide: 1.25, reference: 1, format: 0.8, background: 0.8, decision: 0.35 } as const

export interface Section {
  readonly page: string
  readonly kind: keyof typeof weights
  readonly heading: string
  readonly address: string
  readonly text: string
  /** On the first section of a page: words by which readers look for it and which it may not say. */
  readonly words?: string
}

const hangul = /^\p{Script=Hangul}+$/u

const pairs = (run: string): string[] =>
  run.length < 3 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2))

/** Endings go, so that "approving" and "approvals" meet "approve"; a code such as RATE_LIMITED stays whole beside its parts. */
export function stem(word: string): string {
  if (word.length < 5 || /[_.\d]/.test(word)) return word
  return word.replace(/ies$/, 'y').replace(/(?<=[^s]{4})(ing|als?|ed|es|s|e)$/, '')
}

export function tokens(text: string): string[] {
  const runs = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/\p{Script=Hangul}+|[a-z\d]+(?:[_.-][a-z\d]+)*|[^\s\p{P}\p{S}\p{Script=Hangul}a-z\d]+/gu)
  return (runs ?? []).flatMap((run) => {
    if (hangul.test(run)) return pairs(run)
    const parts = run.split(/[_.-]/)
    return parts.length > 1 ? [run, ...parts.map(stem)] : [stem(run)]
  })
}

type Index = MiniSearch<Section>

export async function indexOf(sections: readonly Section[]): Promise<Index> {
  const index = new MiniSearch<Section>({
    idField: 'address',
    fields: ['page', 'heading', 'words', 'text'],
    storeFields: ['page', 'kind', 'heading', 'address', 'text'],
    tokenize: tokens,
    processTerm: (term) => term,
  })
  await index.addAllAsync(sections, { chunkSize: 200 })
  return index
}

const most = 20
const mostOfOnePage = 3

/** The word without its Korean ending: "도메인으로" asks for 도메인. */
const bare = (word: string): string =>
  hangul.test(word)
    ? word.replace(/(?<=..)(으로|에서|에게|까지|부터|하는|하기|은|는|이|가|을|를|의|에|로|과|와|도|만)$/, '')
    : word

/** Words that say nothing ("how", "어떻게") are left out unless the reader typed nothing else. */
function asked(query: string): string[] {
  const all = query
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s,?!]+/)
    .filter(Boolean)
  const telling = all.filter((word) => !noise.has(word))
  return (telling.length > 0 ? telling : all).map(bare)
}

type Found = ReadonlyMap<string, { readonly points: number; readonly section: Section }>

function findWord(index: Index, word: string): Found {
  const found = index.search(word, {
    combineWith: hangul.test(word) ? 'AND' : 'OR',
    boost: { page: 5, heading: 3, words: 8, text: 1 },
    prefix: (term) => term.length > 2 && !hangul.test(term),
    fuzzy: (term) => (term.length > 5 && /^[a-z]+$/.test(term) ? 0.17 : false),
    weights: { fuzzy: 0.2, prefix: 0.5 },
  }) as (SearchResult & Section)[]
  const best = Math.max(...found.map(({ score }) => score))
  return new Map(found.map((each) => [each.address, { points: each.score / best, section: each }]))
}

/** What means the same counts half: a page that says the reader's own word comes first. */
function findMeaning(index: Index, word: string): Found {
  const found = new Map(findWord(index, word))
  for (const other of synonyms.get(word) ?? synonyms.get(stem(word)) ?? [])
    for (const [address, { points, section }] of findWord(index, other))
      if ((found.get(address)?.points ?? 0) < points / 2) found.set(address, { points: points / 2, section })
  return found
}

/** A section that has every word comes before one that repeats a single word. */
export function search(index: Index, query: string): Section[] {
  const words = asked(query)
  const sums = new Map<string, { points: number; words: number; section: Section }>()
  let known = 0
  for (const word of words) {
    const meant = findMeaning(index, word)
    known += meant.size > 0 ? 1 : 0
    for (const [address, { points, section }] of meant) {
      const before = sums.get(address) ?? { points: 0, words: 0 }
      sums.set(address, { points: before.points + points, words: before.words + 1, section })
    }
  }
  const whole = query.normalize('NFKC').toLowerCase().trim()
  const ranked = [...sums.values()]
    .map(({ points, words: had, section }) => {
      const exact = section.heading.toLowerCase() === whole ? 2 : 1
      return { section, points: points * (had / known) ** 2 * weights[section.kind] * exact }
    })
    .toSorted((a, b) => b.points - a.points)
  const shown = new Map<string, number>()
  return ranked
    .filter(({ section: { address } }) => {
      const page = address.split('#')[0] as string
      shown.set(page, (shown.get(page) ?? 0) + 1)
      return (shown.get(page) as number) <= mostOfOnePage
    })
    .slice(0, most)
    .map(({ section }) => section)
}
