/** The client for an address that the operator configures: addresses, redirects, limits and deadlines. */
import { openService, type Service } from '@countersign/server/lib/outbound-http.ts'
import { afterEach, expect, it } from 'vitest'
import { afterRequest, answer } from '../../../../lib/test/hostile-servers.ts'
import { hostileStage } from '../../../../lib/test/hostile-stage.ts'

const { canary, certificates, serve } = hostileStage()
const opened: Service[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((service) => service.close()))
})

function post(url: string, signal = new AbortController().signal) {
  const service = openService(url, { timeoutMs: 500, maxBytes: 1000 })
  opened.push(service)
  return service.post({ 'content-type': 'application/json' }, '{}', signal)
}
const http = async (greet: Parameters<typeof serve>[0]) => (await serve(greet)).http

it('a private address without TLS is allowed, and its whole answer is returned', async () => {
  const body = 'ä'.repeat(500)
  const url = await http(afterRequest((socket) => socket.write(answer('200 OK', body, ['Retry-After: 7']))))
  const bytes = Buffer.from(body)
  expect(await post(url)).toEqual({ status: 200, retryAfter: '7', body, bytes, failure: null })
})

it.each([301, 307, 308])('%i is a status, and is not followed', async (status) => {
  const location = `location: http://127.0.0.1:${canary().port}/`
  const url = await http(afterRequest((socket) => socket.write(answer(`${status} Go`, '', [location]))))
  expect(await post(url)).toMatchObject({ status, failure: null })
  expect(canary().connections()).toBe(0)
})

it('an answer that is too long is a failure, with or without a content length', async () => {
  const long = await http(afterRequest((socket) => socket.write(answer('200 OK', 'x'.repeat(1001)))))
  const zipped = ['content-encoding: gzip']
  const packed = await http(afterRequest((socket) => socket.write(answer('200 OK', 'not gzip', zipped))))
  expect(await post(long)).toMatchObject({ status: null, body: '', failure: 'The answer is longer than 1000 bytes.' })
  expect(await post(packed)).toMatchObject({ status: 200, body: 'not gzip' })
})

it('headers or a body that do not end time out', async () => {
  const silent = await http(() => {})
  const dripping = await http(afterRequest((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab')))
  for (const url of [silent, dripping]) {
    expect(await post(url)).toMatchObject({ status: null, failure: 'No answer within 0.5 seconds.' })
  }
})

it('a response that is not HTTP or ends too early is a failure with its own message', async () => {
  const babble = await http(afterRequest((socket) => socket.end('SSH-2.0-hello\r\n')))
  const torn = await http(afterRequest((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab')))
  expect(await post(babble)).toMatchObject({ failure: 'The server did not answer with valid HTTP.' })
  expect(await post(torn)).toMatchObject({ failure: 'The server closed the connection without an answer.' })
})

it('a self-signed certificate ends the exchange before the request is sent', async () => {
  let heard = ''
  const { port } = await serve((socket) => socket.on('data', (data) => (heard += data)), {
    tls: certificates.selfSigned,
  })
  expect(await post(`https://127.0.0.2:${port}`)).toMatchObject({
    failure: 'No secure connection: the certificate is self-signed.',
  })
  expect(heard).toBe('')
})

it('an aborted request fails with the reason of its signal', async () => {
  const url = await http(() => {})
  await expect(post(url, AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled')
})
