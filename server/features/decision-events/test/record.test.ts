import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Center } from '../../../../tests/support/world.ts'

const path = '/api/v1/decision-events'
let server: TestServer
let center: Center
let token: string

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  token = await server.world.key(center)
})
afterAll(() => server.close())

const record = (body: unknown, headers: Record<string, string> = {}) =>
  server.call('POST', path, { token, body, headers })

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

  it('takes the smallest event', async () => {
    const { status, body } = await record({ type: 'custom', actor: { id: 'x', type: 'system' }, action: { type: 'y' } })
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

  it('keeps any JSON in input and output to the letter', async () => {
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

  it('compares meaning, not spelling', async () => {
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

  it('belongs to the center: another center uses the same key for its own', async () => {
    const other = await server.world.center()
    const otherKey = await server.world.key(other)
    const mine = await record(sampleEvent({ idempotencyKey: 'shared-name' }))
    const theirs = await server.call('POST', path, {
      token: otherKey,
      body: sampleEvent({ idempotencyKey: 'shared-name' }),
    })
    expect(theirs.status).toBe(201)
    expect(theirs.body.data.id).not.toBe(mine.body.data.id)
  })
})

describe('Idempotency-Key header', () => {
  it('replays the first answer and says so', async () => {
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

  it('keeps a refusal too', async () => {
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

describe('422 VALIDATION_ERROR', () => {
  it.each([
    ['no type', { type: undefined }, 'type'],
    ['unknown type', { type: 'guess' }, 'type'],
    ['no actor id', { actor: { type: 'human' } }, 'actor.id'],
    ['unknown actor type', { actor: { id: 'a', type: 'robot' } }, 'actor.type'],
    ['no action type', { action: {} }, 'action.type'],
    ['input that is no object', { action: { type: 't', input: 'text' } }, 'action.input'],
    ['confidence above 1', { aiContext: { confidence: 1.01 } }, 'aiContext.confidence'],
    ['confidence below 0', { aiContext: { confidence: -0.01 } }, 'aiContext.confidence'],
    ['51 tags', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'tags'],
    ['a tag of 65 characters', { tags: ['x'.repeat(65)] }, 'tags.0'],
    ['an empty tag', { tags: [''] }, 'tags.0'],
    ['an idempotencyKey of 256', { idempotencyKey: 'x'.repeat(256) }, 'idempotencyKey'],
    ['a string of 10,001', { actor: { id: 'x'.repeat(10_001), type: 'human' } }, 'actor.id'],
    ['reasoning of 50,001', { aiContext: { reasoning: 'x'.repeat(50_001) } }, 'aiContext.reasoning'],
    ['a time that does not exist', { occurredAt: '2026-02-30T00:00:00Z' }, 'occurredAt'],
    ['the year 0', { occurredAt: '0000-01-01T00:00:00Z' }, 'occurredAt'],
    ['a leap second', { occurredAt: '2016-12-31T23:59:60Z' }, 'occurredAt'],
    ['an unknown field', { chainHash: 'x' }, 'chainHash'],
  ])('%s', async (_, change, where) => {
    const { status, body } = await record(sampleEvent(change))
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(body.error.details.issues.map((issue: { path: string }) => issue.path)).toContain(where)
  })

  const withInput = (json: string) =>
    `{"type":"custom","actor":{"id":"a","type":"human"},"action":{"type":"t","input":{"v":${json}}}}`

  it.each(['9007199254740993', '0.1234567890123456789', '1e400', '123456789012345678901234567890'])(
    'a number that a double changes: %s',
    async (number) => {
      const { status, body } = await server.call('POST', path, { token, raw: withInput(number) })
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    },
  )

  it.each([
    '1.0',
    '1e2',
    '0.1',
    '-0',
    '9007199254740992',
    '1.7976931348623157e308',
    '0.30000000000000004',
    '100000000000000000000',
  ])('but not %s', async (number) => {
    const { status } = await server.call('POST', path, { token, raw: withInput(number) })
    expect(status).toBe(201)
  })

  it.each([
    ['a duplicate key', '{"k":1,"k":2}'],
    ['a lone surrogate', '"\\ud800"'],
    ['NUL', '"a\\u0000b"'],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['__proto__', '{"__proto__":{"admin":true}}'],
  ])('%s', async (_, json) => {
    const { status, body } = await server.call('POST', path, { token, raw: withInput(json) })
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
  })
})

describe('400 BAD_REQUEST and 413', () => {
  it.each(['{', '{"a":}', 'nope', '[1,]', '{"a":1}}'])('unparsable: %s', async (raw) => {
    const { status, body } = await server.call('POST', path, { token, raw })
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('bytes that are not UTF-8', async () => {
    const { status, body } = await server.call('POST', path, { token, raw: new Uint8Array([0x22, 0xff, 0x22]) })
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('a body over 1 MiB', async () => {
    const { status, body } = await record(
      sampleEvent({ action: { type: 't', input: { big: 'x'.repeat(1024 * 1024) } } }),
    )
    expect([status, body.error.code]).toEqual([413, 'BAD_REQUEST'])
  })

  it('another content type', async () => {
    const { status, body } = await server.call('POST', path, {
      token,
      raw: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('403', () => {
  it('for a key that may only read', async () => {
    const reader = await server.world.key(center, { scopes: ['proof:read'] })
    const { status, body } = await server.call('POST', path, { token: reader, body: sampleEvent() })
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  })

  it('for a key of a suspended or ended center', async () => {
    for (const state of ['SUSPENDED', 'INACTIVE']) {
      const closed = await server.world.center({ status: state })
      const { status, body } = await server.call('POST', path, {
        token: await server.world.key(closed),
        body: sampleEvent(),
      })
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
    }
  })
})

describe('many at once', () => {
  it('records each in its own center and answers each with its own', async () => {
    const centers = await Promise.all(Array.from({ length: 10 }, () => server.world.center()))
    const keys = await Promise.all(centers.map((each) => server.world.key(each)))
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        server.call('POST', path, { token: keys[i % 10] as string, body: sampleEvent({ tags: [`n-${i}`] }) }),
      ),
    )
    for (const [i, answer] of answers.entries()) {
      expect(answer.status).toBe(201)
      expect(answer.body.data.tags).toEqual([`n-${i}`])
    }
    const rows = await server.world.query<{ center_id: number; n: number }>(
      `select center_id, count(*)::int as n from cell.decision_events where center_id = any($1) group by 1`,
      [centers.map((each) => each.id)],
    )
    expect(rows.map((row) => row.n)).toEqual(Array(10).fill(50))
  })

  it('shares one commit between all that waited for the one before', async () => {
    const blocked = await server.world.center()
    const key = await server.world.key(blocked)
    const release = await holdCount(blocked.id)
    const waiting = Array.from({ length: 300 }, () => server.call('POST', path, { token: key, body: sampleEvent() }))
    await new Promise((resolve) => setTimeout(resolve, 500))
    await release()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(201)
    const rows = await server.world.query('select distinct xmin::text from cell.decision_events where center_id = $1', [
      blocked.id,
    ])
    expect(rows.length).toBeLessThanOrEqual(5)
  })
})

/** Holds the lock that counting takes, so that the next commit of this center waits. */
async function holdCount(centerId: number): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await client.connect()
  await client.query(`select pg_advisory_lock(hashtext('cell.decision_event_counts'), $1)`, [centerId])
  return () => client.end()
}
