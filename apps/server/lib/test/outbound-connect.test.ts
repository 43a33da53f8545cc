/** The check at the socket, tested alone: `post` refuses bad literals before it connects. */
import { addressGuard } from '@countersign/server/lib/address-guard.ts'
import { guardedConnect } from '@countersign/server/lib/guarded-connect.ts'
import { openResolver } from '@countersign/server/lib/resolver.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, openCanary } from './hostile-servers.ts'

const resolver = openResolver({ servers: ['127.0.0.1:1'], timeoutMs: 1000 })
const never = new AbortController().signal
let canary: Awaited<ReturnType<typeof openCanary>>

beforeAll(async () => {
  canary = await openCanary()
})
afterAll(async () => {
  resolver.close()
  await canary.close()
})

const options = (allows: (ip: string) => boolean) => ({
  guard: { ...addressGuard([]), allows },
  resolver,
  ca: undefined,
  timeoutMs: 1000,
})

it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0.0.0.0', '::'])(
  'the literal %s is refused before a socket is opened',
  async (hostname) => {
    for (const protocol of ['http:', 'https:']) {
      const destination = { protocol, hostname, port: canary.port }
      const attempt = guardedConnect(destination, options(addressGuard([]).allows), never)
      await expect(attempt).rejects.toMatchObject({ kind: 'blocked_address' })
    }
    expect(canary.connections()).toBe(0)
  },
)

it('the address of the peer is checked again, and nothing is sent to one that is not allowed', async () => {
  let received = 0
  const server = await listen((socket) => socket.on('data', (data) => (received += data.length)))
  const asked: string[] = []
  const onlyFirst = (ip: string) => asked.push(ip) === 1
  for (const protocol of ['http:', 'https:']) {
    asked.length = 0
    const destination = { protocol, hostname: '127.0.0.2', port: server.port }
    await expect(guardedConnect(destination, options(onlyFirst), never)).rejects.toMatchObject({
      kind: 'blocked_address',
    })
    expect(asked).toEqual(['127.0.0.2', '127.0.0.2'])
  }
  expect(await server.openAfter(300)).toBe(0)
  expect(server.connections()).toBe(2)
  expect(received).toBe(0)
  await server.close()
})

it('an aborted attempt ends at once and leaves no socket open', async () => {
  const server = await listen((socket) => void socket.resume())
  const stop = new AbortController()
  const destination = { protocol: 'https:', hostname: '127.0.0.2', port: server.port }
  const attempt = guardedConnect(destination, options(addressGuard(['127.0.0.2/32']).allows), stop.signal)
  await expect.poll(() => server.connections()).toBe(1)
  stop.abort(new Error('called off'))
  await expect(attempt).rejects.toThrow('called off')
  expect(await server.openAfter(300)).toBe(0)
  await server.close()
})
