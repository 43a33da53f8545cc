/** Addresses with a slash at their end, and credentials of the other surface. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const ask = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, { redirect: 'manual', ...init })

describe('a slash at the end', () => {
  it.each([
    ['/api/centers/', '/api/centers'],
    ['/api/v1/decision-events/?limit=1', '/api/v1/decision-events?limit=1'],
    ['/login/', '/login'],
    ['/docs/', '/docs'],
    ['/docs/ko/', '/docs/ko'],
    ['/docs/ko/guides/testing/', '/docs/ko/guides/testing'],
  ])('%s leads to %s', async (path, to) => {
    const answer = await ask(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([308, to])
  })

  it('keeps the method, and leads only where that method is', async () => {
    expect((await ask('/api/v1/decision-events/', { method: 'POST' })).headers.get('location')).toBe(
      '/api/v1/decision-events',
    )
    expect((await ask('/api/v1/decision-events/', { method: 'DELETE' })).status).toBe(404)
  })

  it.each(['//other.example/', '/api/nothing/', '/docs//other.example/'])('%s leads nowhere', async (path) => {
    const answer = await ask(path)
    const location = answer.headers.get('location') ?? ''
    expect(new URL(location, server.url).origin).toBe(new URL(server.url).origin)
    if (!path.startsWith('/docs')) expect(answer.status).toBe(404)
  })
})

describe('the credential of the other surface', () => {
  it('is named, with the one that the address takes', async () => {
    const [center, person] = [await server.world.center(), await server.world.person()]
    await server.world.member(person, center, 'ADMIN')
    const [{ accessToken }, key] = [await server.signIn(person, center.domain), await server.world.key(center)]
    const onPlatform = await server.call('GET', '/api/policies', { token: key })
    expect([onPlatform.status, onPlatform.body.error.message]).toEqual([
      401,
      expect.stringMatching(/API keys work under \/api\/v1/),
    ])
    const onProof = await server.call('GET', '/api/v1/decision-events', { token: accessToken })
    expect([onProof.status, onProof.body.error.message]).toEqual([401, expect.stringMatching(/takes an API key/)])
    const empty = await server.call('GET', '/api/v1/decision-events', { headers: { authorization: 'Bearer ' } })
    expect(empty.body.error.message).toMatch(/API key is missing/)
  })
})
