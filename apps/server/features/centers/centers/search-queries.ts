import type { Vertical } from '@countersign/contract/enums.ts'
import { firstSandboxId } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import type { FoundCenter } from './queries.ts'

const mostAnswers = 50
const mostWords = 5
/** How many vocabulary words one query word may match. */
const mostLikely = 8
/** How many centers with the rarest word, and again with its matches, are checked for the other words. */
const mostLookedAt = 500

/** How many matching words are compared to choose the likely ones. */
const mostCompared = 100
/** The longest prefix for which the vocabulary is indexed by frequency. */
const indexedLetters = 3
const shortestEnding = 2
/** A shorter word is rather a different word than a misspelled one; a Hangul syllable counts two or three letters. */
const shortestMisspelled = 4

export async function findCenters(tx: IdentityTx, query: string, vertical: Vertical | null): Promise<FoundCenter[]> {
  const { rows: asked } = await sql<{
    word: string
  }>`select word from directory.words_of(${query}) word limit ${mostWords}`.execute(tx.db)
  if (asked.length === 0) return newest(tx, vertical)
  const meant: Meaning[][] = []
  for (const { word } of asked) meant.push(await meanings(tx, word))
  const exact = await bySlug(tx, query, vertical)
  const found = meant.some((likely) => likely.length === 0) ? [] : await withWords(tx, meant, vertical)
  const seen = new Set(exact.map((row) => row.domain))
  return [...exact, ...found.filter((row) => !seen.has(row.domain))].slice(0, mostAnswers)
}

function newest(tx: IdentityTx, vertical: Vertical | null): Promise<FoundCenter[]> {
  return tx.db
    .selectFrom('centers')
    .select(['name', 'domain', 'vertical', 'tenant_type', 'settings'])
    .where('status', '=', 'ACTIVE')
    .where('id', '<', firstSandboxId)
    .$if(vertical !== null, (select) => select.where('vertical', '=', vertical as string))
    .orderBy('id', 'desc')
    .limit(mostAnswers)
    .execute() as Promise<FoundCenter[]>
}

/** Slugs are looked up exactly, not by similarity, because users copy them. */
async function bySlug(tx: IdentityTx, query: string, vertical: Vertical | null): Promise<FoundCenter[]> {
  return (await tx.db
    .selectFrom('centers')
    .select(['name', 'domain', 'vertical', 'tenant_type', 'settings'])
    .where('domain', '=', query.trim().toLowerCase())
    .where('status', '=', 'ACTIVE')
    .where('id', '<', firstSandboxId)
    .$if(vertical !== null, (select) => select.where('vertical', '=', vertical as string))
    .execute()) as FoundCenter[]
}

interface Meaning {
  readonly word: string
  readonly score: number
  /** The natural logarithm of the number of centers that have it. */
  readonly commonness: number
}

/** A LIKE pattern with its special characters escaped. */
const beginsWith = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** The word itself, words that begin or end with it, and, where it is in no name, similar words. */
async function meanings(tx: IdentityTx, word: string): Promise<Meaning[]> {
  const found = await beginning(tx, word)
  const misspelled = found[0]?.word !== word
  if (found.length < mostLikely) found.push(...(await ending(tx, word)))
  if (found.length < mostLikely && misspelled) found.push(...(await nearby(tx, word)))
  const once = new Map(found.toReversed().map((meaning) => [meaning.word, meaning]))
  return [...once.values()].reverse().slice(0, mostLikely)
}

async function beginning(tx: IdentityTx, word: string): Promise<Meaning[]> {
  const letters = sql.lit(Math.min([...word].length, indexedLetters))
  const { rows } = await sql<Meaning>`
    select word, 1.0::float8 as score, commonness from directory.search_words
    where word = ${word} and commonness is not null
    union all
    (select word, 0.8::float8 as score, commonness from directory.search_words
    where left(word, ${letters}) = left(${word}, ${letters}) and word like ${beginsWith(word)} and word <> ${word}
      and commonness is not null
    order by left(word, ${letters}), commonness desc limit ${mostLikely})`.execute(tx.db)
  return rows
}

/** Korean names often join a brand and the kind of center, such as "재활센터", in one word. */
async function ending(tx: IdentityTx, word: string): Promise<Meaning[]> {
  const letters = [...word]
  if (letters.length < shortestEnding) return []
  const { rows } = await sql<Meaning>`
    select word, 0.7::float8 as score, commonness from (
      select word, commonness from directory.search_words
      where reverse(word) like ${beginsWith(letters.reverse().join(''))} and word <> ${word} and commonness is not null
      order by reverse(word) using ~<~ limit ${mostCompared}) w
    order by commonness desc limit ${mostLikely}`.execute(tx.db)
  return rows
}

async function nearby(tx: IdentityTx, word: string): Promise<Meaning[]> {
  if (word.normalize('NFD').length < shortestMisspelled) return []
  const { rows } = await sql<Meaning>`
    select word, likeness::float8 * 0.6 as score, commonness from (
      select word, commonness, similarity(normalize(word, NFD), normalize(${word}, NFD)) as likeness
      from directory.search_words
      where directory.nearby(word) && directory.nearby(${word}) and commonness is not null limit ${mostCompared}) w
    order by likeness desc, commonness desc limit ${mostLikely}`.execute(tx.db)
  return rows
}

async function withWords(
  tx: IdentityTx,
  meant: readonly Meaning[][],
  vertical: Vertical | null,
): Promise<FoundCenter[]> {
  const weight = (likely: readonly Meaning[]) => likely.reduce((sum, { commonness }) => sum + Math.exp(commonness), 0)
  const [rarest = [], ...others] = [...meant].sort((a, b) => weight(a) - weight(b))
  const inVertical = vertical === null ? sql`` : sql` and w.vertical = ${vertical}`
  // OFFSET prevents a join: with one, PostgreSQL would first read every center that has a common word.
  const alsoHas = others.map(
    (likely) => sql` and exists (select from directory.center_words o
      where o.center_id = w.center_id and o.word = any (${likely.map(({ word }) => word)}::text[]) offset 0)`,
  )
  const share = Math.ceil(mostLookedAt / rarest.length)
  const most = rarest.map(({ score }) => (others.length === 0 ? mostAnswers : score === 1 ? mostLookedAt : share))
  const { rows } = await sql<FoundCenter>`
    select c.name, c.domain, c.vertical, c.tenant_type, c.settings
    from (
      select w.center_id, max(m.score) as score
      from unnest(${rarest.map(({ word }) => word)}::text[], ${rarest.map(({ score }) => score)}::float8[], ${most}::int[])
        m (word, score, most)
      cross join lateral (
        select w.center_id from directory.center_words w
        where w.word = m.word${inVertical} order by w.center_id desc limit m.most) w
      where true${alsoHas.length === 0 ? sql`` : sql.join(alsoHas, sql``)}
      group by w.center_id order by score desc, w.center_id desc limit ${mostAnswers}
    ) best join directory.centers c on c.id = best.center_id
    where c.status = 'ACTIVE' order by best.score desc, c.id desc`.execute(tx.db)
  return rows
}
