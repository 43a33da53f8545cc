import type { Vertical } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { IdentityTx } from '../../data/directory.ts'
import type { FoundCenter } from './queries.ts'

const mostAnswers = 50
const mostWords = 5
/** How many words of the vocabulary one word of the query may stand for. */
const mostLikely = 8
/** How far down the list of the rarest word we look for centers that have the others too. */
const mostLookedAt = 500

/** Fewer letters than this have too few trigrams to be misspelled. */
const shortest = 3

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
    .$if(vertical !== null, (select) => select.where('vertical', '=', vertical as string))
    .orderBy('id', 'desc')
    .limit(mostAnswers)
    .execute() as Promise<FoundCenter[]>
}

/** Slugs are looked up, not compared: nobody misspells what they copy. */
async function bySlug(tx: IdentityTx, query: string, vertical: Vertical | null): Promise<FoundCenter[]> {
  return (await tx.db
    .selectFrom('centers')
    .select(['name', 'domain', 'vertical', 'tenant_type', 'settings'])
    .where('domain', '=', query.trim().toLowerCase())
    .where('status', '=', 'ACTIVE')
    .$if(vertical !== null, (select) => select.where('vertical', '=', vertical as string))
    .execute()) as FoundCenter[]
}

interface Meaning {
  readonly word: string
  readonly score: number
  readonly centers: number
}

/** The word itself, words that begin with it, words like it. */
async function meanings(tx: IdentityTx, word: string): Promise<Meaning[]> {
  const prefix = `${word.replaceAll(/[\\%_]/g, '\\$&')}%`
  const { rows: begun } = await sql<Meaning>`
    select word, case when word = ${word} then 1.0 else 0.8 end::float8 as score, centers from directory.search_words
    where word like ${prefix} and centers > 0 order by length(word), centers desc limit ${mostLikely}`.execute(tx.db)
  if (begun.length >= mostLikely || word.length < shortest) return begun
  const { rows: like } = await sql<Meaning>`
    select word, similarity(word, ${word})::float8 * 0.7 as score, centers from directory.search_words
    where word % ${word} and centers > 0 order by similarity(word, ${word}) desc, centers desc limit ${mostLikely}`.execute(
    tx.db,
  )
  const known = new Set(begun.map((meaning) => meaning.word))
  return [...begun, ...like.filter((meaning) => !known.has(meaning.word))].slice(0, mostLikely)
}

async function withWords(
  tx: IdentityTx,
  meant: readonly Meaning[][],
  vertical: Vertical | null,
): Promise<FoundCenter[]> {
  const weight = (likely: readonly Meaning[]) => likely.reduce((sum, { centers }) => sum + centers, 0)
  const [rarest = [], ...others] = [...meant].sort((a, b) => weight(a) - weight(b))
  const inVertical = vertical === null ? sql`` : sql` and w.vertical = ${vertical}`
  const alsoHas = others.map(
    (likely) => sql` and exists (select from directory.center_words o
      where o.center_id = w.center_id and o.word = any (${likely.map(({ word }) => word)}::text[]))`,
  )
  const { rows } = await sql<FoundCenter>`
    select c.name, c.domain, c.vertical, c.tenant_type, c.settings
    from (
      select w.center_id, max(w.score) as score
      from unnest(${rarest.map(({ word }) => word)}::text[], ${rarest.map(({ score }) => score)}::float8[]) m (word, score)
      cross join lateral (
        select w.center_id, w.vertical, m.score from directory.center_words w
        where w.word = m.word${inVertical} order by w.center_id desc limit ${mostLookedAt}) w
      where true${alsoHas.length === 0 ? sql`` : sql.join(alsoHas, sql``)}
      group by w.center_id order by score desc, w.center_id desc limit ${mostAnswers}
    ) best join directory.centers c on c.id = best.center_id
    where c.status = 'ACTIVE' order by best.score desc, c.id desc`.execute(tx.db)
  return rows
}
