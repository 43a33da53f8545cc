import { afterEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

const env = { RATE_LIMIT_PUBLIC: '5/600' }
let server: TestServer
afterEach(() => server.close())

/** The remaining requests of the client that a proxy forwards for. */
async function leftFor(forwarded: string): Promise<number> {
  const { headers } = await server.call('GET', '/api/nothing', { headers: { 'x-forwarded-for': forwarded } })
  return Number(headers.get('x-ratelimit-remaining'))
}

describe('X-Forwarded-For', () => {
  it('is ignored from a peer that is not a trusted proxy', async () => {
    server = await startServer({ env })
    for (let n = 0; n < 5; n++) expect(await leftFor(`203.0.113.${n}`)).toBe(4 - n)
    const { status } = await server.call('GET', '/api/nothing', { headers: { 'x-forwarded-for': '203.0.113.99' } })
    expect(status).toBe(429)
    const forwarded = { forwarded: 'for=203.0.113.98', 'x-real-ip': '203.0.113.97' }
    expect((await server.call('GET', '/api/nothing', { headers: forwarded })).status).toBe(429)
  })

  it('is ignored when another network is trusted', async () => {
    server = await startServer({ env: { ...env, TRUSTED_PROXIES: '10.0.0.0/8' } })
    expect(await leftFor('203.0.113.1')).toBe(4)
    expect(await leftFor('203.0.113.2')).toBe(3)
  })

  it('separates the clients of a trusted proxy', async () => {
    server = await startServer({ env: { ...env, TRUSTED_PROXIES: '127.0.0.1/32' } })
    expect(await leftFor('203.0.113.1')).toBe(4)
    expect(await leftFor('203.0.113.2')).toBe(4)
    expect(await leftFor('203.0.113.1')).toBe(3)
  })

  it('identifies the client by the address that the proxy appended, not by what the client wrote before it', async () => {
    server = await startServer({ env: { ...env, TRUSTED_PROXIES: '127.0.0.1/32' } })
    for (let n = 0; n < 5; n++) expect(await leftFor(`198.51.100.${n}, 203.0.113.1`)).toBe(4 - n)
  })
})

describe('IPv6', () => {
  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:db8:0:0:1234::'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::9'],
    ['fd00::3:4:5:6:7', 'fd00:0:0:3:8::'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('%s and %s are one client', async (one, same) => {
    server = await startServer({ env: { ...env, TRUSTED_PROXIES: '127.0.0.1/32' } })
    expect(await leftFor(one)).toBe(4)
    expect(await leftFor(same)).toBe(3)
  })

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::2:3:4:5:6', '2001:db8::3:3:4:5:6'],
    ['fd00::3:4:5:6:7', 'fd00::4:4:5:6:7'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.8'],
  ])('%s and %s are two', async (one, other) => {
    server = await startServer({ env: { ...env, TRUSTED_PROXIES: '127.0.0.1/32' } })
    expect(await leftFor(one)).toBe(4)
    expect(await leftFor(other)).toBe(4)
  })
})
