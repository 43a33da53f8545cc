import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../tests/support/contract-check.ts'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Center } from '../../../../tests/support/world.ts'

const events = '/api/v1/decision-events'
const seconds = 600
let server: TestServer
let center: Center

beforeAll(async () => {
  server = await startServer({
    env: {
      RATE_LIMIT_PROOF: `50/${seconds}`,
      RATE_LIMIT_STANDARD: `40/${seconds}`,
      RATE_LIMIT_PARTNER: `30/${seconds}`,
      RATE_LIMIT_PUBLIC: `100/${seconds}`,
    },
  })
  center = await server.world.center()
})
afterAll(() => server.close())

const shown = ({ headers }: Answer) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
})

/** The window ends within its length from now, with a tolerance of one second for rounding. */
function expectReset({ headers }: Answer): void {
  const left = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000
  expect(left).toBeGreaterThan(seconds - 60)
  expect(left).toBeLessThanOrEqual(seconds + 1)
}

async function newMember(partner = false): Promise<string> {
  const person = await server.world.person({ partner })
  await server.world.member(person, center)
  return (await server.signIn(person)).accessToken
}

/** Makes the database refuse a privilege to a role, as a faulty migration would. */
async function whileRevoked<T>(right: string, work: () => Promise<T>): Promise<T> {
  await server.world.query(`revoke ${right.replace(' to ', ' from ')}`)
  return work().finally(() => server.world.query(`grant ${right}`))
}

describe('the three rate limit headers count down with every answer', () => {
  it('of a key: 201, 200, 422, 400, 403 and 500', async () => {
    const token = await server.world.key(center)
    const call = (method: string, options: object = {}, query = '') =>
      server.call(method, `${events}${query}`, { token, ...options })
    const answers = [
      await call('POST', { body: sampleEvent() }),
      await call('GET'),
      await call('POST', { body: {} }),
      await call('GET', {}, '?limit=0'),
      await call('POST', { raw: '{' }),
      await whileRevoked('select on cell.decision_events to cs_api', () => call('GET')),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 422, 422, 400, 500])
    expect(answers.map(shown)).toEqual(answers.map((_, n) => ({ limit: 50, remaining: 49 - n })))
    for (const answer of answers) expectReset(answer)
    const publisher = await server.world.key(center, { scopes: ['events:write'] })
    const refused = await server.call('GET', events, { token: publisher })
    expect([refused.status, shown(refused)]).toEqual([403, { limit: 50, remaining: 49 }])
  })

  it('of an actor: 200, 400, 404 and 500', async () => {
    const token = await newMember()
    const answers = [
      await server.call('GET', '/api/auth/me', { token }),
      await server.call('POST', '/api/api-keys', { token, body: {} }),
      await server.call('DELETE', '/api/api-keys/nothing', { token }),
      await whileRevoked('select on directory.api_keys to cs_api', () =>
        server.call('GET', '/api/api-keys', { token }),
      ),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 500])
    expect(answers.map(shown)).toEqual(answers.map((_, n) => ({ limit: 40, remaining: 39 - n })))
    for (const answer of answers) expectReset(answer)
  })

  it('of a partner account', async () => {
    const answer = await server.call('GET', '/api/auth/me', { token: await newMember(true) })
    expect(shown(answer)).toEqual({ limit: 30, remaining: 29 })
  })

  it('of an address: 401 on both surfaces, 404 in both error formats, and a public operation', async () => {
    const answers = [
      await server.call('GET', '/api/auth/me'),
      await server.call('GET', events, { token: 'csk_test_wrong' }),
      await server.call('GET', '/api/nothing'),
      await server.call('GET', '/api/v1/nothing'),
      await server.call('GET', '/nothing'),
      await server.call('GET', '/api/whitelabel/nothing/config'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 404, 404, 404, 404])
    expect(answers.map(shown)).toEqual(answers.map((_, n) => ({ limit: 100, remaining: 99 - n })))
    for (const answer of answers) expectReset(answer)
  })

  it('show a full window on an answer that does not count', async () => {
    for (const path of ['/', '/health/live', '/health/ready', '/.well-known/jwks.json', '/openapi.json']) {
      const answer = await server.call('GET', path)
      expect([path, answer.status, shown(answer)]).toEqual([path, 200, { limit: 100, remaining: 100 }])
      expectReset(answer)
    }
  })
})

describe('managing webhooks', () => {
  const webhooks = '/api/v1/webhooks'

  it("counts per key in the standard tier, separately from the key's other requests", async () => {
    const [token, other] = [await server.world.key(center), await server.world.key(center, { rateLimit: 7 })]
    const get = (path: string, as = token) => server.call('GET', path, { token: as })
    const body = { url: 'https://hooks.example.org/', events: ['*'] }
    const managing = [
      await get(webhooks),
      await server.call('POST', webhooks, { token, body }),
      await get(`${webhooks}/event-types`),
      await get(`${webhooks}/nothing/deliveries`),
      await server.call('POST', webhooks, { token, body: {} }),
    ]
    expect(managing.map(({ status }) => status)).toEqual([200, 201, 200, 404, 422])
    expect(managing.map(shown)).toEqual(managing.map((_, n) => ({ limit: 40, remaining: 39 - n })))
    for (const answer of managing) expectReset(answer)
    expect(shown(await get(events))).toEqual({ limit: 50, remaining: 49 })
    // The key's own limit applies to the Proof API only.
    expect([shown(await get(webhooks, other)), shown(await get(events, other))]).toEqual([
      { limit: 40, remaining: 39 },
      { limit: 7, remaining: 6 },
    ])
  })

  it('is refused beyond the limit, while the key can still record and publish', async () => {
    const token = await server.world.key(center, { scopes: ['proof:write', 'events:write'] })
    for (let n = 0; n < 40; n++) expect((await server.call('GET', webhooks, { token })).status).toBe(200)
    const refused = await server.call('GET', webhooks, { token })
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(seconds - 60)
    expect((await server.call('POST', events, { token, body: sampleEvent() })).status).toBe(201)
    const published = await server.call('POST', '/api/v1/events', {
      token,
      body: { id: 'beyond', type: 'payment.failed', data: {} },
    })
    expect([published.status, shown(published)]).toEqual([202, { limit: 50, remaining: 48 }])
  })
})

describe('429', () => {
  it('states when to retry, with the code RATE_LIMIT on the Proof API', async () => {
    const token = await server.world.key(center, { rateLimit: 2 })
    for (const remaining of [1, 0]) {
      const answer = await server.call('GET', events, { token })
      expect([answer.status, shown(answer)]).toEqual([200, { limit: 2, remaining }])
      expect(answer.headers.get('retry-after')).toBeNull()
    }
    const refused = await server.call('GET', events, { token })
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT'])
    expect(shown(refused)).toEqual({ limit: 2, remaining: 0 })
    expectReset(refused)
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(seconds - 60)
    expect(wait).toBeLessThanOrEqual(seconds)
    expect(refused.body.error.message).toContain(`Try again in ${wait} seconds`)
  })

  it('has the code RATE_LIMITED on the platform', async () => {
    const token = await newMember()
    for (let n = 0; n < 40; n++) expect((await server.call('GET', '/api/auth/me', { token })).status).toBe(200)
    const refused = await server.call('GET', '/api/auth/me', { token })
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.body.error.message).toContain(`Try again in ${refused.headers.get('retry-after')} seconds`)
  })

  it('has no effect', async () => {
    const own = await server.world.center()
    const token = await server.world.key(own, { rateLimit: 1 })
    await server.call('POST', events, { token, body: sampleEvent() })
    const refused = await server.call('POST', events, { token, body: sampleEvent() })
    expect(refused.status).toBe(429)
    expect(await server.world.query('select from cell.decision_events where center_id = $1', [own.id])).toHaveLength(1)
  })

  it('ends with the window', async () => {
    const brief = await startServer({ beside: server, env: { RATE_LIMIT_PROOF: '1/2', REDIS_PREFIX: 'brief' } })
    try {
      const token = await server.world.key(center)
      expect((await brief.call('GET', events, { token })).status).toBe(200)
      const refused = await brief.call('GET', events, { token })
      expect(refused.status).toBe(429)
      await new Promise((resolve) => setTimeout(resolve, Number(refused.headers.get('retry-after')) * 1000))
      expect((await brief.call('GET', events, { token })).status).toBe(200)
    } finally {
      await brief.close()
    }
  })
})
