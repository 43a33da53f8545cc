/**
 * The first page of GET /api/v1/decision-events for a center with a million rows and for one with ten thousand, by each
 * filter alone and by all three together; then the lists of members, audit entries, units and appointments of the same centers. Requests to
 * the two centers alternate; totals are compared with a count.
 */
import { randomBytes } from 'node:crypto'
import { openWorld, type Person, type World } from '../support/world.ts'
import { centerLists } from './center-lists.ts'
import { measureLists } from './measure-lists.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, percentile, type Running, say, startProcess } from './place.ts'
import { sized } from './sized.ts'

const smallRows = sized(10_000, 200)
const requestsEach = sized(400, 10)

/** A common and a rare value of each filter. `all` combines a common tag with a rare type, the hardest case for an index. */
const filters: Record<string, string> = {
  none: '',
  'type, common': 'type=ai_recommendation',
  'type, rare': 'type=escalation',
  'status, common': 'status=recorded',
  'status, rare': 'status=rejected',
  'tag, common': 'tag=t-1',
  'tag, rare': 'tag=t-40',
  'all three, common': 'type=ai_recommendation&status=recorded&tag=t-1',
  'all three, rare': 'type=escalation&status=rejected&tag=t-1',
}
const alone = (name: string): boolean => name.startsWith('type') || name.startsWith('status') || name.startsWith('tag')

async function fill(world: World, centerId: number, rows: number): Promise<void> {
  // Nine of ten events are recommendations, one of a thousand is an escalation; tag t-N is on one event in N.
  await world.query(
    `with events as (
       insert into cell.recorded_decisions
         (center_id, id, decision_id, type, actor, action, tags, action_digest, occurred_at, created_at)
       select $1, gen_random_uuid(), 'd-' || i,
         case when i % 1000 = 0 then 'escalation' when i % 10 = 0 then 'custom' else 'ai_recommendation' end,
         '{"id":"agent-7","type":"ai_agent"}', '{"type":"plan.adjust"}',
         array(select 't-' || n from unnest(array[1, 2, 40]) n where i % n = 0),
         'sha256:' || repeat('0', 64), now(), now()
       from generate_series(1, $2::int) i
       returning center_id, id, seq, tags, substr(decision_id, 3)::int / 7 as place
     ), stated as (
       select *, case when place % 500 = 0 then 'rejected' when place % 4 = 0 then 'sealed' else 'recorded' end as status from events
     ), opened as (
       insert into cell.open_decisions (center_id, seq, status) select center_id, seq, status from stated where status = 'recorded'
     ), closed as (
       insert into cell.dpus (center_id, id, domain, chain_index, vertical, evidence_level, salts, updated_at, event_seq, event_status,
         closed_at)
       select center_id, id, 'proof', -seq, 'education', 'DOCUMENTED', '{}', now(), seq, status, now() from stated
       where status <> 'recorded')
     insert into cell.decision_event_tags (center_id, tag, seq)
     select center_id, unnest(tags), seq from events`,
    [centerId, rows],
  )
}

/** Updates the counts as the job does, without waiting for the job. */
async function bringCountsUpToDate(world: World, centerId: number): Promise<void> {
  await world.query(`do $$ begin
    perform set_config('app.center_id', '${centerId}', true);
    while cell.count_events(50000) > 0 loop null; end loop;
  end $$`)
}

interface Side {
  readonly centerId: number
  readonly key: string
  readonly admin: Person
  readonly domain: string
}

async function page(server: Running, { key }: Side, filter: string): Promise<{ ms: number; total: number }> {
  const started = performance.now()
  const response = await fetch(`${server.url}/api/v1/decision-events?${filter}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const body = (await response.json()) as { pagination: { total: number } }
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return { ms: performance.now() - started, total: body.pagination.total }
}

async function exactTotal(world: World, { centerId }: Side, filter: string): Promise<number> {
  const query = new URLSearchParams(filter)
  const rows = await world.query<{ n: number }>(
    `select count(*)::int as n from cell.decision_events where center_id = $1 and ($2::text is null or type = $2)
     and ($3::text is null or status = $3) and ($4::text is null or $4 = any (tags))`,
    [centerId, query.get('type'), query.get('status'), query.get('tag')],
  )
  return rows[0]?.n ?? -1
}

async function makeSide(world: World, rows: number): Promise<Side> {
  const center = await world.center()
  say(`filling a center with ${rows} events`)
  await fill(world, center.id, rows)
  await bringCountsUpToDate(world, center.id)
  const admin = await world.person()
  await world.member(admin, center)
  for (const [name, list] of Object.entries(centerLists)) {
    say(`filling its ${name}`)
    await list.fill(world, center.id, rows)
  }
  return { centerId: center.id, key: await world.key(center), admin, domain: center.domain }
}

async function signedIn(server: Running, { centerId, admin, domain }: Side) {
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: admin.email, password: admin.password, centerDomain: domain }),
  })
  const body = (await response.json()) as { data: { accessToken: string } }
  return { centerId, token: body.data.accessToken }
}

export async function benchList({ rows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  let server: Running | undefined
  try {
    const large = await makeSide(world, rows)
    const small = await makeSide(world, smallRows)
    await world.query('vacuum analyze')
    server = await startProcess('../../apps/server/main.ts', {
      ROLE: 'all',
      DATABASE_URL: place.url,
      RATE_LIMIT_PROOF: '100000000/60',
      RATE_LIMIT_STANDARD: '100000000/60',
      SECRET_KEY: randomBytes(32).toString('base64'),
    })
    const results: Record<string, { large: number; small: number; ratio: number; total: number }> = {}
    for (const [name, filter] of Object.entries(filters)) {
      const times: { large: number[]; small: number[] } = { large: [], small: [] }
      for (let i = 0; i < requestsEach; i++) {
        times.small.push((await page(server, small, filter)).ms)
        times.large.push((await page(server, large, filter)).ms)
      }
      for (const side of [large, small]) {
        const [shown, counted] = [(await page(server, side, filter)).total, await exactTotal(world, side, filter)]
        if (shown !== counted) throw new Error(`total of "${name}" is ${shown}, but there are ${counted}`)
      }
      const [largeP99, smallP99] = [percentile(times.large, 0.99), percentile(times.small, 0.99)]
      const { total } = await page(server, large, filter)
      results[name] = { large: round(largeP99), small: round(smallP99), ratio: round(largeP99 / smallP99), total }
      say(`${name.padEnd(20)} p99 ${round(largeP99)} ms against ${round(smallP99)} ms, total ${total}`)
    }
    const sides = [await signedIn(server, large), await signedIn(server, small)] as const
    const lists = await measureLists(server, world, sides)
    const steepest = Object.entries(lists).sort(([, a], [, b]) => b.ratio - a.ratio)[0]
    const worst = Object.entries(results)
      .filter(([name]) => alone(name))
      .sort(([, a], [, b]) => b.ratio - a.ratio)[0] as [string, { large: number; small: number; ratio: number }]
    return {
      value: worst[1].large,
      unit: `ms p99, ${worst[0]}`,
      bare: worst[1].small,
      ratio: worst[1].ratio,
      rows,
      smallRows,
      totalsExact: true,
      results,
      steepestList: steepest && { list: steepest[0], ...steepest[1] },
      lists,
    }
  } finally {
    await server?.stop()
    await world.close()
    await place.close()
  }
}

const round = (value: number): number => Number(value.toFixed(2))
