/** The sums are what a naive count over the rows gives: over a year of made decisions, in several zones, after redactions and races. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDecisions } from '../../../../../../tests/bench/oversight-data.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { openOffice } from '../../decisions/test/fixture.ts'
import { bucketOf, only, percentileOf, secondsOf } from '../buckets.ts'
import { countCenter } from '../counter.ts'

const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const count = (center: Center) => countCenter(server.services.cells.of('main'), server.services.centers, center.id)

async function inZone(center: Center, timezone: string) {
  await server.world.query(
    `update directory.centers set settings = settings || json_build_object('timezone', $2::text)::jsonb where id = $1`,
    [center.id, timezone],
  )
  server.services.centers.forget(`center:${center.id}`)
}

/** Every act with the center's local day, counted by one statement that shares nothing with the sums. */
const naive = (center: Center, timezone: string, step: string) =>
  server.world.query<Record<string, string | number>>(
    `with last as (
       select distinct on (a.event_id) a.*, e.created_at as asked, e.actor ->> 'id' as agent, u.policies, u.prior_controls
       from cell.approvals a join cell.decision_events e on e.center_id = a.center_id and e.id = a.event_id
         join cell.dpus u on u.center_id = e.center_id and u.id = e.id and u.domain = 'proof'
       where a.center_id = $1 and u.policies is not null order by a.event_id, a.position desc
     ), judged as (
       select * from last where identity_level <> 'system' or reason in ('expired', 'withdrawn', 'replaced')
     ), acts as (
       select 'center' as kind, '' as key, * from judged
       union all select 'agent', agent, * from judged where agent is not null
       union all select 'policy', p ->> 'id', j.* from judged j, lateral json_array_elements(j.policies) p
     ), struck as (
       select g.kind, case g.kind when 'person' then a.identity_by else g.key end as key, a.created_at as at
       from (select kind, key, event_id, prior_controls from acts
           union all select 'person', '', event_id, prior_controls from judged) g
         join cell.approvals a on a.center_id = $1 and a.event_id = g.event_id
       where g.prior_controls -> a.position ->> 'void' is not null
         and (g.kind <> 'person' or a.identity_level in ('session', 'passkey') and a.identity_by <> '')
     ), times as (
       select kind, key, created_at as at, asked, result, identity_level, reason, opened_at, false as void from acts
       union all
       select kind, key, at, null, null, null, null, null, true from struck
       union all
       select 'person', a.identity_by, a.created_at, e.created_at, a.result, a.identity_level, a.reason, a.opened_at, false
       from cell.approvals a join judged j on j.event_id = a.event_id and j.center_id = a.center_id
         join cell.decision_events e on e.center_id = a.center_id and e.id = a.event_id
         left join cell.approval_take_backs t on t.center_id = a.center_id and t.event_id = a.event_id and t.position = a.position
       where a.identity_level in ('session', 'passkey') and a.identity_by <> '' and t.position is null
     )
     select kind, key, to_char(date_trunc($3, at at time zone $2), 'YYYY-MM-DD') as starts,
       count(*) filter (where identity_level <> 'system' and result = 'approved')::int as approved,
       count(*) filter (where identity_level <> 'system' and result = 'rejected')::int as refused,
       count(*) filter (where identity_level = 'system' and reason = 'expired')::int as expired,
       count(*) filter (where identity_level = 'system' and reason <> 'expired')::int as withdrawn,
       count(*) filter (where void)::int as void,
       count(*) filter (where identity_level <> 'system' and opened_at is not null)::int as opened,
       percentile_disc(0.5) within group (order by extract(epoch from at - asked)) filter (where identity_level <> 'system')::float8 as median,
       percentile_disc(0.9) within group (order by extract(epoch from at - asked)) filter (where identity_level <> 'system')::float8 as p90
     from times group by 1, 2, 3 order by 1, 2, 3`,
    [center.id, timezone, step],
  )

const counted = (center: Center, step: string) =>
  server.world.query<Record<string, string | number | number[]>>(
    `select kind, key, to_char(starts, 'YYYY-MM-DD') as starts, approved, refused, expired, withdrawn, void, opened,
       array_to_json(to_decide) as to_decide
     from cell.oversight_sums where center_id = $1 and step = $2 and approved + refused + expired + withdrawn + void > 0
     order by kind, key, starts`,
    [center.id, step],
  )

async function expectSame(center: Center, timezone: string) {
  for (const step of ['day', 'week']) {
    const rows = await counted(center, step)
    const right = await naive(center, timezone, step)
    const name = (row: Record<string, unknown>) => `${row.kind} ${row.key} ${row.starts}`
    const sorted = (list: readonly Record<string, unknown>[]) => list.toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
    const bare = ({ median, p90, to_decide, ...row }: Record<string, unknown>) => row
    expect(sorted(rows).map(bare), `seed ${seed}, ${timezone}, ${step}`).toEqual(sorted(right).map(bare))
    const exact = new Map(right.map((row) => [name(row), row]))
    for (const row of rows) {
      for (const [part, field] of [
        [0.5, 'median'],
        [0.9, 'p90'],
      ] as const) {
        const value = exact.get(name(row))?.[field] as number | null
        const near = percentileOf(row.to_decide as number[], part)
        if (value === null || value === undefined) expect(near).toBeNull()
        else if (value < 1) expect(near).toBe(0.5)
        else expect(Math.abs((near as number) / value - 1), `${name(row)}: ${near} for ${value}`).toBeLessThan(0.1)
      }
    }
  }
  const [seals] = await server.world.query<{ counted: number; entries: number }>(
    `select (select sum(seals)::int from cell.oversight_sums where center_id = $1 and step = 'day') as counted,
       (select count(*)::int from cell.chain_entries where center_id = $1 and domain = 'proof') as entries`,
    [center.id],
  )
  expect(seals?.counted).toBe(seals?.entries)
}

async function filled(rows: number): Promise<{ center: Center; people: Person[] }> {
  const center = await server.world.center()
  const people = await Promise.all([server.world.person(), server.world.person(), server.world.person()])
  for (const person of people) await server.world.member(person, center)
  await makeDecisions(server.world, {
    ...{ centerId: center.id, rows, seed, policies: 5, agents: 4, days: 360 },
    people: people.map(({ actorId }) => actorId),
  })
  return { center, people }
}

describe('the sums', () => {
  it('are those of a naive count, in a zone with half an hour and one with summer time', {
    timeout: 120_000,
  }, async () => {
    const { center } = await filled(3000)
    for (const timezone of ['Asia/Kolkata', 'America/New_York', 'Pacific/Apia']) {
      await inZone(center, timezone)
      await count(center)
      await expectSame(center, timezone)
    }
  })

  it('of a version before void approvals were counted are counted again', { timeout: 120_000 }, async () => {
    const { center } = await filled(300)
    await inZone(center, 'Asia/Seoul')
    await count(center)
    const [right] = await server.world.query<{ void: number }>(
      `select sum(void)::int as void from cell.oversight_sums where center_id = $1 and kind = 'center' and step = 'day'`,
      [center.id],
    )
    expect(right?.void).toBeGreaterThan(0)
    await server.world.query('update cell.oversight_sums set void = 0 where center_id = $1', [center.id])
    await server.world.query('update cell.oversight_marks set counts = 1 where center_id = $1', [center.id])
    await count(center)
    await expectSame(center, 'Asia/Seoul')
  })

  it('are counted once by fifty workers at the same time', { timeout: 120_000 }, async () => {
    const { center } = await filled(2500)
    await inZone(center, 'Asia/Seoul')
    // On a slow machine some find no free connection; what they don't count, the others do.
    await Promise.allSettled(Array.from({ length: 50 }, () => count(center)))
    await count(center)
    await expectSame(center, 'Asia/Seoul')
  })

  it('are right after fifty decisions of the same day, decided at once while it counts', {
    timeout: 120_000,
  }, async () => {
    const office = await openOffice(server)
    const other = await office.join()
    await office.policy()
    const made = []
    for (let at = 0; at < 50; at++) made.push(await office.record())
    const shown: object[] = []
    for (const [at, { id }] of made.entries()) shown.push(await office.shown(at % 2 ? other : office.admin, id))
    const decide = async (id: string, at: number) => {
      const body = { ...shown[at], ...(at % 5 ? { result: 'approved' } : { result: 'rejected', reason: 'No.' }) }
      const { token } = at % 2 ? other : office.admin
      for (;;) {
        const answer = await server.call('POST', `/api/decisions/${id}/approvals`, { token, body })
        // A colleague's new role counts a moment later.
        if (answer.body.error?.details?.reason !== 'eligibility') return answer
        await sleep(100)
      }
    }
    const deciding = made.map(({ id }, at) => decide(id, at))
    const counting = Array.from({ length: 5 }, () => count(office.center))
    for (const answer of await Promise.all(deciding)) expect(answer.status, answer.text).toBe(200)
    await Promise.all(counting)
    await count(office.center)
    const [{ timezone } = { timezone: '' }] = await server.world.query<{ timezone: string }>(
      'select timezone from cell.oversight_marks where center_id = $1',
      [office.center.id],
    )
    await expectSame(office.center, timezone)
    const { body } = await server.call('GET', '/api/console/oversight', { token: office.admin.token })
    expect(body.data.points.at(-1)).toMatchObject({ approved: 40, refused: 10, opened: 50, waiting: 0, seals: 50 })
    expect(body.data.behind).toBe(0)
  })

  it('lose whoever a redaction removes, counted before or after it', { timeout: 120_000 }, async () => {
    const { center, people } = await filled(400)
    await inZone(center, 'Asia/Seoul')
    const [first, second] = people as [Person, Person]
    const redact = (half: string) =>
      server.world.query(
        `do $$ begin
           alter table cell.approvals disable trigger append_only;
           update cell.approvals set identity_by = '' where center_id = ${center.id} and identity_by = '${first.actorId}' and ${half};
           alter table cell.approvals enable trigger append_only;
           alter table cell.recorded_decisions disable trigger append_only;
           update cell.recorded_decisions set actor = '{"type":"ai_agent"}' where center_id = ${center.id} and actor ->> 'id' = 'agent-1'
             and ${half.replaceAll('event_id', 'id')};
           alter table cell.recorded_decisions enable trigger append_only;
         end $$`,
      )
    await redact(`event_id::text < '8'`)
    await count(center)
    await expectSame(center, 'Asia/Seoul')
    await redact(`event_id::text >= '8'`)
    await count(center)
    await expectSame(center, 'Asia/Seoul')
    const named = await server.world.query<{ key: string }>(
      'select distinct key from cell.oversight_sums where center_id = $1 and key = any ($2)',
      [center.id, [first.actorId, second.actorId, 'agent-1', 'agent-2']],
    )
    expect(named.map(({ key }) => key).toSorted()).toEqual([second.actorId, 'agent-2'].toSorted())
    expect(
      await server.world.query('select from cell.oversight_corrections where center_id = $1', [center.id]),
    ).toEqual([])
  })
})

it('a bucket is never further from its seconds than a tenth', () => {
  for (let seconds = 1; seconds < 30_000_000; seconds *= 1.0137) {
    const near = percentileOf(only(bucketOf(seconds), 1), 0.5) as number
    expect(Math.abs(near / seconds - 1)).toBeLessThan(0.1)
  }
  expect(secondsOf(0)).toBe(0.5)
})
