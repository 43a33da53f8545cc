import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, sampleDecision } from '../../../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

const path = '/api/api-keys'
const day = 86_400_000
const unknown = 'key_01kz9x4q8hfx5r3v7t2b6n0m1c'
let server: TestServer
let center: Center
let admin: Person
let token: string
let restore = () => {}

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  token = (await server.signIn(admin)).accessToken
})
afterEach(() => restore())
afterAll(() => server.close())

interface Key {
  readonly id: string
  readonly key: string
  readonly expiresAt: string | null
}
const create = async (body: object = {}, by = token): Promise<Key> =>
  (await server.call('POST', path, { token: by, body: { name: 'n', scopes: ['proof:write'], ...body } })).body.data
const rotate = (id: string, body: object = {}, by = token) =>
  server.call('POST', `${path}/${id}/rotate`, { token: by, body })
const rotated = async (id: string, body: object = {}): Promise<Key> => {
  const { status, body: answer } = await rotate(id, body)
  expect([status, answer.error]).toEqual([201, undefined])
  return answer.data
}
const statusOf = async ({ key }: Key) => (await server.call('GET', '/api/v1/decision-events', { token: key })).status
const listed = async (id: string) =>
  (await server.call('GET', path, { token })).body.data.find((each: { id: string }) => each.id === id)
const soon = (at: string, ms: number) => expect(Math.abs(Date.parse(at) - Date.now() - ms)).toBeLessThan(60_000)

describe('201', () => {
  it('makes a key with the same name, scopes and actor, and both work', async () => {
    const actor = { id: 'agent-7', type: 'ai_agent' }
    const old = await create({ name: 'recorder', scopes: ['proof:write', 'proof:read'], actor })
    const next = await rotated(old.id)
    expect(next).toMatchObject({ name: 'recorder', scopes: ['proof:write', 'proof:read'], actor, replaces: old.id })
    expect(next).toMatchObject({ expiresAt: null, lastUsedAt: null })
    expect(next.key).not.toBe(old.key)
    expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200])
    soon((await listed(old.id)).expiresAt, day)
  })

  it('refuses the previous key at once with an overlap of 0', async () => {
    const old = await create()
    expect(await statusOf(old)).toBe(200)
    const next = await rotated(old.id, { expirePreviousAfterSeconds: 0 })
    expect([await statusOf(old), await statusOf(next)]).toEqual([401, 200])
  })

  it('keeps the previous key until the chosen time, and never longer than it would have lived', async () => {
    const expiresAt = new Date(Date.now() + day).toISOString()
    const old = await create({ expiresAt })
    const next = await rotated(old.id, { expirePreviousAfterSeconds: 2_592_000 })
    expect((await listed(old.id)).expiresAt).toBe(expiresAt)
    soon(next.expiresAt as string, day)
    restore = useClock(() => Date.parse(expiresAt) + 1)
    expect(await statusOf(old)).toBe(401)
  })

  it('gives the new key the time that is asked for', async () => {
    const expiresAt = new Date(Date.now() + 90 * day).toISOString()
    expect((await rotated((await create()).id, { expiresAt })).expiresAt).toBe(expiresAt)
    const old = await create({ expiresAt })
    expect((await rotated(old.id, { expiresAt: null })).expiresAt).toBeNull()
  })

  it('is one of fifty concurrent rotations, and is audited once', async () => {
    const { id } = await create()
    const answers = await Promise.all(Array.from({ length: 50 }, () => rotate(id)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
    const next = answers.find(({ status }) => status === 201)?.body.data
    const entries = await server.world.query(
      `select actor_id, details from directory.audit_entries where target_id = $1 and details ->> 'action' = 'rotated'`,
      [id],
    )
    expect(entries).toEqual([
      { actor_id: admin.actorId, details: expect.objectContaining({ action: 'rotated', replacedBy: next.id }) },
    ])
    const made = await server.world.query(`select details from directory.audit_entries where target_id = $1`, [next.id])
    expect(made).toEqual([{ details: expect.objectContaining({ action: 'created', replaces: id }) }])
  })

  it('works again after the replacement was revoked', async () => {
    const old = await create()
    const lost = await rotated(old.id)
    await server.call('DELETE', `${path}/${lost.id}`, { token })
    const next = await rotated(old.id)
    expect([await statusOf(old), await statusOf(lost), await statusOf(next)]).toEqual([200, 401, 200])
  })

  it('answers a repeated request with the same key', async () => {
    const { id } = await create()
    const again = () =>
      server.call('POST', `${path}/${id}/rotate`, { token, body: {}, headers: { 'idempotency-key': `r-${id}` } })
    const [first, second] = [await again(), await again()]
    expect([second.status, second.body.data.key]).toEqual([201, first.body.data.key])
  })
})

describe('a line of replacements', () => {
  it('approves nothing that one of its keys recorded, and is one approver where two must approve', async () => {
    const fixture = await openProofFixture(server)
    await fixture.policy({ humanReview: true })
    const first = await create({ scopes: ['proof:write', 'proof:approve'] }, fixture.token)
    const next: Key = (await rotate(first.id, {}, fixture.token)).body.data
    const record = async ({ key }: Key) =>
      (await server.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent() })).body.data.id
    const approve = ({ key }: Key, id: string, as: string) =>
      server.call('POST', `/api/v1/decision-events/${id}/approvals`, {
        token: key,
        body: { approver: { id: as, type: 'human' }, result: 'approved' },
      })
    for (const [recorder, other] of [
      [first, next],
      [next, first],
    ] as const) {
      const { status, body } = await approve(other, await record(recorder), 'kim')
      expect([status, body.error.message]).toEqual([422, expect.stringContaining('the key that recorded')])
    }
    await fixture.policy({ dualApproval: true })
    const { id } = await fixture.record()
    expect((await approve(first, id, 'kim')).status).toBe(200)
    expect((await approve(next, id, 'lee')).status).toBe(409)
  })

  it('runs what one of its keys was told, and is stopped as one', async () => {
    const fixture = await openProofFixture(server)
    const first = await create({ scopes: ['proof:write'] }, fixture.token)
    const decide = ({ key }: Key) =>
      server.call('POST', '/api/v1/agents/decide', { token: key, body: sampleDecision() })
    const decided = await decide(first)
    expect(decided.body.error).toBeUndefined()
    const { eventId, actionDigest } = decided.body.data
    const next: Key = (await rotate(first.id, { expirePreviousAfterSeconds: 0 }, fixture.token)).body.data
    const taken = await server.call('POST', `/api/v1/decision-events/${eventId}/consume`, {
      token: next.key,
      body: { executor: 'runner', actionDigest },
    })
    expect([taken.status, taken.body.error]).toEqual([200, undefined])
    const stop = await fixture.platform('POST', '/api/freezes', { keyId: first.id, reason: 'It asked three times.' })
    expect(stop.status).toBe(201)
    const refused = await decide(next)
    expect([refused.status, refused.body.error.details.reason]).toEqual([409, 'frozen'])
  })
})

describe('409 CONFLICT', () => {
  it('for a key that expired', async () => {
    const old = await create({ expiresAt: new Date(Date.now() + day).toISOString() })
    restore = useClock(() => Date.now() + 2 * day)
    token = (await server.signIn(admin)).accessToken
    const { status, body } = await rotate(old.id)
    expect([status, body.error.code, body.error.message]).toEqual([409, 'CONFLICT', expect.stringContaining('expired')])
    restore()
    token = (await server.signIn(admin)).accessToken
  })

  it('while the key before it works, and no longer', async () => {
    const old = await create()
    const next = await rotated(old.id)
    expect((await rotate(next.id)).status).toBe(409)
    await server.call('DELETE', `${path}/${old.id}`, { token })
    await rotated(next.id)
  })
})

describe('400, 401, 403 and 404', () => {
  it.each([
    [{ expirePreviousAfterSeconds: -1 }],
    [{ expirePreviousAfterSeconds: 2_592_001 }],
    [{ expirePreviousAfterSeconds: 1.5 }],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }],
    [{ expiresAt: 'tomorrow' }],
    [{ scopes: ['proof:approve'] }],
  ])('400 for %j', async (body) => {
    const old = await create()
    expect((await rotate(old.id, body)).status).toBe(400)
    expect((await listed(old.id)).expiresAt).toBeNull()
  })

  it('401 with the key itself, 403 for other roles, and 404 for unknown, revoked and foreign keys', async () => {
    const old = await create()
    expect((await rotate(old.id, {}, old.key)).status).toBe(401)
    const member = await server.world.person()
    await server.world.member(member, center, 'INSTRUCTOR')
    expect((await rotate(old.id, {}, (await server.signIn(member)).accessToken)).status).toBe(403)
    const elsewhere = await server.world.center()
    const theirAdmin = await server.world.person()
    await server.world.member(theirAdmin, elsewhere, 'ADMIN')
    const foreign = await rotate(old.id, {}, (await server.signIn(theirAdmin)).accessToken)
    const missing = await rotate(unknown)
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    await server.call('DELETE', `${path}/${old.id}`, { token })
    expect((await rotate(old.id)).status).toBe(404)
  })

  it('never lets a key live longer than it was given, whoever writes it', async () => {
    const old = await create({ expiresAt: new Date(Date.now() + day).toISOString() })
    await expect(
      server.world.query(`update directory.api_keys set expires_at = null where name = 'n' and expires_at is not null`),
    ).rejects.toThrow('never lives longer')
    expect(await statusOf(old)).toBe(200)
  })
})
