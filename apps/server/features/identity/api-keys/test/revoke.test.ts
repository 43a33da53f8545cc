import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

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

const create = async (by = token): Promise<{ id: string; key: string }> =>
  (await server.call('POST', path, { token: by, body: { name: 'n', scopes: ['proof:read'] } })).body.data
const revoke = (id: string, headers: Record<string, string> = {}, by = token) =>
  server.call('DELETE', `${path}/${id}`, { token: by, headers })
const use = (key: string) => server.call('GET', '/api/v1/decision-events', { token: key })
const actionsOn = async (id: string) =>
  (
    await server.world.query<{ action: string }>(
      `select details ->> 'action' as action from directory.audit_entries where target_id = $1 order by occurred_at, id`,
      [id],
    )
  ).map(({ action }) => action)

describe('204', () => {
  it('refuses the key at once, although it was used a moment ago', async () => {
    const { id, key } = await create()
    expect((await use(key)).status).toBe(200)
    const { status, text } = await revoke(id)
    expect([status, text]).toEqual([204, ''])
    const refused = await use(key)
    expect([refused.status, refused.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('does not affect other keys of the center', async () => {
    const [one, other] = [await create(), await create()]
    await revoke(one.id)
    expect((await use(other.key)).status).toBe(200)
  })

  it('is audited once under concurrent revocations', async () => {
    const { id } = await create()
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => revoke(id)))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([204, 404, 404, 404])
    expect(await actionsOn(id)).toEqual(['created', 'revoked'])
    const [entry] = await server.world.query(
      `select center_id, type, actor_id, target_type from directory.audit_entries
       where target_id = $1 and details ->> 'action' = 'revoked'`,
      [id],
    )
    expect(entry).toEqual({
      center_id: center.id,
      type: 'api_key.changed',
      actor_id: admin.actorId,
      target_type: 'api_key',
    })
  })

  it('is 204 again with the same Idempotency-Key, and 404 without', async () => {
    const { id } = await create()
    const first = await revoke(id, { 'idempotency-key': `r-${id}` })
    const second = await revoke(id, { 'idempotency-key': `r-${id}` })
    expect([first.status, second.status]).toEqual([204, 204])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await revoke(id)).status).toBe(404)
    expect(await actionsOn(id)).toEqual(['created', 'revoked'])
  })
})

describe('404 NOT_FOUND', () => {
  it('for a key of another center, with the same body as for an unknown one', async () => {
    const elsewhere = await server.world.center()
    const theirAdmin = await server.world.person()
    await server.world.member(theirAdmin, elsewhere, 'ADMIN')
    const theirToken = (await server.signIn(theirAdmin)).accessToken
    const theirs = await create(theirToken)
    const foreign = await revoke(theirs.id)
    const unknown = await revoke('key_01kz9x4q8hfx5r3v7t2b6n0m1c')
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect([unknown.status, unknown.text]).toEqual([404, foreign.text])
    expect((await use(theirs.key)).status).toBe(200)
    expect(await actionsOn(theirs.id)).toEqual(['created'])
  })

  it.each([
    'x',
    '1',
    'key_',
    'evt_01kz9x4q8hfx5r3v7t2b6n0m1c',
    'key_01KZ9X4Q8HFX5R3V7T2B6N0M1C',
    'key_81kz9x4q8hfx5r3v7t2b6n0m1c',
    'key_01kz9x4q8hfx5r3v7t2b6n0m1u',
    '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
    "'%20or%20true--",
    '..%2fapi-keys',
    '%F0%9F%98%80',
  ])('for %s, which is not the id of a key', async (id) => {
    const { status, body } = await revoke(id)
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('400, 401 and 403', () => {
  it('400 VALIDATION_ERROR for an Idempotency-Key that is too long', async () => {
    const { id } = await create()
    const { status, body } = await revoke(id, { 'idempotency-key': 'x'.repeat(256) })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('401 UNAUTHORIZED without a token, and with the key itself', async () => {
    const { id, key } = await create()
    for (const call of [{}, { token: key }]) {
      const { status, body } = await server.call('DELETE', `${path}/${id}`, call)
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
    expect((await use(key)).status).toBe(200)
  })

  it.each(['INSTRUCTOR', 'PARENT', 'CHILD'])(
    '403 INSUFFICIENT_ROLE for %s, whether the key exists or not',
    async (role) => {
      const member = await server.world.person()
      await server.world.member(member, center, role)
      const memberToken = (await server.signIn(member)).accessToken
      const { id, key } = await create()
      for (const each of [id, 'key_01kz9x4q8hfx5r3v7t2b6n0m1c']) {
        const { status, body } = await revoke(each, {}, memberToken)
        expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
      }
      expect((await use(key)).status).toBe(200)
    },
  )
})
