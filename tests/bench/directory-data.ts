/** Fills a directory with centers, as fast as PostgreSQL writes. */
import type pg from 'pg'
import { withClient } from '../../tools/postgres.ts'
import { namedCenter } from './center-names.ts'
import { type Place, say } from './place.ts'
import { sized } from './sized.ts'

export const smallRows = sized(10_000, 500)
const rowsAtOnce = 10_000

async function insertCenters(client: pg.ClientBase, rows: number): Promise<void> {
  for (let first = 1; first <= rows; first += rowsAtOnce) {
    const length = Math.min(rowsAtOnce, rows - first + 1)
    const centers = Array.from({ length }, (_, index) => namedCenter(first + index))
    await client.query(
      `insert into directory.centers (domain, name, vertical, settings)
       select domain, name, vertical, jsonb_build_object('branding', jsonb_build_object('description', description))
       from jsonb_to_recordset($1) c (domain text, name text, vertical text, description text)`,
      [JSON.stringify(centers)],
    )
  }
}

/** The rows that the trigger writes one by one, for all centers at once. */
const wordsOfAll = `select c.id as center_id, word, c.vertical from directory.centers c,
  directory.words_of(c.name || ' ' || coalesce(c.settings #>> '{branding,description}', '')) word where c.status = 'ACTIVE'`
const pairsOfAll = `select c.id as center_id, pair, c.vertical from directory.centers c, directory.pairs_of(c.name) pair
  where c.status = 'ACTIVE'`
const vocabulary = 'select word, count(*)::integer as centers from directory.center_words group by word'

/** The trigger takes many minutes for a million rows: it is disabled here, and its tables are filled in one statement. */
async function fillAtOnce(client: pg.ClientBase, rows: number): Promise<void> {
  await client.query('begin; set local session_replication_role = replica')
  await insertCenters(client, rows)
  await client.query(`insert into directory.center_words (center_id, word, vertical) ${wordsOfAll}`)
  await client.query(`insert into directory.center_pairs (center_id, pair, vertical) ${pairsOfAll}`)
  await client.query(`insert into directory.search_words (word, centers) ${vocabulary}`)
  await client.query('commit')
}

/** The bulk fill must write the rows that the trigger writes; compared on the database where the trigger ran. */
async function checkAgainstTrigger(client: pg.ClientBase): Promise<void> {
  for (const [table, columns, statement] of [
    ['center_words', 'center_id, word, vertical', wordsOfAll],
    ['center_pairs', 'center_id, pair, vertical', pairsOfAll],
    ['search_words', 'word, centers', vocabulary],
  ]) {
    const { rows } = await client.query(
      `with ours as (${statement}), theirs as (select ${columns} from directory.${table})
       (table ours except all table theirs) union all (table theirs except all table ours) limit 1`,
    )
    if (rows.length > 0) throw new Error(`${table} is not what the trigger writes: ${JSON.stringify(rows[0])}`)
  }
}

export async function fillCenters(place: Place, rows: number): Promise<{ words: number }> {
  say(`filling a directory with ${rows} centers`)
  return withClient(place.url, async (client) => {
    if (rows > smallRows) await fillAtOnce(client, rows)
    else {
      await insertCenters(client, rows)
      await checkAgainstTrigger(client)
    }
    await client.query(
      'vacuum analyze directory.centers, directory.center_words, directory.center_pairs, directory.search_words',
    )
    const { rows: counted } = await client.query('select count(*)::int as words from directory.search_words')
    return counted[0]
  })
}

/** One person, one membership and one key for each center. The keys are hashes without a key. */
export async function fillPeople(place: Place): Promise<void> {
  say('filling people, memberships and keys')
  await withClient(place.url, async (client) => {
    await client.query('begin; set local session_replication_role = replica')
    await client.query(
      `create temporary table people on commit drop as select id as center_id, gen_random_uuid() as actor_id from directory.centers`,
    )
    await client.query(
      `insert into directory.actors (id, email, email_verified_at, name)
       select actor_id, 'p-' || center_id || '@people.example', now(), 'Person ' || center_id from people`,
    )
    await client.query(
      `insert into directory.memberships (center_id, id, actor_id, role, status)
       select center_id, gen_random_uuid(), actor_id, 'ADMIN', 'ACTIVE' from people`,
    )
    await client.query(
      `insert into directory.api_keys (center_id, id, hash, prefix, name, scopes)
       select center_id, gen_random_uuid(), sha256(actor_id::text::bytea), 'csk_live_0000', 'agent', '{proof:write}' from people`,
    )
    await client.query('commit')
    await client.query('vacuum analyze')
  })
}

/** Bytes of the largest tables of the directory with their indexes, the largest first. */
export async function sizesOf(place: Place): Promise<Record<string, number>> {
  const { rows } = await withClient(place.url, (client) =>
    client.query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(c.oid) as bytes from pg_class c
       where relnamespace = 'directory'::regnamespace and relkind = 'r' order by 2 desc limit 8`,
    ),
  )
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}
