/** Seals have narrow entries of their own, which the list shows among the others, also among those of seals before 0156. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { packedId } from '../../../../audit/packed-id.ts'
import { newUuid, timeOfUuid, typedId, uuidOf } from '../../../../lib/ids.ts'

let server: TestServer
let center: Center
let token: string
const actors = [newUuid(), typedId('apiKey', newUuid()), 'countersign', null]

/** 40 stored entries and 40 seals, four of each at one time. Actors are stored as the service packs them. */
beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  const admin = await server.world.person()
  await server.world.member(admin, center)
  token = (await server.signIn(admin, center.domain)).accessToken
  const at = `timestamptz '2026-03-10T12:00:00Z' + (n / 4) * interval '1 hour'`
  await server.world.query(
    `insert into cell.audit_entries (center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details)
     select $1, cell.seal_entry_id($1 + n + 1, ${at}, n), case when n % 2 = 0 then 'decision.sealed' else 'policy.changed' end, ${at},
       'req', ($2::text[])[n % 4 + 1], 'decision_event', 'evt_' || n, '{"action":"approved"}' from generate_series(0, 39) n`,
    [center.id, actors],
  )

  await server.world.query(
    `insert into cell.seal_entries (occurred_at, chain_index, center_id, event_id, action, chain_hash, request, actor, decision_id)
     select ${at}, n, $1, gen_random_uuid(), n % 3 + 1, sha256(n::text::bytea), $3, ($2::bytea[])[n % 4 + 1],
       case when n % 2 = 0 then 'order-' || n end from generate_series(0, 39) n`,
    [center.id, actors.map((actor) => actor && packedId(actor)), packedId('req_01kz9x4q8hfx5r3v7t2b6n0m1c')],
  )
})
afterAll(() => server.close())

interface Entry {
  id: string
  type: string
  occurredAt: string
  actorId: string | null
  targetId: string
  details: { chainIndex?: number; decisionId?: string; chainHash?: string }
}

const until = 'to=2026-03-20T00:00:00Z'
async function pages(query: string): Promise<{ all: Entry[]; total: number }> {
  const all: Entry[] = []
  let [cursor, total] = ['', 0]
  do {
    const { body, status } = await server.call(
      'GET',
      `/api/audit?limit=7&${query}${query.includes('to=') ? '' : `&${until}`}${cursor}`,
      { token },
    )
    expect(status).toBe(200)
    all.push(...body.data)
    total = body.pagination.total
    cursor = body.pagination.nextCursor === null ? '' : `&cursor=${body.pagination.nextCursor}`
  } while (cursor !== '')
  return { all, total }
}

it.each([
  ['', 80],
  ['type=decision.sealed', 60],
  ['type=policy.changed', 20],
  [`actorId=${actors[0]}`, 20],
  [`actorId=${actors[1]}&type=decision.sealed`, 10],
  ['actorId=countersign', 20],
  ['from=2026-03-10T14:00:00Z&to=2026-03-10T16:00:00Z', 16],
  ['targetId=evt_4', 1],
])('lists each entry once, newest first: %s', async (query, total) => {
  const { all, total: told } = await pages(query)
  expect([all.length, told, new Set(all.map(({ id }) => id)).size]).toEqual([total, total, total])
  const order = all.map(({ occurredAt, id }) => `${occurredAt} ${uuidOf('audit', id)}`)
  expect(order).toEqual(order.toSorted().toReversed())
})

it('shows a seal as its entry was shown before', async () => {
  const { all } = await pages('type=decision.sealed')
  const seals = all.filter(({ details }) => details.chainIndex !== undefined)
  expect(seals.map(({ details }) => details.chainIndex)).toEqual(Array.from({ length: 40 }, (_, n) => 39 - n))
  const [odd, even] = seals as [Entry, Entry]
  expect(odd).toMatchObject({ actorId: null, targetType: 'decision_event', action: 'approved' })
  expect(even).toMatchObject({ actorId: 'countersign', action: 'completed', details: { decisionId: 'order-38' } })
  expect(odd.details.decisionId?.slice(4)).toBe(odd.targetId.slice(4))
  expect(odd.details.chainHash).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(seals.map(({ actorId }) => actorId).slice(-4)).toEqual(actors.toReversed())
  expect(timeOfUuid(uuidOf('audit', odd.id) as string)).toBe(Date.parse(odd.occurredAt))
})

it('has all of them in the CSV', async () => {
  const { text } = await server.call('GET', `/api/audit.csv?${until}`, { token })
  expect(text.trimEnd().split('\r\n')).toHaveLength(81)
})
