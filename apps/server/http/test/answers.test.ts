import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../tests/support/contract-check.ts'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

const events = '/api/v1/decision-events'
const mebibyte = 1024 * 1024
let server: TestServer
let token: string
let accessToken: string

beforeAll(async () => {
  server = await startServer()
  const center = await server.world.center()
  token = await server.world.key(center)
  const admin = await server.world.person()
  await server.world.member(admin, center)
  accessToken = (await server.signIn(admin)).accessToken
})
afterAll(() => server.close())

/** An event of exactly so many bytes. */
function eventOf(bytes: number): string {
  const text = JSON.stringify(sampleEvent({ action: { type: 't', input: { fill: '' } } }))
  return text.replace('"fill":""', `"fill":"${'x'.repeat(bytes - Buffer.byteLength(text))}"`)
}

/** One of each kind of answer. */
const kinds: Record<string, () => Promise<Answer>> = {
  '200 of the platform': () => server.call('GET', '/api/auth/me', { token: accessToken }),
  '200 of the Proof API': () => server.call('GET', events, { token }),
  '201': () => server.call('POST', events, { token, body: sampleEvent() }),
  '204': async () => {
    const body = { name: 'short-lived', scopes: ['proof:read'] }
    const made = await server.call('POST', '/api/api-keys', { token: accessToken, body })
    return server.call('DELETE', `/api/api-keys/${made.body.data.id}`, { token: accessToken })
  },
  '400 of the platform': () => server.call('POST', '/api/auth/login', { body: {} }),
  '400 of the Proof API': () => server.call('POST', events, { token, raw: '{' }),
  '401 of the platform': () => server.call('GET', '/api/auth/me'),
  '401 of the Proof API': () => server.call('GET', events),
  '403': async () => {
    const center = await server.world.center()
    return server.call('POST', events, { token: await server.world.key(center, { scopes: ['proof:read'] }) })
  },
  '404 of the platform': () => server.call('GET', '/api/nothing'),
  '404 of the Proof API': () => server.call('GET', '/api/v1/nothing'),
  '404 at the root': () => server.call('GET', '/nothing'),
  '413 of the platform': () => server.call('POST', '/api/auth/login', { raw: eventOf(mebibyte + 1) }),
  '413 of the Proof API': () => server.call('POST', events, { token, raw: eventOf(mebibyte + 1) }),
  '422': () => server.call('POST', events, { token, body: {} }),
  '500': async () => {
    await server.world.query('revoke select on cell.decision_events from cs_api')
    const answer = server.call('GET', events, { token })
    return answer.finally(() => server.world.query('grant select on cell.decision_events to cs_api'))
  },
  'the health of the process': () => server.call('GET', '/health/live'),
  'the API description': () => server.call('GET', '/openapi.json'),
  'an address that cannot be decoded': () => server.call('GET', '/api/%zz'),
  'an address that holds NUL': () => server.call('GET', '/api/v1/%00'),
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  const send = kinds[kind] as () => Promise<Answer>
  let answer: Answer
  beforeAll(async () => {
    answer = await send()
    const [status] = /^\d+/.exec(kind) ?? []
    if (status) expect(answer.status).toBe(Number(status))
  })

  it('has the secure headers', () => {
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8,}/),
      'cache-control': 'no-store',
    })
    expect(answer.headers.get('x-powered-by')).toBeNull()
    expect(answer.headers.get('server')).toBeNull()
  })

  it('has a request id of our own', async () => {
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/)
    expect((await send()).headers.get('x-request-id')).not.toBe(answer.headers.get('x-request-id'))
  })
})

describe('the request id', () => {
  it.each(['x-request-id', 'request-id', 'x-correlation-id', 'traceparent'])(
    'is ours whatever the caller sends as %s',
    async (name) => {
      const sent = 'req_01kz9x4q8hfx5r3v7t2b6n0m1c'
      const answer = await server.call('GET', '/api/v1/nothing', { headers: { [name]: sent } })
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      expect(answer.headers.get('x-request-id')).not.toBe(sent)
      expect(answer.body.error.requestId).toBe(answer.headers.get('x-request-id'))
    },
  )

  it('leads to the line in the log', async () => {
    const id = (await server.call('GET', '/api/v1/nothing')).headers.get('x-request-id') as string
    expect(server.logs.some((line) => line.includes(id))).toBe(true)
  })
})

describe('404', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['GET', '/api'],
    ['POST', '/'],
    ['GET', '/metrics'],
    ['PUT', '/api/auth/me'],
    ['GET', '/api/auth/me/'],
    ['POST', '/health/live'],
    ['GET', '/apiv1'],
  ])('of %s %s has the shape of the platform', async (method, path) => {
    const { status, body } = await server.call(method, path, { token: accessToken })
    expect(status).toBe(404)
    expect(body).toEqual({ success: false, error: { code: 'NOT_FOUND', message: expect.any(String) } })
  })

  it.each([
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1'],
    ['DELETE', events],
    ['GET', `${events}/`],
    ['GET', '/api/v1?x=1'],
  ])('of %s %s has the shape of the Proof API', async (method, path) => {
    const { status, headers, body } = await server.call(method, path, { token })
    expect(status).toBe(404)
    const requestId = headers.get('x-request-id')
    expect(body).toEqual({ error: { code: 'NOT_FOUND', message: expect.any(String), requestId, details: {} } })
  })
})

describe('the size of a body', () => {
  it('may be 1 MiB and not a byte more', async () => {
    expect((await server.call('POST', events, { token, raw: eventOf(mebibyte) })).status).toBe(201)
    const over = await server.call('POST', events, { token, raw: eventOf(mebibyte + 1) })
    expect([over.status, over.body.error.code]).toEqual([413, 'BAD_REQUEST'])
    const platform = await server.call('POST', '/api/auth/login', { raw: eventOf(mebibyte + 1) })
    expect([platform.status, platform.body.error.code]).toEqual([413, 'VALIDATION_ERROR'])
  })

  it('is measured when it is not announced', async () => {
    const text = eventOf(mebibyte + 1)
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sending = request(`${server.url}${events}`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode)
        response.resume()
      })
      sending.once('error', reject)
      for (let at = 0; at < text.length; at += 65_536) sending.write(text.slice(at, at + 65_536))
      sending.end()
    })
    expect(status).toBe(413)
  })

  it('is not even read when the caller has no right', async () => {
    const { status } = await server.call('POST', events, { raw: eventOf(2 * mebibyte) })
    expect(status).toBe(401)
  })
})
