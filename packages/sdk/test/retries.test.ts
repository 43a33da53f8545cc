/** The retry rules of the specification (7.3 and 8), against a real socket with a turned clock. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Countersign } from '../countersign.ts'
import { ApiError, ConnectionError, RateLimitError, ServerError, TimeoutError } from '../errors.ts'
import { CountersignPlatform } from '../platform.ts'
import { type ScriptedServer, type Step, startScriptedServer } from './scripted-server.ts'

let server: ScriptedServer
let client: Countersign
let platform: CountersignPlatform

beforeAll(async () => {
  server = await startScriptedServer()
  const shared = { baseUrl: server.url, clock: server.clock }
  client = new Countersign({ ...shared, apiKey: 'csk_test_x' })
  platform = new CountersignPlatform({ ...shared, session: { accessToken: 'a-token' } })
})
afterAll(() => server.close())

const decision = {
  type: 'ai_recommendation',
  actor: { id: 'agent-7', type: 'ai_agent' },
  action: { type: 'refund.issue' },
} as const
const consumption = { actionDigest: `sha256:${'0'.repeat(64)}`, executor: 'attempt-1' }

/** How each kind of call can be told apart from a second call: by nothing, or by a key that all attempts share. */
const calls = {
  'a read': { run: () => client.decisions.get('evt_1'), key: () => '' },
  'a write with the header': {
    run: () => client.approvals.create('evt_1', { approver: { id: 'kim', type: 'human' }, result: 'approved' }),
    key: (at: number) => server.seen[at]?.headers['idempotency-key'],
  },
  'a recording': {
    run: () => client.decisions.record(decision),
    key: (at: number) => JSON.parse(server.seen[at]?.body ?? '{}').idempotencyKey,
  },
  'a consumption': {
    run: () => client.decisions.consume('evt_1', consumption),
    key: (at: number) => JSON.parse(server.seen[at]?.body ?? '{}').executor,
  },
} as const
const unkeyed = () => platform.auth.login({ email: 'a@b.example', password: 'secret' })

const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => error,
  )

function sameKeys(key: (at: number) => unknown, count: number): void {
  const keys = server.seen.map((_, at) => key(at))
  expect(keys).toHaveLength(count)
  expect(keys[0]).toBeDefined()
  expect(new Set(keys).size).toBe(1)
}

describe('a status', () => {
  it.each([429, 500, 502, 503, 504])('%i is tried four times, 1, 2 and 4 seconds apart', async (status) => {
    for (const { run, key } of Object.values(calls)) {
      server.script({ status })
      expect(await outcome(run())).toMatchObject({ status, attempts: 4, code: `HTTP_${status}` })
      expect(server.clock.waits).toEqual([1000, 2000, 4000])
      sameKeys(key, 4)
    }
  })

  it.each([400, 401, 403, 404, 408, 409, 410, 413, 415, 422, 425, 501, 505])('%i is tried once', async (status) => {
    for (const { run } of Object.values(calls)) {
      server.script({ status })
      expect(await outcome(run())).toMatchObject({ status, attempts: 1 })
      expect([server.seen.length, server.clock.waits]).toEqual([1, []])
    }
  })

  it('of success ends the attempts', async () => {
    server.script({ status: 503 }, { status: 500 }, { status: 201, body: { data: { id: 'evt_1' } } })
    const answer = await client.decisions.record(decision).withResponse()
    expect(answer).toMatchObject({ status: 201, attempts: 3, requestId: 'req_header', data: { id: 'evt_1' } })
    expect(server.clock.waits).toEqual([1000, 2000])
  })

  it('is also retried for a write without a key', async () => {
    server.script({ status: 503 })
    expect(await outcome(unkeyed())).toBeInstanceOf(ServerError)
    expect(server.seen).toHaveLength(4)
  })
})

describe('Retry-After', () => {
  it.each<[string, string, number]>([
    ['in seconds', '3', 3000],
    ['as a date', 'Mon, 16 Nov 2026 09:00:05 GMT', 5000],
    ['of zero keeps the planned wait', '0', 1000],
    ['in the past keeps the planned wait', 'Mon, 16 Nov 2026 08:00:00 GMT', 1000],
    ['that cannot be read keeps the planned wait', 'soon', 1000],
  ])('%s', async (_, after, wait) => {
    for (const status of [429, 503]) {
      const fresh = await startScriptedServer()
      const { decisions } = new Countersign({ baseUrl: fresh.url, clock: fresh.clock, apiKey: 'csk_test_x' })
      fresh.script({ status, headers: { 'retry-after': after } }, {})
      await decisions.get('evt_1')
      expect(fresh.clock.waits).toEqual([wait])
      await fresh.close()
    }
  })

  it('longer than the limit fails at once and says how long', async () => {
    server.script({ status: 429, headers: { 'retry-after': '61' } })
    const error = await outcome(client.decisions.get('evt_1'))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterMs: 61_000, attempts: 1 })
  })
})

describe('an unknown outcome', () => {
  it.each(['hang', 'cut', 'part'] as const)('(%s) is tried again with the same key', async (instead) => {
    for (const { run, key } of Object.values(calls)) {
      server.script({ instead })
      const error = await outcome(run())
      expect(error).toBeInstanceOf(instead === 'hang' ? TimeoutError : ConnectionError)
      expect(error).toMatchObject({ attempts: 4 })
      expect(server.clock.waits).toEqual([1000, 2000, 4000])
      sameKeys(key, 4)
      server.script({ instead }, { body: { data: { id: 'evt_1' } } })
      expect(await run()).toEqual({ id: 'evt_1' })
      sameKeys(key, 2)
    }
  })

  it.each(['hang', 'cut', 'part'] as const)('(%s) is not tried again without a key', async (instead) => {
    server.script({ instead })
    expect(await outcome(unkeyed())).toBeInstanceOf(ConnectionError)
    expect(server.seen).toHaveLength(1)
  })

  it('of a connection that cannot be opened names the cause', async () => {
    const gone = new Countersign({ baseUrl: 'http://127.0.0.1:9', clock: server.clock, apiKey: 'csk_test_x' })
    expect(await outcome(gone.decisions.get('evt_1'))).toMatchObject({
      name: 'ConnectionError',
      attempts: 4,
      message: expect.stringMatching(/GET http:\/\/127\.0\.0\.1:9\/api.+(ECONNREFUSED|bad port)/),
    })
  })
})

describe('cancellation', () => {
  it('ends a call in flight, without another attempt', async () => {
    const controller = new AbortController()
    server.script({ status: 503 }, { status: 503 })
    const reason = new Error('the user left')
    const call = client.decisions.get('evt_1', { signal: controller.signal })
    controller.abort(reason)
    expect(await outcome(call)).toBe(reason)
    expect(server.seen.length).toBeLessThan(2)
  })

  it('ends a wait between attempts', async () => {
    const controller = new AbortController()
    const reason = new Error('the user left')
    const clock = {
      ...server.clock,
      sleep(ms: number, signal?: AbortSignal) {
        if (ms === 1000) controller.abort(reason)
        return server.clock.sleep(ms, signal)
      },
    }
    server.script({ status: 503 })
    const own = new Countersign({ baseUrl: server.url, clock, apiKey: 'csk_test_x' })
    expect(await outcome(own.decisions.get('evt_1', { signal: controller.signal }))).toBe(reason)
    expect(server.seen).toHaveLength(1)
  })
})

describe('keys', () => {
  it('of two calls differ, and a given one is sent as it is', async () => {
    server.script({})
    await client.decisions.record(decision)
    await client.decisions.record(decision)
    await client.decisions.record(decision, { idempotencyKey: 'order-1' })
    await client.decisions.record({ ...decision, idempotencyKey: 'order-2' }, { idempotencyKey: 'order-1' })
    const [one, two, three, four] = server.seen.map(({ body }) => JSON.parse(body).idempotencyKey)
    expect(one).not.toBe(two)
    expect([three, four]).toEqual(['order-1', 'order-2'])
    await client.webhooks.delete('whk_1', { idempotencyKey: 'delete-1' })
    expect(server.seen.at(-1)?.headers['idempotency-key']).toBe('delete-1')
  })
})

describe('errors', () => {
  const proof = { code: 'POLICY_VIOLATION', message: 'No.', requestId: 'req_body', details: { guard: 'action' } }
  it.each<[string, Step, object]>([
    ['of the Proof API', { status: 422, body: { error: proof } }, { name: 'PolicyViolationError', ...proof }],
    [
      'of the platform API',
      { status: 404, body: { success: false, error: { code: 'CENTER_NOT_FOUND', message: 'None.' } } },
      { name: 'NotFoundError', code: 'CENTER_NOT_FOUND', message: 'None.', requestId: 'req_header', details: {} },
    ],
    ['of a proxy', { status: 403, body: '<html>' }, { name: 'PermissionError', code: 'HTTP_403', details: {} }],
  ])('%s', async (_, step, wanted) => {
    server.script(step)
    const error = await outcome(client.decisions.get('evt_1'))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: step.status, ...wanted })
  })

  it('of a success that is no JSON', async () => {
    server.script({ body: '<html>' })
    expect(await outcome(client.decisions.get('evt_1'))).toMatchObject({ name: 'UnreadableAnswerError' })
    expect(server.seen).toHaveLength(1)
  })

  it.each([
    ['an access token for the Proof API', () => new Countersign({ baseUrl: 'https://a.example', apiKey: 'eyJ' })],
    [
      'an API key for the platform API',
      () => new CountersignPlatform({ baseUrl: 'https://a.example', session: { accessToken: 'csk_live_x' } }),
    ],
    ['an address without a scheme', () => new Countersign({ baseUrl: 'a.example', apiKey: 'csk_test_x' })],
    ['an address with /api', () => new Countersign({ baseUrl: 'https://a.example/api', apiKey: 'csk_test_x' })],
    ['an empty path parameter', () => client.decisions.get('')],
    ['a path parameter of dots', () => client.decisions.get('..')],
  ])('of a program: %s', (_, wrong) => {
    expect(wrong).toThrow(TypeError)
  })
})
