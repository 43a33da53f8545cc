import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'

const path = '/api/api-keys'
let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

async function newAdmin(center: Center): Promise<string> {
  const admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  return (await server.signIn(admin)).accessToken
}
const list = (token: string) => server.call('GET', path, { token })
const create = (token: string, name: string) =>
  server.call('POST', path, { token, body: { name, scopes: ['proof:read'] } })

describe('200', () => {
  it('is empty at first', async () => {
    const { status, body } = await list(await newAdmin(await server.world.center()))
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, data: [] })
  })

  it('shows every key, newest first, without secrets', async () => {
    const token = await newAdmin(await server.world.center())
    const created = []
    for (const name of ['first', 'second', 'third']) created.push((await create(token, name)).body.data)
    const { body, text } = await list(token)
    expect(body.data).toEqual(created.reverse().map(({ key: _, ...shown }) => shown))
    for (const { key } of created) expect(text).not.toContain(key)
  })

  it('omits revoked keys and includes expired ones', async () => {
    const center = await server.world.center()
    const token = await newAdmin(center)
    await server.world.key(center, { expiresAt: new Date(Date.now() - 1000) })
    const gone = (await create(token, 'revoked')).body.data
    await server.call('DELETE', `${path}/${gone.id}`, { token })
    const { body } = await list(token)
    expect(body.data.map((key: { name: string }) => key.name)).toEqual(['test'])
    expect(new Date(body.data[0].expiresAt).getTime()).toBeLessThan(Date.now())
  })

  it('shows no key of another center', async () => {
    const [mine, theirs] = [await server.world.center(), await server.world.center()]
    const [myToken, theirToken] = [await newAdmin(mine), await newAdmin(theirs)]
    await create(theirToken, 'theirs')
    expect((await list(myToken)).body.data).toEqual([])
    expect((await list(theirToken)).body.data).toHaveLength(1)
  })

  it('shows when a key was last used', async () => {
    const token = await newAdmin(await server.world.center())
    const startedAt = Date.now()
    const { key } = (await create(token, 'busy')).body.data
    expect((await server.call('GET', '/api/v1/decision-events', { token: key })).status).toBe(200)
    // The write follows the request and does not delay it.
    const lastUse = () => list(token).then(({ body }) => body.data[0].lastUsedAt as string | null)
    await expect.poll(lastUse, { timeout: 10_000 }).not.toBeNull()
    const at = Date.parse((await lastUse()) as string)
    expect(at).toBeGreaterThanOrEqual(startedAt)
    expect(at).toBeLessThanOrEqual(Date.now())
  })
})

describe('401 and 403', () => {
  it('401 UNAUTHORIZED without a token, and with an API key', async () => {
    const key = await server.world.key(await server.world.center())
    for (const call of [{}, { token: key }]) {
      const { status, body } = await server.call('GET', path, call)
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  it.each(['INSTRUCTOR', 'PARENT', 'CHILD'])('403 INSUFFICIENT_ROLE for %s', async (role) => {
    const member = await server.world.person()
    await server.world.member(member, await server.world.center(), role)
    const { status, body } = await list((await server.signIn(member)).accessToken)
    expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  })

  it('403 MEMBERSHIP_SUSPENDED for an ADMIN who was suspended', async () => {
    const center = await server.world.center()
    const admin = await server.world.person()
    await server.world.member(admin, center, 'ADMIN')
    const { accessToken } = await server.signIn(admin)
    await server.world.setMembership(admin, center, { status: 'SUSPENDED' })
    const { status, body } = await list(accessToken)
    expect([status, body.error.code]).toEqual([403, 'MEMBERSHIP_SUSPENDED'])
  })
})
