import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { afterRequest, answer } from './hostile-servers.ts'
import { hostileStage } from './hostile-stage.ts'

const { canary, open, serve } = hostileStage()
const body = '{"type":"ping"}'
const outbound = open()
const post = async (greet: (socket: Socket) => void) => outbound.post((await serve(greet)).http, {}, body)

describe('an answer', () => {
  it.each([301, 302, 303, 307, 308])('%i is a status, and is not followed', async (status) => {
    for (const target of [`http://127.0.0.1:${canary().port}/`, 'http://169.254.169.254/latest/meta-data/']) {
      const greet = afterRequest((socket) => socket.write(answer(`${status} Go`, '', [`location: ${target}`])))
      expect(await post(greet)).toMatchObject({ responseStatus: status, error: null })
    }
    expect(canary().connections()).toBe(0)
  })

  it('is returned with Retry-After and the start of its body, in characters that can be stored', async () => {
    const text = Buffer.concat([Buffer.from([0, 0xff, 0x41]), Buffer.from('ä'.repeat(600))])
    const greet = afterRequest((socket) =>
      socket.write(answer('429 Slow', text, ['Retry-After: 90', 'Retry-After: 7'])),
    )
    const exchange = await post(greet)
    expect(exchange).toMatchObject({ responseStatus: 429, retryAfter: '90', error: null, message: null })
    expect(exchange.excerpt).toBe(`\ufffd\ufffdA${'ä'.repeat(510)}`)
    const hinted = afterRequest((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nretry-after: 1\r\n\r\n')
      socket.write(answer('204 No Content'))
    })
    expect(await post(hinted)).toMatchObject({ responseStatus: 204, retryAfter: null, excerpt: '', error: null })
  })

  it('is for a request with exactly the given bytes and headers', async () => {
    let request = ''
    const server = await serve((socket) => {
      socket.on('data', (data) => {
        request += data.toString('utf8')
        if (request.endsWith('ü"}')) socket.write(answer('200 OK'))
      })
    })
    const headers = { 'content-type': 'application/json', 'x-service-event-id': 'msg_1' }
    await outbound.post(`${server.http}/a/b?c=%20d`, headers, Buffer.from('{"x":"ü"}'))
    const [head = '', sent] = request.split('\r\n\r\n')
    expect(head.split('\r\n').sort()).toEqual(
      [
        'POST /a/b?c=%20d HTTP/1.1',
        'connection: keep-alive',
        'content-length: 10',
        'content-type: application/json',
        `host: 127.0.0.2:${server.port}`,
        'x-service-event-id: msg_1',
      ].sort(),
    )
    expect(sent).toBe('{"x":"ü"}')
  })
})

describe('connections', () => {
  const hello = afterRequest((socket) => socket.write(answer('200 OK', 'x'.repeat(5000))))

  it('are reused: a hundred posts need as many as are under way at once', async () => {
    for (const slots of [1, 4]) {
      const server = await serve(hello)
      const sender = open({ connectionsPerOrigin: slots })
      let left = 100
      const lane = async () => {
        while (left-- > 0) expect(await sender.post(server.http, {}, body)).toMatchObject({ responseStatus: 200 })
      }
      await Promise.all(Array.from({ length: slots }, lane))
      expect(server.connections()).toBe(slots)
    }
  })

  it('never exceed the limit, however many posts arrive at once', async () => {
    const server = await serve(hello)
    const exchanges = await Promise.all(Array.from({ length: 100 }, () => outbound.post(server.http, {}, body)))
    expect(new Set(exchanges.map(({ responseStatus }) => responseStatus))).toEqual(new Set([200]))
    expect(server.connections()).toBe(4)
  })

  it('that were aborted are replaced, and the next post succeeds', async () => {
    let seen = 0
    const server = await serve(afterRequest((socket) => void (seen++ > 3 && socket.write(answer('200 OK')))))
    const sender = open({ timeoutMs: 300 })
    const first = await Promise.all(Array.from({ length: 4 }, () => sender.post(server.http, {}, body)))
    expect(first.map(({ error }) => error)).toEqual(Array(4).fill('timeout'))
    expect(await sender.post(server.http, {}, body)).toMatchObject({ responseStatus: 200, error: null })
  })
})
