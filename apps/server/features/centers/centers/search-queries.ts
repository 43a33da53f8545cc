import type { Vertical } from '@countersign/contract/enums.ts'
import { firstSandboxId } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import type { FoundCenter } from './queries.ts'
import { type Meaning, meaningOf } from './search-words-queries.ts'

const maxResults = 50
const maxWords = 5
/** How many centers with the rarest word, and again with its matches, are checked for the other words. */
const maxLookedAt = 500
/** Below the score of a word that begins or ends with the one of the query, and above that of a misspelled one. */
const scoreInside = 0.65

export async function findCenters(tx: IdentityTx, query: string, vertical: Vertical | null): Promise<FoundCenter[]> {
  const { rows: asked } = await sql<{
    word: string
  }>`select word from directory.words_of(${query}) word limit ${maxWords}`.execute(tx.db)
  if (asked.length === 0) return newest(tx, vertical)
  const meant: Meaning[] = []
  for (const { word } of asked) meant.push(await meaningOf(tx, word))
  const exact = await bySlug(tx, query, vertical)
  const found = meant.some(({ words, inside }) => words.length === 0 && inside === null)
    ? []
    : await withWords(tx, meant, vertical)
  const seen = new Set(exact.map((row) => row.domain))
  return [...exact, ...found.filter((row) => !seen.has(row.domain))].slice(0, maxResults)
}

function newest(tx: IdentityTx, vertical: Vertical | null): Promise<FoundCenter[]> {
  return tx.db
    .selectFrom('centers')
    .select(['name', 'domain', 'vertical', 'tenant_type', 'settings'])
    .where('status', '=', 'ACTIVE')
    .where('id', '<', firstSandboxId)
    .$if(vertical !== null, (select) => select.where('vertical', '=', vertical as string))
    .orderBy('id', 'desc')
    .limit(maxResults)
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

async function withWords(tx: IdentityTx, meant: readonly Meaning[], vertical: Vertical | null): Promise<FoundCenter[]> {
  const [rarest, ...others] = [...meant].sort((a, b) => a.centers - b.centers) as [Meaning, ...Meaning[]]
  const inVertical = vertical === null ? sql`` : sql` and w.vertical = ${vertical}`
  const alone = others.length === 0
  const share = Math.ceil(maxLookedAt / Math.max(rarest.words.length, 1))
  const most = rarest.words.map(({ score }) => (alone ? maxResults : score === 1 ? maxLookedAt : share))
  const candidates = [
    sql`select w.center_id, m.score
      from unnest(${rarest.words.map(({ word }) => word)}::text[], ${rarest.words.map(({ score }) => score)}::float8[],
        ${most}::int[]) m (word, score, most)
      cross join lateral (
        select w.center_id from directory.center_words w
        where w.word = m.word${inVertical} order by w.center_id desc limit m.most) w`,
  ]
  if (rarest.inside) {
    const { pairs, rarestPair } = rarest.inside
    candidates.push(sql`select w.center_id, ${scoreInside}::float8 as score from (
        select w.center_id from directory.center_pairs w where w.pair = ${rarestPair}${inVertical}
        order by w.center_id desc limit ${alone && pairs.length === 1 ? maxResults : maxLookedAt}) w
      where ${hasPairs(pairs)}`)
  }
  const alsoHas = others.map(
    ({ words, inside }) =>
      sql` and (${hasWord(words.map(({ word }) => word))}${inside ? sql` or ${hasPairs(inside.pairs)}` : sql``})`,
  )
  const { rows } = await sql<FoundCenter>`
    select c.name, c.domain, c.vertical, c.tenant_type, c.settings
    from (
      select w.center_id, max(w.score) as score from (${sql.join(candidates, sql` union all `)}) w
      where true${alone ? sql`` : sql.join(alsoHas, sql``)}
      group by w.center_id order by score desc, w.center_id desc limit ${maxResults}
    ) best join directory.centers c on c.id = best.center_id
    where c.status = 'ACTIVE' order by best.score desc, c.id desc`.execute(tx.db)
  return rows
}

// OFFSET prevents a join: with one, PostgreSQL would first read every center that has a common word.
const hasWord = (words: readonly string[]) => sql`exists (select from directory.center_words o
  where o.center_id = w.center_id and o.word = any (${words}::text[]) offset 0)`

const hasPairs = (pairs: readonly string[]) => sql`${pairs.length} = (select count(*) from directory.center_pairs o
  where o.center_id = w.center_id and o.pair = any (${pairs}::text[]))`
