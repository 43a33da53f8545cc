/** Addresses that no operation has, and methods that an address does not have. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const open = (path: string, accept: string, method = 'GET') =>
  fetch(server.url + path, { method, headers: { accept }, redirect: 'manual' })

describe('405 METHOD_NOT_ALLOWED', () => {
  it.each([
    ['PUT', '/api/auth/me', 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/api/auth/me?x=1', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/api/auth/login', 'POST'],
    ['PATCH', '/api/v1/decision-events', 'GET, HEAD, POST'],
    ['GET', '/api/v1/agents/decide', 'POST'],
    ['PUT', '/api/v1/decision-events/evt_1', 'GET, HEAD'],
    ['POST', '/api/dpu/dpu_1', 'GET, HEAD, PUT'],
    ['POST', '/api/partner/centers/1', 'GET, HEAD, PATCH'],
    ['POST', '/health/live', 'GET, HEAD'],
    ['DELETE', '/verify/evt_1', 'GET, HEAD'],
    ['POST', '/approve/evt_1', 'GET, HEAD'],
  ])('%s %s names the methods that it has', async (method, path, allow) => {
    const answer = await server.call(method, path)
    expect([answer.status, answer.body.error.code, answer.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      allow,
    ])
    expect(answer.body.error.message).toContain(allow)
  })

  it('comes before the body is read and counts against the public rate', async () => {
    const answer = await server.call('PUT', '/api/auth/me', { body: 'x'.repeat(100_000) })
    expect([answer.status, Number(answer.headers.get('x-ratelimit-remaining')) >= 0]).toEqual([405, true])
  })
})

describe('404 NOT_FOUND', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['POST', '/api/auth'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/nothing/here'],
  ])('%s %s is JSON for programs', async (method, path) => {
    for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.9']) {
      const answer = await open(path, accept, method)
      expect([answer.status, answer.headers.get('allow')]).toEqual([404, null])
      expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
    }
  })

  it.each(['/nothing/here', '/api/nothing', '/assets/nothing', '/console/nothing.js'])(
    '%s is a page for a browser',
    async (path) => {
      const answer = await open(path, browser)
      const html = await answer.text()
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(html).toContain('<div id="page">')
    },
  )

  it('is no page for an object that an operation does not find, nor for another method', async () => {
    const { accessToken } = await server.signIn(await server.world.person())
    const authorization = `Bearer ${accessToken}`
    const known = await fetch(`${server.url}/api/memberships/nothing/accept`, {
      method: 'POST',
      headers: { accept: browser, authorization },
    })
    const posted = await open('/nothing/here', browser, 'POST')
    for (const answer of [known, posted]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
    }
  })
})
