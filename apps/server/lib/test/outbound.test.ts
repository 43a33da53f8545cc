import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Exchange, openOutbound } from '@countersign/server/lib/outbound-http.ts'
import { describe, expect, it } from 'vitest'
import { afterRequest, answer, type HostileServer, listen, pour } from './hostile-servers.ts'
import { hostileStage } from './hostile-stage.ts'

const MB = 1024 * 1024
const { certificates, open, serve } = hostileStage()
const body = '{"type":"ping"}'
const outbound = open()
const postTo = async (greet: (socket: Socket) => void): Promise<Exchange & { left: number }> => {
  const server = await serve(greet)
  const exchange = await outbound.post(server.http, {}, body)
  return { ...exchange, left: await server.openAfter(300) }
}
/** Reads, because a socket that does not read does not notice that the other side has closed. */
const hold = (socket: Socket) => void socket.resume()
const drip = (text: string) => (socket: Socket) => {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 50)
  socket.on('close', () => clearInterval(timer))
}

describe('the deadline of five seconds', () => {
  it('ends an exchange that stalls in any phase, and leaves no socket open', async () => {
    const patient = open({ timeoutMs: 5000 })
    const stalls: Record<string, (socket: Socket) => void> = {
      'says nothing': hold,
      'drips headers': afterRequest((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        drip('x-slow: yes\r\n')(socket)
      }),
      'drips early hints': afterRequest(drip('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
    }
    const results = Object.entries(stalls).map(async ([name, greet]) => {
      const server = await serve(greet)
      return { name, server, exchange: await patient.post(server.http, {}, body) }
    })
    const tlsStall = serve(hold).then(async (server) => {
      const exchange = await patient.post(server.http.replace('http', 'https'), {}, body)
      return { name: 'stalls in TLS', server, exchange }
    })
    for (const { name, server, exchange } of await Promise.all([...results, tlsStall])) {
      expect({ name, ...exchange }).toMatchObject({
        name,
        responseStatus: null,
        error: 'timeout',
        message: 'No answer within 5 seconds.',
      })
      expect(exchange.ms).toBeGreaterThan(4950)
      expect(exchange.ms).toBeLessThan(5300)
      expect(await server.openAfter(300)).toBe(0)
    }
  })

  it('applies to queued posts too, and no connection is opened for a post that timed out', async () => {
    const narrow = open({ connectionsPerOrigin: 2 })
    const server = await serve(hold)
    const exchanges = await Promise.all(Array.from({ length: 30 }, () => narrow.post(server.http, {}, body)))
    for (const { error, ms } of exchanges) {
      expect(error).toBe('timeout')
      expect(ms).toBeLessThan(1300)
    }
    expect(await server.openAfter(300)).toBe(0)
    expect(server.connections()).toBeLessThanOrEqual(4)
  })
})

describe('the status counts once the headers have arrived, when the body', () => {
  it('never ends', async () => {
    const exchange = await postTo(
      afterRequest((socket) => {
        socket.write('HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n')
        drip('1\r\na\r\n')(socket)
      }),
    )
    expect(exchange).toMatchObject({ responseStatus: 202, error: null, message: null, left: 0 })
    expect(exchange.excerpt).toMatch(/^a+$/)
    expect(exchange.ms).toBeLessThan(1300)
  })

  it('is a gigabyte: 64 KiB are read and memory stays flat', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'b')
    const greet = afterRequest((socket) => {
      socket.write(`HTTP/1.1 500 No\r\ncontent-length: ${1024 * MB}\r\n\r\n`)
      pour(socket, chunk, 1024 * MB)
    })
    await postTo(greet)
    const before = process.memoryUsage().rss
    for (let round = 0; round < 20; round++) {
      const exchange = await postTo(greet)
      expect(exchange).toMatchObject({ responseStatus: 500, error: null, left: 0, excerpt: 'b'.repeat(1024) })
      expect(exchange.ms).toBeLessThan(900)
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * MB)
  })

  it('is cut off, or is not a valid chunk', async () => {
    const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    const reset = afterRequest((socket) => socket.write(`${chunked}3\r\nabc\r\n`, () => socket.destroy()))
    expect(await postTo(reset)).toMatchObject({ responseStatus: 200, error: null, excerpt: 'abc', left: 0 })
    const nonsense = afterRequest((socket) => socket.write(`${chunked}3\r\nabc\r\nnonsense\r\n`))
    expect(await postTo(nonsense)).toMatchObject({ responseStatus: 200, error: null, left: 0 })
  })

  it('is a gzip bomb, which is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MB))
    const before = process.memoryUsage().rss
    const exchange = await postTo(
      afterRequest((socket) => socket.write(answer('200 OK', bomb, ['content-encoding: gzip']))),
    )
    expect(exchange).toMatchObject({ responseStatus: 200, error: null })
    expect(exchange.excerpt.slice(0, 2)).toBe('\u001f\ufffd')
    expect(exchange.excerpt.length).toBeLessThanOrEqual(1024)
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * MB)
  })
})

describe('a failure has a class and a message', () => {
  const closed = async (socket: Socket) => socket.destroy()
  it.each<[string, Exchange['error'], (socket: Socket) => void]>([
    ['resets the connection', 'reset', afterRequest((socket) => socket.resetAndDestroy())],
    ['closes without an answer', 'reset', afterRequest((socket) => socket.end())],
    ['closes at once', 'reset', closed],
    ['breaks off in the headers', 'reset', afterRequest((socket) => socket.end('HTTP/1.1 200 OK\r\nx: '))],
    ['speaks something else', 'bad_response', afterRequest((socket) => socket.write('220 smtp.example.com ESMTP\r\n'))],
    ['sends binary', 'bad_response', afterRequest((socket) => socket.write(Buffer.alloc(4096, 0xfe)))],
    [
      'sends endless headers',
      'bad_response',
      afterRequest((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        pour(socket, Buffer.from(`x-long: ${'a'.repeat(1000)}\r\n`))
      }),
    ],
    [
      'wants another protocol',
      'bad_response',
      afterRequest((socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
      ),
    ],
  ])('a server that %s: %s', async (_, error, greet) => {
    const exchange = await postTo(greet)
    expect(exchange).toMatchObject({ responseStatus: null, error, excerpt: '', left: 0 })
    expect(exchange.message).toMatch(/^[A-Z].*\.$/)
    expect(exchange.ms).toBeLessThan(900)
  })

  it('a port without a listener: connect', async () => {
    const server = await listen(() => {})
    await server.close()
    expect(await outbound.post(server.http, {}, body)).toMatchObject({ error: 'connect', responseStatus: null })
  })

  it('TLS: only a certificate of a known authority is accepted', async () => {
    const hello = afterRequest((socket) => socket.write(answer('200 OK', 'hello')))
    const good = await serve(hello, { tls: certificates.good })
    const selfSigned = await serve(hello, { tls: certificates.selfSigned })
    const plain = await serve((socket) => socket.once('data', () => socket.write(answer('400 Bad Request'))))
    const hangsUp = await serve((socket) => socket.once('data', () => socket.destroy()))
    const secure = ({ port }: HostileServer, by = outbound) => by.post(`https://127.0.0.2:${port}/`, {}, body)
    expect(await secure(good)).toMatchObject({ responseStatus: 200, excerpt: 'hello', error: null })
    expect(await secure(selfSigned)).toMatchObject({ error: 'tls', message: expect.stringContaining('self-signed') })
    const ordinary = openOutbound({ allowedNetworks: ['127.0.0.2/32'], dnsServers: [], connectionsPerOrigin: 1 })
    expect(await secure(good, ordinary)).toMatchObject({ error: 'tls', responseStatus: null })
    await ordinary.close()
    expect(await secure(plain)).toMatchObject({ error: 'tls' })
    expect(await secure(hangsUp)).toMatchObject({ error: 'tls' })
    let raw: Socket | undefined
    const resets = await serve(
      afterRequest(() => raw?.resetAndDestroy()),
      {
        tls: certificates.good,
        below: (socket) => {
          raw = socket
        },
      },
    )
    expect(await secure(resets)).toMatchObject({ error: 'reset', responseStatus: null })
    for (const server of [selfSigned, plain, hangsUp, resets]) expect(await server.openAfter(300)).toBe(0)
  })

  it('an invalid header and a post after closing are answered and not thrown', async () => {
    const server = await serve(() => {})
    expect(await outbound.post(server.http, { 'x-bad': 'a\r\nb: c' }, body)).toMatchObject({ error: 'connect' })
    const gone = open()
    await gone.close()
    expect(await gone.post(server.http, {}, body)).toMatchObject({ error: 'connect', responseStatus: null })
    expect(server.connections()).toBe(0)
  })
})
