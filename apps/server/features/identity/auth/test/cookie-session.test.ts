import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

const ownOrigin = 'http://countersign.test'
/** Where people sign in and approve. */
const authOrigin = 'http://auth.test'
let server: TestServer
let center: Center
let person: Person

beforeAll(async () => {
  server = await startServer({ env: { AUTH_URL: `${authOrigin}/sign-in` } })
  center = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center, 'ADMIN')
})
afterAll(() => server.close())

const withCookie = async (headers: Record<string, string> = {}) => ({
  headers: { cookie: `auth_token=${(await server.signIn(person)).accessToken}`, ...headers },
})
const newKey = { name: 'from the browser', scopes: ['proof:read'] }

/** `name=value; Flag; Flag=x` as an object with lowercase names. */
function parse(line: string): Record<string, string> {
  const parts = line.split(/; */).map((part) => part.split(/=(.*)/s))
  const [[, value = ''] = []] = parts
  return { value, ...Object.fromEntries(parts.slice(1).map(([name = '', set = '']) => [name.toLowerCase(), set])) }
}
const cookieOf = (headers: Headers, name: string) =>
  headers
    .getSetCookie()
    .filter((line) => line.startsWith(`${name}=`))
    .map(parse)

describe('the cookie', () => {
  it('holds the access token, for its lifetime, and scripts cannot read it', async () => {
    const { answer, accessToken } = await server.signIn(person)
    expect(cookieOf(answer.headers, 'auth_token')).toEqual([
      { value: accessToken, 'max-age': '900', path: '/', httponly: '', samesite: 'Lax' },
    ])
  })

  it('is set by switch-center and refresh too', async () => {
    const { accessToken, refreshToken } = await server.signIn(person)
    const refreshed = await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })
    expect(cookieOf(refreshed.headers, 'auth_token')).toMatchObject([{ value: refreshed.body.data.accessToken }])
    const switched = await server.call('POST', '/api/auth/switch-center', {
      token: accessToken,
      body: { centerId: center.id },
    })
    expect(cookieOf(switched.headers, 'auth_token')).toMatchObject([{ value: switched.body.data.accessToken }])
  })

  it('is Secure in production', async () => {
    const production = await startServer({ env: { NODE_ENV: 'production', PUBLIC_URL: 'https://countersign.test' } })
    try {
      const member = await production.world.person()
      await production.world.member(member, await production.world.center())
      const { answer } = await production.signIn(member)
      for (const name of ['auth_token', 'last_tenant']) {
        const [cookie] = cookieOf(answer.headers, name)
        expect(cookie).toMatchObject({ secure: '', httponly: '', samesite: 'Lax' })
      }
    } finally {
      await production.close()
    }
  })
})

describe('the refresh cookie in production', () => {
  const origin = 'https://countersign.test'
  let production: TestServer
  let member: Person

  beforeAll(async () => {
    production = await startServer({ env: { NODE_ENV: 'production', PUBLIC_URL: origin } })
    member = await production.world.person()
    await production.world.member(member, await production.world.center())
  })
  afterAll(() => production.close())

  const start = () =>
    production.call('POST', '/api/auth/session', { body: { email: member.email, password: member.password } })
  const refresh = (cookie: string) =>
    production.call('POST', '/api/auth/session/refresh', { headers: { origin, cookie } })
  const hosted = (headers: Headers) => cookieOf(headers, '__Host-refresh_token')[0]?.value

  it('cannot be set by another host of the same site, and takes the place of the one without the prefix', async () => {
    const { headers } = await start()
    expect(cookieOf(headers, '__Host-refresh_token')).toEqual([
      {
        ...{ value: expect.stringMatching(/^csr_/), 'max-age': '2592000', path: '/' },
        ...{ httponly: '', secure: '', samesite: 'Strict' },
      },
    ])
    expect(cookieOf(headers, 'refresh_token')).toMatchObject([{ value: '', 'max-age': '0', path: '/api/auth' }])
  })

  it('of an earlier version keeps its session, once no other is there', async () => {
    const earlier = hosted((await start()).headers)
    const renewed = await refresh(`refresh_token=${earlier}`)
    expect(renewed.status).toBe(200)
    const own = hosted(renewed.headers)
    expect((await refresh(`refresh_token=csr_planted; __Host-refresh_token=${own}`)).status).toBe(200)
  })

  it('is forgotten under both names', async () => {
    const value = hosted((await start()).headers)
    const ended = await production.call('DELETE', '/api/auth/session', {
      headers: { origin, cookie: `__Host-refresh_token=${value}` },
    })
    for (const name of ['__Host-refresh_token', 'refresh_token']) {
      expect(cookieOf(ended.headers, name)).toMatchObject([{ value: '', 'max-age': '0' }])
    }
    expect((await refresh(`__Host-refresh_token=${value}`)).status).toBe(401)
  })
})

describe('200 and 201: requests that the cookie authenticates', () => {
  it('reads from any origin', async () => {
    for (const headers of [{}, { origin: ownOrigin }, { origin: 'https://elsewhere.example' }]) {
      const { status, body } = await server.call('GET', '/api/auth/me', await withCookie({ ...headers }))
      expect(status).toBe(200)
      expect(body.data.actorId).toBe(person.actorId)
    }
  })

  it.each([ownOrigin, authOrigin])("changes from the server's own origin %s", async (origin) => {
    const call = await withCookie({ origin })
    const created = await server.call('POST', '/api/api-keys', { ...call, body: newKey })
    expect(created.status).toBe(201)
    const revoked = await server.call('DELETE', `/api/api-keys/${created.body.data.id}`, call)
    expect(revoked.status).toBe(204)
    expect((await server.call('POST', '/api/auth/logout', call)).status).toBe(204)
    expect((await server.call('GET', '/api/auth/me', call)).status).toBe(401)
  })
})

describe('403 FORBIDDEN: a change from another origin', () => {
  it.each([
    ['no Origin', {}],
    ['another host', { origin: 'https://elsewhere.example' }],
    ['another scheme', { origin: 'https://countersign.test' }],
    ['another port', { origin: 'http://countersign.test:8080' }],
    ['a subdomain', { origin: 'http://evil.countersign.test' }],
    ['a host that begins like the own one', { origin: 'http://countersign.test.elsewhere.example' }],
    ['the origin of a sandboxed frame', { origin: 'null' }],
    ['a path after the own origin', { origin: `${ownOrigin}/` }],
    ['only a Referer of the own origin', { referer: `${ownOrigin}/console` }],
  ])('%s', async (_, headers) => {
    const call = await withCookie({ ...headers })
    const before = await server.world.query('select count(*)::int as n from directory.api_keys')
    for (const [method, path, body] of [
      ['POST', '/api/api-keys', newKey],
      ['DELETE', '/api/api-keys/key_01kz9x4q8hfx5r3v7t2b6n0m1c', undefined],
      ['POST', '/api/auth/switch-center', { centerId: center.id }],
      ['POST', '/api/auth/logout', undefined],
    ] as const) {
      const answer = await server.call(method, path, { ...call, ...(body && { body }) })
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'FORBIDDEN'])
    }
    expect(await server.world.query('select count(*)::int as n from directory.api_keys')).toEqual(before)
    expect((await server.call('GET', '/api/auth/me', call)).status).toBe(200)
  })
})

describe('a bearer token beside the cookie', () => {
  it('takes precedence, and needs no Origin', async () => {
    const other = await server.world.person()
    await server.world.member(other, center, 'ADMIN')
    const token = (await server.signIn(other)).accessToken
    const call = { ...(await withCookie()), token }
    expect((await server.call('GET', '/api/auth/me', call)).body.data.actorId).toBe(other.actorId)
    expect((await server.call('POST', '/api/api-keys', { ...call, body: newKey })).status).toBe(201)
  })

  it('takes precedence even when invalid: the cookie is not used', async () => {
    for (const authorization of ['Bearer nonsense', 'Basic YTpi', 'Bearer']) {
      const { status } = await server.call('GET', '/api/auth/me', await withCookie({ authorization }))
      expect([authorization, status]).toEqual([authorization, 401])
    }
  })
})

describe('401: requests that the cookie does not authenticate', () => {
  it('the Proof API, in its error format', async () => {
    for (const name of ['auth_token', 'api_key']) {
      for (const value of [(await server.signIn(person)).accessToken, await server.world.key(center)]) {
        const { status, body } = await server.call('GET', '/api/v1/decision-events', {
          headers: { cookie: `${name}=${value}`, origin: ownOrigin },
        })
        expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
        expect(body.error.requestId).toMatch(/^req_/)
      }
    }
  })

  it('any request, when the cookie holds another credential', async () => {
    const { refreshToken } = await server.signIn(person)
    for (const value of [refreshToken, await server.world.key(center), '', 'x'.repeat(4000)]) {
      const { status } = await server.call('GET', '/api/auth/me', { headers: { cookie: `auth_token=${value}` } })
      expect(status).toBe(401)
    }
  })
})
