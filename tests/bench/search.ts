/**
 * GET /api/search/decisions in a center with half a million decisions: sixty questions in people's words, with the right answer
 * known, and how large the index is. The reference is a scan of the same texts by the database.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWorld, type World } from '../support/world.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, percentile, type Running, say, startProcess } from './place.ts'
import { dataSeed, fillDecisions, type Question } from './search-data.ts'
import { sized } from './sized.ts'

const rounds = sized(5, 1)
const usualRows = 500_000
const firstPlaces = 3

async function untilIndexed(world: World, centerId: number): Promise<number> {
  const started = performance.now()
  for (;;) {
    const [row] = await world.query<{ left: number }>(
      `select count(*)::int as left from cell.decision_events e where e.center_id = $1 and e.seq > coalesce(
         (select recorded_through from cell.decision_word_marks where center_id = $1), 0)`,
      [centerId],
    )
    if (row?.left === 0) return (performance.now() - started) / 1000
    await sleep(500)
  }
}

async function ask(server: Running, token: string, { q }: Question) {
  const started = performance.now()
  const response = await fetch(`${server.url}/api/search/decisions?${new URLSearchParams({ q, limit: '20' })}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const body = (await response.json()) as { data: { decisions: { decisionId: string }[] } }
  if (response.status !== 200) throw new Error(`${q}: ${JSON.stringify(body)}`)
  return { ms: performance.now() - started, found: body.data.decisions.map(({ decisionId }) => decisionId) }
}

export async function benchSearch({ rows: asked }: BenchOptions): Promise<BenchResult> {
  // The default of the option is the size of other benches.
  const rows = asked === 1_000_000 ? usualRows : asked
  const place = await makePlace()
  const world = await openWorld(place.url)
  let server: Running | undefined
  try {
    const center = await world.center()
    const admin = await world.person()
    await world.member(admin, center)
    say(`filling a center with ${rows} decisions`)
    const questions = await fillDecisions(world, center.id, rows)
    await world.query('vacuum analyze')
    server = await startProcess('../../apps/server/main.ts', {
      ROLE: 'all',
      DATABASE_URL: place.url,
      RATE_LIMIT_STANDARD: '100000000/60',
      SECRET_KEY: randomBytes(32).toString('base64'),
    })
    const indexedIn = await untilIndexed(world, center.id)
    await world.query('vacuum analyze cell.decision_words')
    const signedIn = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: admin.email, password: admin.password, centerDomain: center.domain }),
    })
    const token = ((await signedIn.json()) as { data: { accessToken: string } }).data.accessToken
    const windows: number[][] = []
    let right = 0
    for (let round = 0; round < rounds; round++) {
      const times: number[] = []
      windows.push(times)
      for (const question of questions) {
        const { ms, found } = await ask(server, token, question)
        times.push(ms)
        if (round > 0) continue
        if (found.slice(0, firstPlaces).includes(question.right)) right++
        else
          say(
            `not among the first ${firstPlaces}: ${question.q} (${found.indexOf(question.right) + 1} of ${found.length})`,
          )
      }
    }
    const [size] = await world.query<{ bytes: string }>(`select pg_total_relation_size('cell.decision_words') as bytes`)
    const bare: number[] = []
    for (const { q } of questions.slice(0, 5)) {
      const started = performance.now()
      await world.query(
        'select count(*) from cell.decision_events where center_id = $1 and action::text || reason like $2',
        [center.id, `%${q.split(' ')[0]}%`],
      )
      bare.push(performance.now() - started)
    }
    const times = windows.flat()
    const p95 = percentile(times, 0.95)
    return {
      value: round(p95),
      unit: 'ms p95',
      bare: round(median(bare)),
      ratio: round(p95 / median(bare)),
      median: round(median(times)),
      windows: windows.map((each) => round(percentile(each, 0.95))),
      rightInFirstThree: right,
      questions: questions.length,
      rows,
      bytesPerDecision: Math.round(Number(size?.bytes) / rows),
      indexedPerSecond: Math.round(rows / indexedIn),
      requests: times.length,
      seed: dataSeed,
    }
  } finally {
    await server?.stop()
    await world.close()
    await place.close()
  }
}

const round = (value: number): number => Number(value.toFixed(2))
