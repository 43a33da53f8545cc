/** What a word of a search query may mean: words of the vocabulary, and pairs of syllables inside of names. */
import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'

/** How many vocabulary words one query word may match. */
const maxCandidates = 8
/** How many matching words are compared to choose the likely ones. */
const maxCompared = 100
/** The longest prefix for which the vocabulary is indexed by frequency. */
const indexedLetters = 3
const shortestEnding = 2
/** A shorter word is rather a different word than a misspelled one; a Hangul syllable counts two or three letters. */
const shortestMisspelled = 4
/** The first pairs of a longer word decide. */
const maxPairs = 8
/** A pair is counted up to this number of centers, to choose the rarest. */
const maxCounted = 500

interface LikelyWord {
  readonly word: string
  readonly score: number
  /** The natural logarithm of the number of centers that have it. */
  readonly commonness: number
}

export interface Meaning {
  readonly words: readonly LikelyWord[]
  /** For a Korean word that is part of a name: its pairs of syllables, all of which a matching name has. */
  readonly inside: { readonly pairs: readonly string[]; readonly rarestPair: string } | null
  /** About how many centers match. */
  readonly centers: number
}

export async function meaningOf(tx: IdentityTx, word: string): Promise<Meaning> {
  const words = await likelyWords(tx, word)
  const inside = await insideNames(tx, word)
  const withWords = words.reduce((sum, { commonness }) => sum + Math.exp(commonness), 0)
  return { words, inside, centers: withWords + (inside?.centers ?? 0) }
}

/** The word itself, words that begin or end with it, Korean compounds with such Latin letters inside, and, where it is in no name, similar words. */
async function likelyWords(tx: IdentityTx, word: string): Promise<LikelyWord[]> {
  const found = await beginning(tx, word)
  const misspelled = found[0]?.word !== word
  if (found.length < maxCandidates) found.push(...(await ending(tx, word)))
  if (found.length < maxCandidates) found.push(...(await lettersInside(tx, word)))
  if (found.length < maxCandidates && misspelled) found.push(...(await nearby(tx, word)))
  const once = new Map(found.toReversed().map((likely) => [likely.word, likely]))
  return [...once.values()].reverse().slice(0, maxCandidates)
}

/** A LIKE pattern with its special characters escaped. */
const beginsWith = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

async function beginning(tx: IdentityTx, word: string): Promise<LikelyWord[]> {
  const letters = sql.lit(Math.min([...word].length, indexedLetters))
  const { rows } = await sql<LikelyWord>`
    select word, 1.0::float8 as score, commonness from directory.search_words
    where word = ${word} and commonness is not null
    union all
    (select word, 0.8::float8 as score, commonness from directory.search_words
    where left(word, ${letters}) = left(${word}, ${letters}) and word like ${beginsWith(word)} and word <> ${word}
      and commonness is not null
    order by left(word, ${letters}), commonness desc limit ${maxCandidates})`.execute(tx.db)
  return rows
}

/** Korean names often join a brand and the kind of center, such as "재활센터", in one word. */
async function ending(tx: IdentityTx, word: string): Promise<LikelyWord[]> {
  const letters = [...word]
  if (letters.length < shortestEnding) return []
  const { rows } = await sql<LikelyWord>`
    select word, 0.7::float8 as score, commonness from (
      select word, commonness from directory.search_words
      where reverse(word) like ${beginsWith(letters.reverse().join(''))} and word <> ${word} and commonness is not null
      order by reverse(word) using ~<~ limit ${maxCompared}) w
    order by commonness desc limit ${maxCandidates}`.execute(tx.db)
  return rows
}

/** Names mix scripts without a space: "it" is inside of "강남it학원". The index has the first ten letters. */
async function lettersInside(tx: IdentityTx, word: string): Promise<LikelyWord[]> {
  if (!/^[a-z0-9]{2,}$/.test(word)) return []
  const { rows } = await sql<LikelyWord>`
    select word, 0.65::float8 as score, commonness from (
      select word, commonness from directory.search_words
      where directory.letters_inside(word) @> array[left(${word}, 10)] and strpos(word, ${word}) > 0
        and commonness is not null limit ${maxCompared}) w
    order by commonness desc limit ${maxCandidates}`.execute(tx.db)
  return rows
}

async function nearby(tx: IdentityTx, word: string): Promise<LikelyWord[]> {
  if (word.normalize('NFD').length < shortestMisspelled) return []
  const { rows } = await sql<LikelyWord>`
    select word, likeness::float8 * 0.6 as score, commonness from (
      select word, commonness, similarity(normalize(word, NFD), normalize(${word}, NFD)) as likeness
      from directory.search_words
      where directory.nearby(word) && directory.nearby(${word}) and commonness is not null limit ${maxCompared}) w
    order by likeness desc, commonness desc limit ${maxCandidates}`.execute(tx.db)
  return rows
}

/** Korean names join words without a space: "재활" is inside of "하늘재활센터". */
async function insideNames(tx: IdentityTx, word: string) {
  if (!/^[가-힣]{2,}$/.test(word)) return null
  const all = Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2))
  const pairs = [...new Set(all)].slice(0, maxPairs)
  const { rows } = await sql<{ pair: string; centers: number }>`
    select pair, (select count(*)::int from (
      select from directory.center_pairs p where p.pair = asked.pair limit ${maxCounted}) counted) as centers
    from unnest(${pairs}::text[]) asked (pair) order by centers`.execute(tx.db)
  const [rarest] = rows
  return rarest && rarest.centers > 0 ? { pairs, rarestPair: rarest.pair, centers: rarest.centers } : null
}
