import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

const console1 = 'https://console.example'
let server: TestServer
afterAll(() => server.close())

const corsHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

const preflight = (origin: string, method: string) =>
  server.call('OPTIONS', '/api/api-keys/key_1', {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

describe('with an allow-list', () => {
  beforeAll(async () => {
    server = await startServer({ env: { CORS_ORIGINS: `${console1}, https://other.example` } })
  })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('allows a listed origin to send %s', async (method) => {
    const { status, headers } = await preflight(console1, method)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(console1)
    expect(headers.get('access-control-allow-methods')?.split(/, ?/)).toContain(method)
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/)
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'idempotency-key']))
    expect(headers.get('access-control-max-age')).toBe('600')
  })

  it('shows a listed origin its answers, with the headers a client needs, and never with cookies', async () => {
    for (const origin of [console1, 'https://other.example']) {
      const { headers } = await server.call('GET', '/api/auth/me', { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('vary')).toMatch(/origin/i)
      const exposed = headers.get('access-control-expose-headers')?.toLowerCase()
      for (const name of ['x-request-id', 'retry-after', 'x-ratelimit-remaining']) expect(exposed).toContain(name)
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it.each([
    'https://evil.example',
    'null',
    'http://console.example',
    'https://console.example.evil.example',
    'https://console.example:8443',
    'https://CONSOLE.example',
  ])('shows %s nothing', async (origin) => {
    const { headers } = await server.call('GET', '/api/auth/me', { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBeNull()
    const asked = await preflight(origin, 'DELETE')
    expect(asked.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('without an allow-list', () => {
  beforeAll(async () => {
    await server.close()
    server = await startServer()
  })

  it('shows no origin anything', async () => {
    for (const origin of [console1, 'null', 'http://countersign.test']) {
      const { headers } = await server.call('GET', '/api/auth/me', { headers: { origin } })
      expect(corsHeaders(headers)).toEqual({})
      expect(corsHeaders((await preflight(origin, 'GET')).headers)).toEqual({})
    }
  })
})
