/**
 * POST /centers/search at a million centers and at ten thousand: a hundred fixed queries, sent to the two in alternation.
 * Each has its own database and process, and the first ten thousand centers are the same.
 */
import { randomBytes } from 'node:crypto'
import { fillCenters, smallRows } from './directory-data.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Place, percentile, type Running, say, startProcess } from './place.ts'
import { type SearchQuery, searchQueries } from './search-centers-queries.ts'
import { sized } from './sized.ts'

const rounds = sized(20, 2)

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

export async function benchSearchCenters({ rows }: BenchOptions): Promise<BenchResult> {
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
