/**
 * POST /centers/search at a million centers and at ten thousand: a hundred fixed queries, sent to the two in alternation.
 * Each has its own database and process, and the first ten thousand centers are the same.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { withClient } from '../../tools/postgres.ts'
import { namedCenter } from './center-names.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Place, percentile, type Running, say, startProcess } from './place.ts'
import { type SearchQuery, searchQueries } from './search-queries.ts'

const smallRows = 10_000
const rounds = 20
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

async function fillCenters(place: Place, rows: number): Promise<{ words: number }> {
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

interface Side {
  readonly words: number
  readonly server: Running
  readonly times: Map<SearchQuery, number[]>
  found: number
}

async function openSide(place: Place, rows: number): Promise<Side> {
  const { words } = await fillCenters(place, rows)
  const server = await startProcess('../../apps/server/main.ts', {
    ROLE: 'api',
    DATABASE_URL: place.url,
    RATE_LIMIT_PUBLIC: '100000000/60',
    SECRET_KEY: randomBytes(32).toString('base64'),
  })
  return { words, server, times: new Map(searchQueries.map((query) => [query, []])), found: 0 }
}

async function ask(side: Side, query: SearchQuery): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${side.server.url}/api/centers/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(query),
  })
  const body = (await response.json()) as { data: unknown[] }
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  side.found += body.data.length
  return performance.now() - started
}

export async function benchSearch({ rows }: BenchOptions): Promise<BenchResult> {
  const places = [await makePlace(), await makePlace()] as const
  const sides: Side[] = []
  try {
    const large = await openSide(places[0], rows)
    sides.push(large)
    const small = await openSide(places[1], smallRows)
    sides.push(small)
    for (const query of searchQueries) for (const side of sides) await ask(side, query)
    for (const side of sides) side.found = 0
    for (let round = 0; round < rounds; round++) {
      for (const query of searchQueries) {
        // The first server alternates by round, so that neither always finds warm caches.
        for (const side of round % 2 === 0 ? [small, large] : [large, small])
          side.times.get(query)?.push(await ask(side, query))
      }
    }
    return resultOf(large, small, rows)
  } finally {
    for (const side of sides) await side.server.stop()
    for (const place of places) await place.close()
  }
}

function resultOf(large: Side, small: Side, rows: number): BenchResult {
  const p99 = (side: Side) => round(percentile([...side.times.values()].flat(), 0.99))
  const middle = (side: Side, query: SearchQuery) => round(median(side.times.get(query) as number[]))
  const slowest = searchQueries
    .map((query) => ({ query, large: middle(large, query), small: middle(small, query) }))
    .sort((a, b) => b.large - a.large)
  for (const each of slowest.slice(0, 10))
    say(`${each.large} ms against ${each.small} ms: ${JSON.stringify(each.query)}`)
  /** The second slowest of a hundred queries, each by its median, which excludes outliers of the machine. */
  const byQuery = (side: 'large' | 'small') =>
    percentile(
      slowest.map((each) => each[side]),
      0.98,
    )
  return {
    value: p99(large),
    unit: 'ms p99',
    bare: p99(small),
    ratio: round(p99(large) / p99(small)),
    slowQuery: [byQuery('large'), byQuery('small'), round(byQuery('large') / byQuery('small'))],
    medians: [large, small].map((side) => round(median([...side.times.values()].flat()))),
    rows,
    smallRows,
    words: [large.words, small.words],
    found: [large.found, small.found],
    requests: rounds * searchQueries.length,
  }
}

const round = (value: number): number => Number(value.toFixed(2))
