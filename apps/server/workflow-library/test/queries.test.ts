/** What workflows read, from PostgreSQL: the span, the center, the limits and the indexes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { TenantTx } from '../../data/cells.ts'
import { newUuid, uuidOf } from '../../lib/ids.ts'
import { decisionsTagged, findBooking, mostRows, sessionsBetween, unreviewedBefore } from '../queries.ts'

const [anna, ben, client, other] = [newUuid(), newUuid(), newUuid(), newUuid()]
let server: TestServer
let fixture: ProofFixture
let neighbour: ProofFixture

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  neighbour = await openProofFixture(server)
})
afterAll(() => server.close())

const read = <T>(work: (tx: TenantTx) => Promise<T>, of = fixture): Promise<T> =>
  server.services.cells.of('main').inTenantRead(of.center.id, 'test', work)

async function book(instructor: string, booked: string, startsAt: string, of = fixture): Promise<string> {
  const id = newUuid()
  await server.world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
     values ($1, $2, $3, $4, $4, $5, $5::timestamptz + interval '50 minutes', now())`,
    [of.center.id, id, instructor, booked, startsAt],
  )
  return id
}

describe('appointments', () => {
  const span = [new Date('2026-11-02T00:00:00Z'), new Date('2026-11-09T00:00:00Z')] as const
  let last: string

  beforeAll(async () => {
    await book(ben, other, '2026-11-08T23:59:00Z')
    await book(anna, client, '2026-11-02T00:00:00Z')
    await book(ben, client, '2026-11-01T23:09:00Z')
    await book(anna, newUuid(), '2026-11-09T00:00:00Z')
    await book(anna, client, '2026-11-05T00:00:00Z', neighbour)
    // The newest is the one that was made last, by the millisecond.
    await new Promise((resolve) => setTimeout(resolve, 5))
    last = await book(ben, client, '2026-11-04T00:00:00Z')
  })

  it('are those of this center that begin in the span, in the order of time', async () => {
    const found = await read((tx) => sessionsBetween(tx, ...span))
    expect(found).toEqual([
      {
        ...{ instructor: anna, client, startsAt: span[0], endsAt: new Date('2026-11-02T00:50:00Z') },
        ...{ missed: false, recorded: false },
      },
      expect.objectContaining({ instructor: ben, client }),
      expect.objectContaining({ instructor: ben, client: other, startsAt: new Date('2026-11-08T23:59:00Z') }),
    ])
    expect(await read((tx) => sessionsBetween(tx, ...span, client))).toHaveLength(2)
  })

  it('are found by id or as the newest of the center, and not in another center', async () => {
    expect(await read((tx) => findBooking(tx, null))).toMatchObject({ id: last, instructor: ben, client })
    const theirs = await read((tx) => findBooking(tx, null), neighbour)
    expect(theirs).toMatchObject({ instructor: anna })
    expect(await read((tx) => findBooking(tx, theirs?.id ?? ''))).toBeUndefined()
  })

  it('beyond the limit fail instead of being read in part', async () => {
    const crowd = await openProofFixture(server)
    await server.world.query(
      `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
       select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $2, at, at + interval '1 second', now()
       from generate_series(1, $4) n cross join lateral (select $3::timestamptz + n * interval '10 seconds') t (at)`,
      [crowd.center.id, client, '2026-11-03T00:00:00Z', mostRows + 1],
    )
    await expect(read((tx) => sessionsBetween(tx, ...span), crowd)).rejects.toThrow(/more than 20000 appointments/)
  })
})

describe('decisions with a tag', () => {
  const span = [new Date('2026-11-02T00:00:00Z'), new Date('2026-11-09T00:00:00Z')] as const

  it('are those that were made in the span, with input and status', async () => {
    const action = { type: 'stock.count', input: { sku: 'A-1', onHand: 3 } }
    const record = (occurredAt: string, tags: string[], of = fixture) => of.record({ action, occurredAt, tags })
    const sealed = await record('2026-11-03T00:00:00Z', ['stock', 'x'])
    await fixture.approve(sealed.id)
    const late = await record('2026-11-02T00:00:00Z', ['stock'])
    await record('2026-11-01T23:59:59Z', ['stock'])
    await record('2026-11-09T00:00:00Z', ['stock'])
    await record('2026-11-04T00:00:00Z', ['other'])
    await record('2026-11-04T00:00:00Z', ['stock'], neighbour)
    const found = await read((tx) => decisionsTagged(tx, 'stock', ...span))
    expect(found).toEqual([
      {
        id: uuidOf('decisionEvent', late.id),
        status: 'recorded',
        action: 'stock.count',
        input: action.input,
        riskScore: null,
        occurredAt: span[0],
      },
      expect.objectContaining({ id: uuidOf('decisionEvent', sealed.id), status: 'sealed' }),
    ])
    expect(await read((tx) => decisionsTagged(tx, 'unknown', ...span))).toEqual([])
  })

  it('are found by index, without reading records from before the span', async () => {
    const rows = await server.world.query<{ 'QUERY PLAN': string }>(
      `explain select e.id from cell.decision_event_tags t
         join cell.decision_events e on e.center_id = t.center_id and e.seq = t.seq
       where t.center_id = 1 and t.tag = 'stock' and t.seq >= (select seq from cell.decision_events
         where center_id = 1 and id >= '0198c5f2-7d1a-0000-0000-000000000000' order by id limit 1)
       order by t.seq desc limit 20001`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('decision_event_tags_pkey')
    expect(plan).toContain('recorded_decisions_pkey')
  })
})

describe('unreviewed drafts', () => {
  it('are records of the 90 days before that are still DRAFT', async () => {
    const day = 86_400_000
    const [old, reviewed, fresh] = [await fixture.unit(), await fixture.unit(), await fixture.unit()]
    await fixture.raise(reviewed.id, 'DOCUMENTED')
    const ids = async (before: number) =>
      (await read((tx) => unreviewedBefore(tx, new Date(before)))).map(({ id }) => id)
    const now = Date.now() + 1000
    expect(await ids(now)).toEqual([old, fresh].map(({ id }) => uuidOf('dpu', id)))
    expect(await ids(now - 60_000)).toEqual([])
    expect(await ids(now + 89 * day)).toHaveLength(2)
    expect(await ids(now + 91 * day)).toEqual([])
  })
})
