import { setTimeout as sleep } from 'node:timers/promises'
import { PlatformError } from '@countersign/contract/errors.ts'
import { bodyAjv } from '@countersign/server/http/validation.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { exchange, openSocket, statusesIn } from './raw-socket.ts'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer()
  key = await server.world.key(await server.world.center())
})
afterAll(() => server.close())

/** Inserts the key late: the tables below are built before a key exists. */
const withKey = (bytes: string | Buffer): string | Buffer =>
  typeof bytes === 'string' ? bytes.replaceAll('Bearer KEY', `Bearer ${key}`) : bytes

const send = (bytes: string | Buffer, patienceMs?: number, silenceMs?: number) =>
  exchange(server.url, withKey(bytes), patienceMs, silenceMs)

const stillServes = async () => expect((await server.call('GET', '/health/ready')).status).toBe(200)

const head = (extra: readonly string[], method = 'POST', target = '/api/v1/decision-events', version = 'HTTP/1.1') =>
  [
    `${method} ${target} ${version}`,
    'Host: x',
    'Authorization: Bearer KEY',
    'Content-Type: application/json',
    ...extra,
    '',
    '',
  ].join('\r\n')

const event = '{"type":"custom","actor":{"id":"a","type":"human"},"action":{"type":"t"}}'
const smuggled = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
const count = async () => {
  const rows = await server.world.query<{ n: number }>('select count(*)::int as n from cell.decision_events')
  return rows[0]?.n
}

it('accepts the request that the following cases disguise', async () => {
  const before = await count()
  expect(statusesIn(await send(head([`Content-Length: ${event.length}`]) + event + smuggled))).toEqual([201, 200])
  expect(await count()).toBe(Number(before) + 1)
})

describe('a request with an ambiguous length is refused as a whole, so that it cannot smuggle a second one', () => {
  it.each([
    [
      'Content-Length and Transfer-Encoding',
      `${head([`Content-Length: ${event.length}`, 'Transfer-Encoding: chunked'])}${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'Transfer-Encoding and Content-Length',
      `${head(['Transfer-Encoding: chunked', 'Content-Length: 4'])}0\r\n\r\n${smuggled}`,
    ],
    [
      'two different Content-Lengths',
      head([`Content-Length: ${event.length}`, 'Content-Length: 0']) + event + smuggled,
    ],
    [
      'two equal Content-Lengths',
      head([`Content-Length: ${event.length}`, `Content-Length: ${event.length}`]) + event + smuggled,
    ],
    ['a list of lengths', head([`Content-Length: ${event.length}, ${event.length}`]) + event + smuggled],
    ['a negative length', head(['Content-Length: -1']) + event],
    ['a length with a sign', head([`Content-Length: +${event.length}`]) + event],
    ['a length in hexadecimal', head(['Content-Length: 0x10']) + event],
    ['a length above the integer range', head(['Content-Length: 99999999999999999999999']) + event],
    ['an encoding that is not the last', `${head(['Transfer-Encoding: chunked, identity'])}0\r\n\r\n${smuggled}`],
    ['an unknown encoding', `${head(['Transfer-Encoding: xchunked'])}0\r\n\r\n${smuggled}`],
    ['a disguised encoding', `${head(['Transfer-Encoding : chunked'])}0\r\n\r\n${smuggled}`],
    ['an encoding after a vertical tab', `${head(['Transfer-Encoding:\vchunked'])}0\r\n\r\n${smuggled}`],
    ['bare line feeds', head([`Content-Length: ${event.length}`]).replaceAll('\r\n', '\n') + event + smuggled],
    ['a bare carriage return', head([`X: a\rContent-Length: 0`, `Content-Length: ${event.length}`]) + event + smuggled],
    ['a folded header', head([`X: a\r\n Content-Length: 0`, `Content-Length: ${event.length}`]) + event + smuggled],
    [
      'a chunk size that is not a number',
      `${head(['Transfer-Encoding: chunked'])}zz\r\n${event}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'a chunk size above the integer range',
      `${head(['Transfer-Encoding: chunked'])}ffffffffffffffffff\r\n${event}\r\n0\r\n\r\n`,
    ],
    [
      'a chunk longer than its declared size',
      `${head(['Transfer-Encoding: chunked'])}1\r\n${event}\r\n0\r\n\r\n${smuggled}`,
    ],
  ])('%s', async (_, bytes) => {
    const before = await count()
    const received = await send(bytes)
    const seen = statusesIn(received)
    expect(seen.every((status) => status === 400)).toBe(true)
    expect(seen.length).toBeLessThanOrEqual(1)
    expect(received).not.toContain('"status":"ok"')
    expect(await count()).toBe(before)
    await stillServes()
  })
})

describe('an unparsable request gets the standard error body, and the connection closes', () => {
  const isPlatformError = bodyAjv.compile(PlatformError)
  it.each([
    ['a text that is not HTTP', 400, 'hello\r\n\r\n'],
    ['a TLS client hello', 400, Buffer.from('16030100a5010000a10303', 'hex')],
    ['HTTP/2 without negotiation', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 400, head([], 'BREW')],
    ['a method in lowercase', 400, head([], 'get')],
    ['an unknown version', 400, head([], 'GET', '/health/live', 'HTTP/9.9')],
    ['a space in the address', 400, head([], 'GET', '/health/ live')],
    ['NUL in the address', 400, head([], 'GET', '/health/\0live')],
    ['NUL in a header', 400, head(['X: a\0b'], 'GET')],
    ['a header without a name', 400, head([': x'], 'GET')],
    ['a header without a colon', 400, head(['X'], 'GET')],
    ['headers of 64 KiB', 431, head([`X: ${'y'.repeat(65_536)}`], 'GET')],
    ['an address of 64 KiB', 431, head([], 'GET', `/${'y'.repeat(65_536)}`)],
    [
      '5,000 headers',
      431,
      head(
        Array.from({ length: 5000 }, (_, i) => `X-${i}: y`),
        'GET',
      ),
    ],
  ])('%s', async (_, status, bytes) => {
    const received = await send(bytes)
    expect(statusesIn(received)).toEqual([status])
    const [top = '', body = ''] = received.split('\r\n\r\n')
    expect(isPlatformError(JSON.parse(body))).toBe(true)
    for (const header of [
      'x-request-id: req_',
      'x-ratelimit-limit: ',
      'x-ratelimit-remaining: ',
      'x-ratelimit-reset: ',
      'x-content-type-options: nosniff',
      'connection: close',
    ]) {
      expect(top.toLowerCase()).toContain(`\r\n${header}`)
    }
    await stillServes()
  })
})

describe('an unusual but valid request', () => {
  it.each([
    ['an absolute address', head([], 'GET', 'http://elsewhere.example/health/live'), [200]],
    ['an absolute address of the Proof API', head([], 'GET', 'http://elsewhere.example/api/v1/decision-events'), [200]],
    ['an address with a user', head([], 'GET', 'http://user:word@elsewhere.example/health/live'), [200]],
    ['an address of another scheme', head([], 'GET', 'gopher://elsewhere.example/health/live'), [400, 404]],
    ['an asterisk as address', head([], 'OPTIONS', '*'), [400, 404]],
    ['an address that does not decode', head([], 'GET', '/api/api-keys/%zz'), [400, 404]],
    ['a path traversal', head([], 'GET', '/docs/../../../../etc/passwd'), [404]],
    ['an escaped path traversal', head([], 'GET', '/docs/%2e%2e%2f%2e%2e%2fetc/passwd'), [404]],
    [
      'an upgrade that the server does not offer',
      head(['Connection: Upgrade', 'Upgrade: websocket'], 'GET', '/health/live'),
      [200],
    ],
    [
      'HTTP/2 by upgrade',
      head(
        ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
        'GET',
        '/health/live',
      ),
      [200],
    ],
    ['an unsupported expectation', head(['Expect: 200-ok'], 'GET', '/health/live'), [200, 417]],
    ['the method TRACE', head([], 'TRACE', '/health/live'), [405]],
    ['HTTP/1.0', 'GET /health/live HTTP/1.0\r\n\r\n', [200]],
    ['a method in a header', head(['X-HTTP-Method-Override: DELETE'], 'GET', '/health/live'), [200]],
    ['two hosts', head(['Host: y'], 'GET', '/health/live'), [200, 400]],
    ['no host', 'GET /health/live HTTP/1.1\r\n\r\n', [400]],
    ['two authorizations', head(['Authorization: Bearer x'], 'GET'), [200, 401]],
    [
      'a trailer',
      `${head(['Transfer-Encoding: chunked', 'Trailer: Authorization'])}2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
      [422],
    ],
  ])('%s', async (_, bytes, allowed) => {
    const [status, ...more] = statusesIn(await send(bytes))
    expect(allowed).toContain(status)
    expect(more).toEqual([])
    await stillServes()
  })

  it('refuses CONNECT', async () => {
    expect(statusesIn(await send(head([], 'CONNECT', '127.0.0.1:6379')))).not.toContain(200)
    await stillServes()
  })

  it('answers ten requests in one packet in their order', async () => {
    const paths = Array.from({ length: 10 }, (_, i) => (i % 2 ? '/health/live' : `/nothing-${i}`))
    const received = await send(paths.map((path) => head([], 'GET', path)).join(''), 5000, 1500)
    expect(statusesIn(received)).toEqual(paths.map((path) => (path === '/health/live' ? 200 : 404)))
  })
})

describe('stalled connections', () => {
  it('do not block other requests, with 200 silent or half-sent ones', async () => {
    const beginnings = [
      '',
      'P',
      'POST /api/v1/decision-events HTTP/1.1\r\nHost: x\r\n',
      head(['Content-Length: 1000']),
      `${head(['Content-Length: 1000'])}{"type"`,
      `${head(['Transfer-Encoding: chunked'])}5\r\nabc`,
    ]
    const sockets = Array.from({ length: 200 }, (_, i) => {
      const socket = openSocket(server.url)
      socket.write(withKey(beginnings[i % beginnings.length] as string))
      return socket
    })
    await sleep(300)
    for (let i = 0; i < 20; i++) await stillServes()
    // Half of the connections reset, half stop sending and wait.
    for (const [i, socket] of sockets.entries()) i % 2 ? socket.resetAndDestroy() : socket.end()
    await sleep(300)
    await stillServes()
    for (const socket of sockets) socket.destroy()
  })

  it('do not affect the server when they reset before the answer', async () => {
    for (let i = 0; i < 50; i++) {
      const socket = openSocket(server.url)
      socket.write(withKey(head([`Content-Length: ${event.length}`]) + event))
      await sleep(i % 5)
      socket.resetAndDestroy()
    }
    await stillServes()
  })
})

it('survives 1,000 connections with random bytes and mutated requests without a crash or an internal error', {
  timeout: 300_000,
}, async () => {
  const valid = [
    head([`Content-Length: ${event.length}`]) + event,
    head([], 'GET'),
    head([], 'GET', '/health/live'),
    `${head(['Transfer-Encoding: chunked'])}${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n`,
  ].map((text) => Buffer.from(withKey(text)))
  const mutated = fc
    .tuple(
      fc.constantFrom(...valid),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom('set', 'insert', 'cut')), {
        minLength: 1,
        maxLength: 6,
      }),
    )
    .map(([bytes, changes]) => {
      let result = Buffer.from(bytes)
      for (const [place, byte, kind] of changes) {
        const at = place % (result.length + 1)
        const middle = kind === 'cut' ? [] : [byte]
        result = Buffer.concat([
          result.subarray(0, at),
          Buffer.from(middle),
          result.subarray(kind === 'insert' ? at : at + 1),
        ])
      }
      return result
    })
  const noise = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: mutated }, noise), { minLength: 20, maxLength: 20 }),
      async (many) => {
        const answers = await Promise.all(many.map((bytes) => send(bytes, 150)))
        for (const received of answers) {
          for (const status of statusesIn(received)) expect(status < 500 || status === 503).toBe(true)
        }
      },
    ),
    { numRuns: 50, endOnFailure: true },
  )
  await stillServes()
  expect(server.logs.filter((line) => Number(JSON.parse(line).level) >= 50)).toEqual([])
})
