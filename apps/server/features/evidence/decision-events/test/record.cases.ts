/** Recording: accepted bodies and idempotency. */
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import type { EventFixture } from './fixture.ts'

const path = '/api/v1/decision-events'

/** `home`: the cell of the recording center; by default the next one. */
export function recordCases(fixture: () => EventFixture, home?: string): void {
  let center: Center
  let token: string
  const server = () => fixture().server

  beforeAll(async () => {
    center = await fixture().newCenter({ cell: home })
    token = await server().world.key(center)
  })

  const record = (body: unknown, headers: Record<string, string> = {}) =>
    server().call('POST', path, { token, body, headers })

  describe('201', () => {
    it('answers with the recorded event, evidence pending', async () => {
      const { status, body } = await record(sampleEvent())
      expect(status).toBe(201)
      expect(body.data).toMatchObject({
        ...sampleEvent(),
        status: 'recorded',
        evidence: { status: 'pending', chainHash: null, chainIndex: null },
      })
      expect(body.data.id).toMatch(/^evt_/)
      expect(body.data.evidence.id).toMatch(/^evd_/)
      expect(body.data.decisionId).toMatch(/^dec_/)
      expect(body.data.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(body.data.occurredAt).toBe(body.data.createdAt)
    })

    it('accepts an event with only the required fields', async () => {
      const { status, body } = await record({
        type: 'custom',
        actor: { id: 'x', type: 'system' },
        action: { type: 'y' },
      })
      expect(status).toBe(201)
      expect(body.data.tags).toEqual([])
      expect(body.data).not.toHaveProperty('aiContext')
    })

    it('keeps occurredAt in UTC with milliseconds', async () => {
      const { body } = await record(sampleEvent({ occurredAt: '2026-11-15T09:30:00.123456+09:00' }))
      expect(body.data.occurredAt).toBe('2026-11-15T00:30:00.123Z')
    })

    it('uses the idempotencyKey as decisionId', async () => {
      const { body } = await record(sampleEvent({ idempotencyKey: 'plan-1' }))
      expect(body.data.decisionId).toBe('plan-1')
    })

    it('stores any JSON in input and output to the character', async () => {
      const input = {
        '': null,
        z: [1, 1.5, -0.25, 1e21, true, { deep: ['é', '한', '😀', '\u2028'] }],
        a: 'x'.repeat(5000),
      }
      const { status, body } = await record(sampleEvent({ action: { type: 't', input }, idempotencyKey: 'any-json' }))
      expect(status).toBe(201)
      expect(body.data.action.input).toEqual(input)
      const again = await record(sampleEvent({ action: { type: 't', input }, idempotencyKey: 'any-json' }))
      expect(again.body.data.action.input).toEqual(input)
    })
  })

  describe('200 and 409: the same idempotencyKey', () => {
    it('returns the original and creates nothing', async () => {
      const first = await record(sampleEvent({ idempotencyKey: 'twice' }))
      const second = await record(sampleEvent({ idempotencyKey: 'twice' }))
      expect(second.status).toBe(200)
      expect(second.body).toEqual(first.body)
    })

    it('compares values, not spelling', async () => {
      const first = await record(sampleEvent({ idempotencyKey: 'order', action: { type: 't', input: { a: 1, b: 2 } } }))
      const second = await record(
        sampleEvent({ idempotencyKey: 'order', action: { input: { b: 2, a: 1.0 }, type: 't' } }),
      )
      expect(second.status).toBe(200)
      expect(second.body.data.id).toBe(first.body.data.id)
    })

    it('refuses another body with 409 CONFLICT', async () => {
      await record(sampleEvent({ idempotencyKey: 'other-body' }))
      const { status, body } = await record(sampleEvent({ idempotencyKey: 'other-body', tags: ['different'] }))
      expect(status).toBe(409)
      expect(body.error.code).toBe('CONFLICT')
    })

    it('is scoped to the center', async () => {
      const other = await fixture().newCenter()
      const otherKey = await server().world.key(other)
      const mine = await record(sampleEvent({ idempotencyKey: 'shared-name' }))
      const theirs = await server().call('POST', path, {
        token: otherKey,
        body: sampleEvent({ idempotencyKey: 'shared-name' }),
      })
      expect(theirs.status).toBe(201)
      expect(theirs.body.data.id).not.toBe(mine.body.data.id)
    })
  })

  describe('Idempotency-Key header', () => {
    it('replays the first answer with a header that says so', async () => {
      const first = await record(sampleEvent(), { 'idempotency-key': 'h-1' })
      const second = await record(sampleEvent(), { 'idempotency-key': 'h-1' })
      expect(first.status).toBe(201)
      expect(second.status).toBe(201)
      expect(second.text).toBe(first.text)
      expect(second.headers.get('idempotency-replayed')).toBe('true')
    })

    it('refuses another body', async () => {
      await record(sampleEvent(), { 'idempotency-key': 'h-2' })
      const { status, body } = await record(sampleEvent({ tags: [] }), { 'idempotency-key': 'h-2' })
      expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    })

    it('stores a refusal too', async () => {
      await record(sampleEvent({ idempotencyKey: 'taken' }))
      const conflicting = sampleEvent({ idempotencyKey: 'taken', tags: ['x'] })
      const first = await record(conflicting, { 'idempotency-key': 'h-3' })
      const second = await record(conflicting, { 'idempotency-key': 'h-3' })
      expect(first.status).toBe(409)
      expect(second.text).toBe(first.text)
    })

    it.each(['', 'x'.repeat(256), 'with space', 'ümlaut'])('refuses the key %j', async (key) => {
      const { status } = await record(sampleEvent(), {
        'idempotency-key': encodeURIComponent(key) === key ? key : Buffer.from(key).toString('latin1'),
      })
      expect(status).toBe(422)
    })
  })

  describe('403', () => {
    it('for a key that may only read', async () => {
      const reader = await server().world.key(center, { scopes: ['proof:read'] })
      const { status, body } = await server().call('POST', path, { token: reader, body: sampleEvent() })
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
    })

    it('for a key of a suspended or ended center', async () => {
      for (const state of ['SUSPENDED', 'INACTIVE']) {
        const closed = await fixture().newCenter({ status: state })
        const { status, body } = await server().call('POST', path, {
          token: await server().world.key(closed),
          body: sampleEvent(),
        })
        expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
      }
    })
  })

  describe('concurrent requests', () => {
    it('are recorded in their own centers and answered with their own events', async () => {
      const centers = await Promise.all(Array.from({ length: 10 }, () => fixture().newCenter()))
      const keys = await Promise.all(centers.map((each) => server().world.key(each)))
      const answers = await Promise.all(
        Array.from({ length: 500 }, (_, i) =>
          server().call('POST', path, { token: keys[i % 10] as string, body: sampleEvent({ tags: [`n-${i}`] }) }),
        ),
      )
      for (const [i, answer] of answers.entries()) {
        expect(answer.status).toBe(201)
        expect(answer.body.data.tags).toEqual([`n-${i}`])
      }
      const own = 'select from cell.decision_events where center_id = $1'
      for (const each of centers) expect(await fixture().inCellOf(each, own, [each.id])).toHaveLength(50)
    })

    it('share one commit when they wait for the same previous one', async () => {
      const blocked = await fixture().newCenter()
      const key = await server().world.key(blocked)
      const release = await holdCount(blocked, fixture().databaseOf(fixture().cellOf(blocked)))
      const waiting = Array.from({ length: 300 }, () =>
        server().call('POST', path, { token: key, body: sampleEvent() }),
      )
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await release()
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(201)
      const rows = await fixture().inCellOf(
        blocked,
        'select distinct xmin::text from cell.recorded_decisions where center_id = $1',
        [blocked.id],
      )
      expect(rows.length).toBeLessThanOrEqual(5)
    })
  })
}

/** Holds the lock that counting takes, so that the next commit of this center waits. */
async function holdCount({ id }: Center, url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`select pg_advisory_lock(hashtext('cell.decision_event_counts'), $1)`, [id])
  return () => client.end()
}
