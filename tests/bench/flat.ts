/** The cost of a seal in a chain of a million entries and in one of ten thousand. Seals of the two centers alternate. */
import { randomBytes } from 'node:crypto'
import { openWorld, type World } from '../support/world.ts'
import { benchLog, fillChain } from './chains.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, percentile, type Running, say, startProcess } from './place.ts'
import { sized } from './sized.ts'

const smallRows = sized(10_000, 200)
const sealsPerWindow = sized(200, 10)

interface Side {
  readonly centerId: number
  readonly key: string
}

async function makeSide(world: World, url: string, entries: number): Promise<Side> {
  const center = await world.center()
  await fillChain(url, center.id, benchLog, entries)
  await fillRecords(world, center.id)
  return { centerId: center.id, key: await world.key(center) }
}

/** The tables that a seal writes to have as many rows as the chain; a seal does not read those rows. */
async function fillRecords(world: World, centerId: number): Promise<void> {
  await world.query(
    `with made as (
       insert into cell.recorded_decisions (center_id, id, decision_id, type, actor, action, tags, action_digest, occurred_at, created_at)
       select center_id, id, 'd-' || idx, 'ai_recommendation', '{"id":"agent-7","type":"ai_agent"}', '{"type":"plan.adjust"}', '{}',
         'sha256:' || repeat('0', 64), now(), now()
       from cell.chain_entries where center_id = $1
       returning id, seq)
     insert into cell.dpus (center_id, id, domain, chain_index, vertical, evidence_level, salts, sealed_at, updated_at, event_seq,
       event_status, closed_at)
     select center_id, id, domain, idx, 'education', 'AUDIT_READY', '{}', at, at, seq, 'sealed', at
     from cell.chain_entries join made using (id) cross join lateral (select sealed_at::timestamptz as at) t where center_id = $1`,
    [centerId],
  )
}

async function post(server: Running, { key }: Side, path: string, body: object) {
  const response = await fetch(`${server.url}/api/v1/decision-events${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { data: { id: string; sealedHash: string | null } }
  if (response.status >= 300) throw new Error(JSON.stringify(answer))
  return answer.data
}

/** Measures only the approval, which seals; another bench measures recording. */
async function seal(server: Running, side: Side): Promise<number> {
  const { id } = await post(server, side, '', {
    type: 'ai_recommendation',
    actor: { id: 'agent-7', type: 'ai_agent', name: 'Care planner' },
    action: { type: 'plan.adjust', description: 'Two sessions a week', input: { client: 'c-102' } },
    tags: ['care-plan'],
  })
  const started = performance.now()
  const { sealedHash } = await post(server, side, `/${id}/approvals`, {
    approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' },
    result: 'approved',
    reason: 'Agrees with my own assessment.',
  })
  if (sealedHash === null) throw new Error('the approval did not seal')
  return performance.now() - started
}

export async function benchFlat({ rows, windows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  let server: Running | undefined
  try {
    const large = await makeSide(world, place.url, rows)
    const small = await makeSide(world, place.url, smallRows)
    await world.query('vacuum analyze cell.entries, cell.dpus, cell.recorded_decisions')
    server = await startProcess('../../apps/server/main.ts', {
      ROLE: 'api',
      DATABASE_URL: place.url,
      ...benchLog.settings,
      RATE_LIMIT_PROOF: '100000000/60',
      SECRET_KEY: randomBytes(32).toString('base64'),
    })
    for (let i = 0; i < 50; i++) for (const side of [large, small]) await seal(server, side)
    const all: { large: number[]; small: number[] } = { large: [], small: [] }
    const ratios: number[] = []
    for (let window = 0; window < windows; window++) {
      const times: { large: number[]; small: number[] } = { large: [], small: [] }
      for (let i = 0; i < sealsPerWindow; i++) {
        // The first center alternates, so that neither benefits from a warm cache.
        if (i % 2 === 0) times.small.push(await seal(server, small))
        times.large.push(await seal(server, large))
        if (i % 2 === 1) times.small.push(await seal(server, small))
      }
      ratios.push(median(times.large) / median(times.small))
      all.large.push(...times.large)
      all.small.push(...times.small)
      say(`window ${window + 1}: ${median(times.large).toFixed(2)} ms against ${median(times.small).toFixed(2)} ms`)
    }
    const round = (value: number) => Number(value.toFixed(2))
    return {
      value: round(median(all.large)),
      unit: 'ms, median of a seal',
      bare: round(median(all.small)),
      ratio: round(median(ratios)),
      ratios: ratios.map(round),
      p99: round(percentile(all.large, 0.99)),
      bareP99: round(percentile(all.small, 0.99)),
      seals: all.large.length,
      rows,
      smallRows,
    }
  } finally {
    await server?.stop()
    await world.close()
    await place.close()
  }
}
