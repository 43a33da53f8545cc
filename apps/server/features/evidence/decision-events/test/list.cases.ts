/** Lists: filters, order, pages and permissions. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { countEventsJob } from '../count-events.job.ts'
import type { EventFixture } from './fixture.ts'

const path = '/api/v1/decision-events'

interface Sample {
  readonly type: string
  readonly status: string
  readonly tags: readonly string[]
}

/** In the order of recording: every combination of two types, two statuses and the tags a, b, both or none. */
const samples: readonly Sample[] = ['custom', 'escalation'].flatMap((type) =>
  ['recorded', 'sealed'].flatMap((status) => [['a'], ['b'], ['a', 'b'], []].map((tags) => ({ type, status, tags }))),
)

const matches = (sample: Sample, { type, status, tag }: { type?: string; status?: string; tag?: string }): boolean =>
  (!type || sample.type === type) && (!status || sample.status === status) && (!tag || sample.tags.includes(tag))

export function listCases(fixture: () => EventFixture, home?: string): void {
  let center: Center
  let token: string
  const ids: string[] = []
  const server = () => fixture().server

  const list = (query: Record<string, string | number> = {}, key = token): Promise<Answer> =>
    server().call('GET', `${path}?${new URLSearchParams(query as Record<string, string>)}`, { token: key })
  const idsIn = ({ body }: Answer): string[] => body.data.map((item: { id: string }) => item.id)

  beforeAll(async () => {
    center = await fixture().newCenter({ cell: home })
    token = await server().world.key(center)
    for (const { type, tags } of samples) {
      const { body } = await server().call('POST', path, { token, body: sampleEvent({ type, tags }) })
      ids.push(body.data.id)
    }
    // Sets the statuses that an approval would set, before anything is counted.
    const sealed = samples.flatMap(({ status }, index) => (status === 'sealed' ? [index + 1] : []))
    await fixture().inCellOf(
      center,
      `with placed as (
         select center_id, id, seq, row_number() over (order by seq) as place from cell.decision_events where center_id = $1
       ), closed as (
         delete from cell.open_decisions o using placed p
         where o.center_id = p.center_id and o.seq = p.seq and p.place = any ($2) returning p.*)
       insert into cell.dpus (center_id, id, domain, chain_index, vertical, evidence_level, salts, updated_at, event_seq, event_status,
         closed_at)
       select center_id, id, 'proof', -seq, 'education', 'DOCUMENTED', '{}', now(), seq, 'sealed', now() from closed`,
      [center.id, sealed],
    )
  })

  const filters = [undefined, 'custom'].flatMap((type) =>
    [undefined, 'sealed'].flatMap((status) =>
      [undefined, 'a', 'c'].map((tag) => ({ ...(type && { type }), ...(status && { status }), ...(tag && { tag }) })),
    ),
  )

  describe.each(['before anything is counted', 'after half is counted', 'after all is counted'])('200, %s', (when) => {
    beforeAll(async () => {
      const { services } = server()
      const cell = services.cells.of(fixture().cellOf(center))
      if (when === 'after half is counted') {
        const half = samples.length / 2
        await cell.inTenantJob(center.id, 'half', (tx) =>
          tx.db
            .selectNoFrom((eb) => eb.fn<number>('cell.count_events', [eb.val(half)]).as('counted'))
            .executeTakeFirst(),
        )
      }
      if (when === 'after all is counted') await countEventsJob(services, cell.name, { centerId: center.id })
    })

    it.each(filters)('lists newest first and counts exactly what matches %j', async (filter) => {
      const expected = ids.filter((_, index) => matches(samples[index] as Sample, filter)).reverse()
      const answer = await list({ ...filter, limit: 100 })
      expect(answer.status).toBe(200)
      expect(idsIn(answer)).toEqual(expected)
      expect(answer.body.pagination).toEqual({
        total: expected.length,
        limit: 100,
        offset: 0,
        hasMore: false,
        nextCursor: null,
      })
    })

    it('has pages without gap or overlap, and hasMore is false on the last one', async () => {
      const seen: string[] = []
      for (let offset = 0; offset < ids.length; offset += 5) {
        const answer = await list({ limit: 5, offset })
        const hasMore = offset + 5 < ids.length
        expect(answer.body.pagination).toEqual({
          total: ids.length,
          limit: 5,
          offset,
          hasMore,
          nextCursor: hasMore ? idsIn(answer).at(-1) : null,
        })
        seen.push(...idsIn(answer))
      }
      expect(seen).toEqual([...ids].reverse())
    })
  })

  describe('200', () => {
    it('shows the first 20 without parameters', async () => {
      const { body } = await list()
      expect(body.pagination).toMatchObject({ total: ids.length, limit: 20, offset: 0, hasMore: false })
    })

    it('shows exactly the specified fields of each event', async () => {
      const { body } = await list({ limit: 1 })
      expect(Object.keys(body.data[0]).sort()).toEqual(
        ['action', 'actor', 'createdAt', 'decisionId', 'id', 'status', 'tags', 'type', 'updatedAt'].sort(),
      )
      expect(body.data[0].action).toEqual({ type: 'plan.adjust' })
    })

    it('is empty beyond the end, with the same total', async () => {
      const { body } = await list({ offset: 1_000_000 })
      expect(body).toEqual({
        data: [],
        pagination: { total: ids.length, limit: 20, offset: 1_000_000, hasMore: false, nextCursor: null },
      })
    })

    it('follows cursors to the end without gap or overlap, also while decisions are recorded', async () => {
      const own = await fixture().newCenter({ cell: home })
      const key = await server().world.key(own)
      const record = async () =>
        (await server().call('POST', path, { token: key, body: sampleEvent() })).body.data.id as string
      const before: string[] = []
      for (let n = 0; n < 7; n++) before.push(await record())
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const answer: Answer = await list({ limit: 3, ...(cursor && { cursor }) }, key)
        seen.push(...idsIn(answer))
        cursor = answer.body.pagination.nextCursor
        expect(answer.body.pagination.hasMore).toBe(cursor !== null)
        await record()
      }
      expect(seen).toEqual(before.reverse())
    })

    it('filters by actor, decisionId, time and what waits, together with other filters', async () => {
      const own = await fixture().newCenter({ cell: home })
      const key = await server().world.key(own)
      const record = async (id: string, overrides: object) => {
        const actor = { id, type: 'human' }
        return (await server().call('POST', path, { token: key, body: sampleEvent({ actor, ...overrides }) })).body.data
      }
      const long = 'x'.repeat(9000)
      const [a, b, c] = [
        await record('kim', { idempotencyKey: 'a' }),
        await record(long, { tags: ['t'] }),
        await record('kim', { tags: ['t'] }),
      ]
      const later = new Date(Date.parse(c.createdAt) + 1).toISOString()
      const cases: [Record<string, string>, { id: string }[]][] = [
        [{ actorId: 'kim' }, [c, a]],
        [{ actorId: long }, [b]],
        [{ actorId: 'kim', tag: 't' }, [c]],
        [{ actorId: 'Kim' }, []],
        [{ decisionId: 'a' }, [a]],
        [{ decisionId: 'a', actorId: long }, []],
        [{ from: a.createdAt, to: later }, [c, b, a]],
        [{ from: later }, []],
        [{ to: a.createdAt }, []],
        [{ waiting: 'true' }, []],
        [{ waiting: 'false' }, [c, b, a]],
        [{ waiting: 'true', tag: 't' }, []],
      ]
      for (const [query, expected] of cases) {
        const answer = await list(query, key)
        expect(idsIn(answer), JSON.stringify(query)).toEqual(expected.map(({ id }) => id))
        expect(answer.body.pagination.total, JSON.stringify(query)).toBe(expected.length)
      }
    })

    it('accepts a tag with any character', async () => {
      const own = await fixture().newCenter({ cell: home })
      const key = await server().world.key(own)
      for (const tag of ["o'hara", '100%', 'a&b=c', '한글 태그', '{x,"y"}', '\\', 'A', 'a']) {
        await server().call('POST', path, { token: key, body: sampleEvent({ tags: [tag] }) })
        const { body } = await list({ tag }, key)
        expect(body.pagination.total).toBe(1)
        expect(body.data[0].tags).toEqual([tag])
      }
    })

    it('counts an event once that has a tag twice', async () => {
      const own = await fixture().newCenter({ cell: home })
      const key = await server().world.key(own)
      await server().call('POST', path, { token: key, body: sampleEvent({ tags: ['twice', 'twice'] }) })
      const total = async () => (await list({ tag: 'twice' }, key)).body.pagination.total
      expect(await total()).toBe(1)
      await countEventsJob(server().services, fixture().cellOf(own), { centerId: own.id })
      expect(await total()).toBe(1)
    })

    it.each([{ limit: 1 }, { limit: 100 }, { offset: 0 }])('accepts %j', async (query) => {
      expect((await list(query as Record<string, number>)).status).toBe(200)
    })
  })

  describe('422 VALIDATION_ERROR', () => {
    it.each([
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=1.5',
      'limit=abc',
      'limit=1&limit=2',
      'offset=-1',
      'offset=1000001',
      'offset=0.5',
      'offset=9223372036854775808',
      'offset=NaN',
      'type=guess',
      'type=custom&type=escalation',
      'status=open',
      'status=SEALED',
      'tag=',
      `tag=${'x'.repeat(65)}`,
      'waiting=yes',
      'from=yesterday',
      'cursor=evt_01kz9x4q8hfx5r3v7t2b6n0m1c',
      'cursor=12',
      'unknown=1',
    ])('%s', async (query) => {
      const { status, body } = await server().call('GET', `${path}?${query}`, { token })
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
      expect(body.error.details.issues[0].path).toMatch(query.split('=')[0] as string)
    })
  })

  describe('permissions', () => {
    it('permits a key that may only read', async () => {
      const reader = await server().world.key(center, { scopes: ['proof:read'] })
      expect(idsIn(await list({ limit: 100 }, reader))).toEqual([...ids].reverse())
    })

    it('answers 403 to a key that may only publish', async () => {
      const publisher = await server().world.key(center, { scopes: ['events:write'] })
      const { status, body } = await list({}, publisher)
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
    })

    it('shows nothing to another center', async () => {
      for (let i = 0; i < 2; i++) {
        const otherCenter = await server().world.key(await fixture().newCenter())
        for (const filter of filters) {
          const { body } = await list(filter, otherCenter)
          expect(body).toMatchObject({ data: [], pagination: { total: 0, limit: 20, offset: 0, hasMore: false } })
        }
      }
    })
  })
}
