/** What `/mcp` refuses: callers, addresses, bodies, and what a key may not do. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { overHttp } from '../../../../../../tests/support/mcp.ts'
import type { ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { done, failure, openCenter, refund } from './fixture.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer({
    env: { CORS_ORIGINS: 'https://inspector.example', MCP_HOSTS: 'countersign.internal', RATE_LIMIT_PROOF: '200/600' },
  })
  fixture = await openCenter(server)
}, 600_000)
afterAll(() => server.close())

interface Raw {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '0' } },
}

/** Not fetch, which sets Host itself. */
function send(
  headers: Record<string, string>,
  body: string = JSON.stringify(initialize),
  method = 'POST',
): Promise<Raw> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: '/mcp', method, headers: { ...usual, ...headers } }, (response) => {
      let text = ''
      response.on('data', (data) => {
        text += data
      })
      response.on('end', () => resolve({ status: response.statusCode as number, text, headers: response.headers }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const withKey = (key = fixture.key) => ({ authorization: `Bearer ${key}` })

describe('callers', () => {
  it.each([
    ['no credential', async () => ({})],
    ['a key that does not exist', async () => withKey('csk_test_unknown')],
    ['an expired key', async () => withKey(await server.world.key(fixture.center, { expiresAt: new Date(0) }))],
    ['a revoked key', async () => withKey(await server.world.key(fixture.center, { revoked: true }))],
    ['an access token of a person', async () => ({ authorization: `Bearer ${fixture.token}` })],
    ['the session cookie', async () => ({ cookie: `auth_token=${fixture.token}` })],
  ])('with %s get 401, and no place to get a token from', async (_, headers) => {
    const answer = await send(await headers())
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server']) {
      expect((await server.call('GET', path)).status).toBe(404)
    }
  })

  it('with a key that may not read get 403', async () => {
    const key = await server.world.key(fixture.center, { scopes: ['events:write'] })
    expect((await send(withKey(key))).status).toBe(403)
  })

  it('with a key that may only read can look and neither record, ask nor act', async () => {
    const { eventId } = (await fixture.decide(refund())).body.data
    const key = await server.world.key(fixture.center, { scopes: ['proof:read'] })
    const client = await overHttp(server.url, key, { era: '2026-07-28' })
    expect(await done(client, 'get_decision', { eventId })).toMatchObject({ id: eventId })
    expect((await done(client, 'list_waiting')).pagination.total).toBeGreaterThan(0)
    const { action } = refund()
    const acts: [string, object][] = [
      ['record_decision', { type: 'agent_execution', actor: { id: 'a', type: 'ai_agent' }, action }],
      ['request_approval', refund()],
      ['consume_approval', { eventId, action: { type: action.type, input: action.input } }],
      ['report_outcome', { eventId, executor: 'e', status: 'unknown' }],
    ]
    for (const [name, args] of acts) {
      expect(await failure(client, name, args)).toMatch(
        /^FORBIDDEN: .*proof:write.* tell the user what permission is missing\./,
      )
    }
    await client.close()
  })

  it('of another center see and act on nothing', async () => {
    const { eventId } = (await fixture.decide(refund())).body.data
    const other = await openCenter(server)
    const client = await overHttp(server.url, other.key, { era: '2026-07-28' })
    const action = { type: 'refund.issue', input: refund().action.input }
    const acts: [string, object][] = [
      ['get_decision', { eventId }],
      ['wait_for_approval', { eventId }],
      ['consume_approval', { eventId, action }],
      ['report_outcome', { eventId, executor: 'e', status: 'unknown' }],
    ]
    for (const [name, args] of acts) expect(await failure(client, name, args)).toMatch(/^NOT_FOUND: /)
    expect((await done(client, 'list_waiting')).pagination.total).toBe(0)
    await client.close()
  })

  it('that record as another actor than their key is bound to are told so', async () => {
    const key = await server.world.key(fixture.center, { boundTo: { id: 'agent-1', type: 'ai_agent' } })
    const client = await overHttp(server.url, key, { era: '2026-07-28' })
    expect(await failure(client, 'request_approval', refund())).toMatch(
      /^FORBIDDEN: This key can only record decisions by "agent-1"/,
    )
    await client.close()
  })
})

describe('addresses', () => {
  it.each([
    [200, 'its own address', {}],
    [200, 'the public name', { host: 'countersign.test' }],
    [200, 'a name that the operator allows', { host: 'countersign.internal:8443' }],
    [403, 'the name of a page that has taken over the address', { host: 'evil.example' }],
    [403, 'a name that only begins like ours', { host: 'countersign.test.evil.example' }],
    [403, 'a name that is none', { host: 'a b' }],
    [200, 'our own origin', { origin: 'http://countersign.test' }],
    [200, 'an origin that the operator allows', { origin: 'https://inspector.example' }],
    [403, 'another origin', { origin: 'https://evil.example' }],
    [403, 'our name with another scheme', { origin: 'https://countersign.test' }],
    [403, 'an opaque origin', { origin: 'null' }],
    [
      403,
      'a foreign host that a client claims was forwarded',
      { host: 'evil.example', 'x-forwarded-host': 'countersign.test' },
    ],
  ])('%i for %s', async (status, _, headers) => {
    const answer = await send({ ...withKey(), ...(headers as Record<string, string>) })
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
  })
})

describe('bodies', () => {
  const message = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"record_decision","arguments":${args}}}`
  const event = (input: string) =>
    message(`{"type":"agent_execution","actor":{"id":"a","type":"ai_agent"},"action":{"type":"t","input":${input}}}`)

  it.each([
    [400, 'no JSON', '{'],
    [400, 'a number that a double cannot hold', event('{"n":12345678901234567891}')],
    [400, 'a member twice', event('{"a":1,"a":2}')],
    [400, 'too deep', event(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
    [400, 'more values than a body of the API may have', event(`{"a":[${'1,'.repeat(20_000)}1]}`)],
    [413, 'more than 1 MiB', event(`{"a":"${'x'.repeat(1024 * 1024)}"}`)],
    [400, 'seventeen messages', JSON.stringify(Array.from({ length: 17 }, (_, id) => ({ ...initialize, id })))],
    [400, 'no message', '{"hello":1}'],
    [400, 'a text', '"initialize"'],
    [400, 'null', 'null'],
  ])('%i for %s', async (status, _, body) => {
    const answer = await send(withKey(), body)
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)])
  })

  it('of another type, and other methods, are refused', async () => {
    expect((await send({ ...withKey(), 'content-type': 'text/plain' })).status).toBe(400)
    expect((await send(withKey(), '', 'GET')).status).toBe(405)
    expect((await send(withKey(), '', 'DELETE')).status).toBe(405)
    expect((await send(withKey(), '', 'PUT')).status).toBe(405)
  })

  it('cannot open a stream that stays open', async () => {
    const listen = {
      ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 't', version: '0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }
    const headers = { ...withKey(), 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
    expect((await send(headers, JSON.stringify(listen))).text).toContain('Subscription limit reached')
  })
})

describe('limits', () => {
  it('are those of the key on the Proof API: a tool counts as its request and as what it calls', async () => {
    const key = await server.world.key(fixture.center, { rateLimit: 6 })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const remaining = async (body: object) => {
      const { status, headers } = await send(withKey(key), JSON.stringify(body))
      return [status, Number(headers['x-ratelimit-remaining'])]
    }
    expect(await remaining(list)).toEqual([200, 5])
    expect(
      (await server.call('GET', '/api/v1/decision-events', { token: key })).headers.get('x-ratelimit-remaining'),
    ).toBe('4')
    const waiting = { ...list, method: 'tools/call', params: { name: 'list_waiting', arguments: {} } }
    expect(await remaining(waiting)).toEqual([200, 3])
    expect(await remaining(list)).toEqual([200, 1])
    const { status, text } = await send(withKey(key), JSON.stringify(waiting))
    expect([status, text]).toEqual([200, expect.stringMatching(/RATE_LIMIT: .*Try again in \d+ seconds\./)])
    const refused = await send(withKey(key))
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)])
  })
})

describe('closing', () => {
  it('answers a call that waits for a person, and does not wait for the person', async () => {
    const own = await startServer({ beside: server })
    const { eventId } = (await fixture.decide(refund())).body.data
    const client = await overHttp(own.url, fixture.key, { era: '2026-07-28' })
    let told = () => {}
    const begun = new Promise<void>((resolve) => {
      told = resolve
    })
    const waiting = client.callTool(
      { name: 'wait_for_approval', arguments: { eventId, withinSeconds: 50 } },
      { onprogress: () => told() },
    )
    await begun
    await own.close()
    expect((await waiting).structuredContent).toMatchObject({ status: 'pending', eventId })
  })
})

it('the API key is in no log line', async () => {
  const client = await overHttp(server.url, fixture.key, { era: '2025-11-25' })
  await failure(client, 'get_decision', { eventId: 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c' })
  await client.close()
  expect(server.logs.join('')).not.toContain(fixture.key)
})
