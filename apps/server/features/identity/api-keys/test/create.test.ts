import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

const path = '/api/api-keys'
let server: TestServer
let center: Center
let admin: Person
let token: string

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  token = (await server.signIn(admin)).accessToken
})
afterAll(() => server.close())

const create = (body: unknown, headers: Record<string, string> = {}) =>
  server.call('POST', path, { token, body, headers })
const use = (key: string, method = 'GET') =>
  server.call(method, '/api/v1/decision-events', {
    token: key,
    ...(method === 'POST' && {
      body: { type: 'custom', actor: { id: 'a', type: 'human' }, action: { type: 't' } },
    }),
  })
const keyRows = (name: string) =>
  server.world.query<{ id: string; row: string; hash: Buffer }>(
    'select id, k::text as row, hash from directory.api_keys k where name = $1',
    [name],
  )
const auditOf = (id: string) =>
  server.world.query('select center_id, type, actor_id, details from directory.audit_entries where target_id = $1', [
    id,
  ])

describe('201', () => {
  it('shows the key once, with its properties', async () => {
    const { status, body } = await create({ name: 'recorder', scopes: ['proof:write'] })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^key_/),
        name: 'recorder',
        key: expect.stringMatching(/^csk_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/),
        prefix: body.data.key.slice(0, 13),
        scopes: ['proof:write'],
        actor: null,
        keepsWebhooks: false,
        replaces: null,
        expiresAt: null,
        lastUsedAt: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    })
  })

  it('creates a key that works on the Proof API within its scope', async () => {
    const writer = (await create({ name: 'w', scopes: ['proof:write'] })).body.data.key
    const reader = (await create({ name: 'r', scopes: ['proof:read'] })).body.data.key
    expect([(await use(writer, 'POST')).status, (await use(writer)).status]).toEqual([201, 200])
    expect([(await use(reader, 'POST')).status, (await use(reader)).status]).toEqual([403, 200])
    const approver = (await create({ name: 'a', scopes: ['proof:approve'] })).body.data.key
    expect([(await use(approver, 'POST')).status, (await use(approver)).status]).toEqual([403, 200])
    const { id } = (await use(writer, 'POST')).body.data
    const { status } = await server.call('POST', `/api/v1/decision-events/${id}/approvals`, {
      token: approver,
      body: { approver: { id: 'kim', type: 'human' }, result: 'approved' },
    })
    expect(status).toBe(200)
  })

  it('creates a key that records only as one actor', async () => {
    const actor = { id: 'agent-7', type: 'ai_agent' }
    const { data } = (await create({ name: 'bound', scopes: ['proof:write'], actor })).body
    expect(data.actor).toEqual(actor)
    const [entry] = await auditOf(data.id)
    expect(entry?.details).toEqual({ action: 'created', scopes: 'proof:write', actor: 'ai_agent agent-7' })
    const record = (as: object) =>
      server.call('POST', '/api/v1/decision-events', {
        token: data.key,
        body: { type: 'custom', actor: as, action: { type: 't' } },
      })
    const decide = (id: string) =>
      server.call('POST', '/api/v1/agents/decide', {
        token: data.key,
        body: { agent: { id }, action: { type: 't' } },
      })
    expect([(await record({ ...actor, name: 'Stock keeper' })).status, (await decide('agent-7')).status]).toEqual([
      201, 201,
    ])
    const others = [
      record({ id: 'agent-8', type: 'ai_agent' }),
      record({ id: 'Agent-7', type: 'ai_agent' }),
      record({ id: 'agent-7', type: 'service' }),
      record({ id: 'agent-7', type: 'human' }),
      decide('agent-8'),
    ]
    for (const { status, body } of await Promise.all(others)) {
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
      expect(body.error.message).toContain('can only record decisions by "agent-7", whose type is ai_agent')
    }
  })

  it('stores a SHA-256 digest and never the key', async () => {
    const { key } = (await create({ name: 'hashed', scopes: ['proof:read'] })).body.data
    const [row] = await keyRows('hashed')
    expect(row?.hash).toEqual(createHash('sha256').update(key).digest())
    expect(row?.row).not.toContain(key)
    expect(server.logs.some((line) => line.includes(key))).toBe(false)
  })

  it('writes one audit entry, with the actor and without the key', async () => {
    const { id, key } = (await create({ name: 'audited', scopes: ['proof:read', 'events:write'] })).body.data
    const entries = await auditOf(id)
    expect(entries).toEqual([
      {
        center_id: center.id,
        type: 'api_key.changed',
        actor_id: admin.actorId,
        details: { action: 'created', scopes: 'proof:read events:write' },
      },
    ])
    expect(JSON.stringify(entries)).not.toContain(key)
  })

  it('enforces the expiry', async () => {
    const expiresAt = Date.now() + 3_600_000
    const { body } = await create({
      name: 'short',
      scopes: ['proof:read'],
      expiresAt: new Date(expiresAt).toISOString(),
    })
    expect(body.data.expiresAt).toBe(new Date(expiresAt).toISOString())
    expect((await use(body.data.key)).status).toBe(200)
    const restore = useClock(() => expiresAt + 1000)
    try {
      const expired = await use(body.data.key)
      expect([expired.status, expired.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    } finally {
      restore()
    }
  })

  it('normalizes the expiry to UTC with milliseconds', async () => {
    const { body } = await create({ name: 'z', scopes: ['proof:read'], expiresAt: '2999-01-01t09:00:00.250+09:00' })
    expect(body.data.expiresAt).toBe('2999-01-01T00:00:00.250Z')
  })
})

describe('Idempotency-Key', () => {
  it('repeats the answer with the same key and creates one key', async () => {
    const body = { name: 'only once', scopes: ['proof:read'] }
    const first = await create(body, { 'idempotency-key': 'k-1' })
    const second = await create(body, { 'idempotency-key': 'k-1' })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await keyRows('only once')).toHaveLength(1)
    expect(await auditOf(first.body.data.id)).toHaveLength(1)
  })

  it('stores the answer encrypted: the key is not in the database', async () => {
    const { key } = (await create({ name: 'sealed', scopes: ['proof:read'] }, { 'idempotency-key': 'k-2' })).body.data
    const [record] = await server.world.query<{ body: Buffer }>(
      'select body from directory.idempotency_records where key = $1',
      ['k-2'],
    )
    expect(record?.body.length).toBeGreaterThan(100)
    expect(record?.body.includes(key)).toBe(false)
  })

  it('409 CONFLICT for another body', async () => {
    await create({ name: 'a', scopes: ['proof:read'] }, { 'idempotency-key': 'k-3' })
    const { status, body } = await create({ name: 'b', scopes: ['proof:read'] }, { 'idempotency-key': 'k-3' })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
  })

  it('belongs to the actor: another ADMIN with the same Idempotency-Key gets a separate key', async () => {
    const colleague = await server.world.person()
    await server.world.member(colleague, center, 'ADMIN')
    const body = { name: 'shared word', scopes: ['proof:read'] }
    const mine = await create(body, { 'idempotency-key': 'k-4' })
    const theirs = await server.call('POST', path, {
      token: (await server.signIn(colleague)).accessToken,
      body,
      headers: { 'idempotency-key': 'k-4' },
    })
    expect(theirs.status).toBe(201)
    expect(theirs.body.data.key).not.toBe(mine.body.data.key)
  })

  it('400 when it is too long', async () => {
    const { status, body } = await create({ name: 'a', scopes: ['proof:read'] }, { 'idempotency-key': 'x'.repeat(256) })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('400', () => {
  const name = 'n'
  const scopes = ['proof:read']
  it.each([
    ['an empty body', {}, 'MISSING_REQUIRED_FIELD'],
    ['no name', { scopes }, 'MISSING_REQUIRED_FIELD'],
    ['no scopes', { name }, 'MISSING_REQUIRED_FIELD'],
    ['an empty name', { name: '', scopes }, 'VALIDATION_ERROR'],
    ['a name of 101 characters', { name: 'x'.repeat(101), scopes }, 'VALIDATION_ERROR'],
    ['no scope in the list', { name, scopes: [] }, 'VALIDATION_ERROR'],
    ['an unknown scope', { name, scopes: ['proof:admin'] }, 'VALIDATION_ERROR'],
    ['a scope twice', { name, scopes: ['proof:read', 'proof:read'] }, 'VALIDATION_ERROR'],
    ['scopes as text', { name, scopes: 'proof:read' }, 'VALIDATION_ERROR'],
    ['an expiry in the past', { name, scopes, expiresAt: '2020-01-01T00:00:00Z' }, 'VALIDATION_ERROR'],
    ['an expiry without a time', { name, scopes, expiresAt: '2999-01-01' }, 'VALIDATION_ERROR'],
    ['an expiry that does not exist', { name, scopes, expiresAt: '2999-02-29T00:00:00Z' }, 'VALIDATION_ERROR'],
    ['an expiry beyond the year 9999', { name, scopes, expiresAt: '9999-12-31T23:59:59-01:00' }, 'VALIDATION_ERROR'],
    ['an actor without a type', { name, scopes, actor: { id: 'a' } }, 'MISSING_REQUIRED_FIELD'],
    ['an actor of an unknown type', { name, scopes, actor: { id: 'a', type: 'robot' } }, 'VALIDATION_ERROR'],
    ['a center in the body', { name, scopes, centerId: 1 }, 'VALIDATION_ERROR'],
    ['a key chosen by the caller', { name, scopes, key: 'csk_test_mine' }, 'VALIDATION_ERROR'],
  ])('%s', async (_, body, code) => {
    const answer = await create(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, code])
  })
})

describe('401 UNAUTHORIZED', () => {
  it('without a token, and with an API key with write scope', async () => {
    for (const credential of [{}, { token: await server.world.key(center) }]) {
      const { status, body } = await server.call('POST', path, {
        ...credential,
        body: { name: 'n', scopes: ['proof:read'] },
      })
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })
})

describe('403', () => {
  it.each(['INSTRUCTOR', 'PARENT', 'CHILD'])('INSUFFICIENT_ROLE for %s, before the body is read', async (role) => {
    const member = await server.world.person()
    await server.world.member(member, center, role)
    const { status, body } = await server.call('POST', path, {
      token: (await server.signIn(member)).accessToken,
      raw: 'not even JSON',
    })
    expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  })

  it('NO_MEMBERSHIP for an operator or a partner who has entered no center', async () => {
    for (const kind of [{ operator: true }, { partner: true }]) {
      const person = await server.world.person(kind)
      const { status, body } = await server.call('POST', path, {
        token: (await server.signIn(person)).accessToken,
        body: { name: 'n', scopes: ['proof:read'] },
      })
      expect([status, body.error.code]).toEqual([403, 'NO_MEMBERSHIP'])
    }
  })
})
