/**
 * GET /api/console/oversight and its groups in a center with many decisions: how long each question takes, how fast the sums
 * follow, and how large they are. The reference is the same median over the rows themselves.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWorld, type World } from '../support/world.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makeDecisions, policyName } from './oversight-data.ts'
import { makePlace, median, percentile, type Running, say, startProcess } from './place.ts'
import { sized } from './sized.ts'

const rounds = sized(30, 2)
const seed = 20_261_119
const people = 20
const slowestAllowed = 200

async function untilCounted(world: World, centerId: number): Promise<number> {
  const started = performance.now()
  for (;;) {
    const [row] = await world.query<{ left: number }>(
      `select (h.next_index - coalesce(m.counted_through, 0))::int as left
       from cell.chain_heads h left join cell.oversight_marks m using (center_id) where h.center_id = $1 and h.domain = 'proof'`,
      [centerId],
    )
    if (row?.left === 0) return (performance.now() - started) / 1000
    await sleep(500)
  }
}

export async function benchOversight({ rows: asked }: BenchOptions): Promise<BenchResult> {
  const rows = asked
  const place = await makePlace()
  const world = await openWorld(place.url)
  let server: Running | undefined
  try {
    const center = await world.center()
    const admin = await world.person()
    await world.member(admin, center)
    const others = await Promise.all(Array.from({ length: people - 1 }, () => world.person()))
    for (const person of others) await world.member(person, center)
    say(`filling a center with ${rows} decisions, seed ${seed}`)
    const loading = performance.now()
    const ids = [admin, ...others].map(({ actorId }) => actorId)
    await makeDecisions(world, { centerId: center.id, rows, seed, people: ids, policies: 20, agents: 50, days: 360 })
    const loadedIn = (performance.now() - loading) / 1000
    await world.query('vacuum analyze')
    server = await startProcess('../../apps/server/main.ts', {
      ROLE: 'all',
      DATABASE_URL: place.url,
      RATE_LIMIT_STANDARD: '100000000/60',
      SECRET_KEY: randomBytes(32).toString('base64'),
    })
    const countedIn = await untilCounted(world, center.id)
    await world.query('vacuum analyze cell.oversight_sums')
    const signedIn = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: admin.email, password: admin.password, centerDomain: center.domain }),
    })
    const token = ((await signedIn.json()) as { data: { accessToken: string } }).data.accessToken
    const questions: Readonly<Record<string, string>> = {
      'a month by day': '?period=month&step=day',
      'a quarter by week': '?period=quarter&step=week',
      'a year by week': '?period=year&step=week',
      'a year by day': '?period=year&step=day',
      'a year of a policy by day': `?period=year&step=day&policyId=${policyName(1)}`,
      'a year of a person by day': `?period=year&step=day&actorId=${admin.actorId}`,
      'a year of an agent by day': '?period=year&step=day&agentId=agent-1',
      'a year by policy': '/groups?by=policy&period=year',
      'a year by person': '/groups?by=person&period=year',
      'a year by agent': '/groups?by=agent&period=year',
    }
    const times = new Map<string, number[]>(Object.keys(questions).map((name) => [name, []]))
    for (let round = -1; round < rounds; round++) {
      for (const [name, query] of Object.entries(questions)) {
        const started = performance.now()
        const response = await fetch(`${server.url}/api/console/oversight${query}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const text = await response.text()
        if (response.status !== 200) throw new Error(`${name}: ${text}`)
        // The first round is for the caches.
        if (round >= 0) times.get(name)?.push(performance.now() - started)
      }
    }
    const [size] = await world.query<{ bytes: string; sums: number }>(
      `select pg_total_relation_size('cell.oversight_sums') as bytes, (select count(*)::int from cell.oversight_sums) as sums`,
    )
    const started = performance.now()
    await world.query(
      `select date_trunc('week', a.created_at), percentile_disc(0.5) within group (order by a.created_at - e.created_at)
       from cell.approvals a join cell.decision_events e on e.center_id = a.center_id and e.id = a.event_id
       where a.center_id = $1 group by 1`,
      [center.id],
    )
    const bare = performance.now() - started
    const each = Object.fromEntries(
      [...times].map(([name, all]) => [name, { p50: round(median(all)), p95: round(percentile(all, 0.95)) }]),
    )
    for (const [name, { p50, p95 }] of Object.entries(each)) say(`${name}: p50 ${p50} ms, p95 ${p95} ms`)
    const slowest = Math.max(...Object.values(each).map(({ p95 }) => p95))
    return {
      value: slowest,
      unit: 'ms p95 of the slowest question',
      bare: round(bare),
      ratio: round(slowest / bare),
      held: slowest <= slowestAllowed,
      each,
      rows,
      seed,
      loadedIn: round(loadedIn),
      countedPerSecond: Math.round(rows / Math.max(countedIn, 0.001)),
      bytesPerDecision: Math.round(Number(size?.bytes) / rows),
      sums: size?.sums,
    }
  } finally {
    await server?.stop()
    await world.close()
    await place.close()
  }
}

const round = (value: number): number => Number(value.toFixed(2))
