import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { openOutbound } from '@countersign/server/lib/outbound-http.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  afterRequest,
  answer,
  type HostileServer,
  listen,
  listenForNames,
  makeCertificates,
  openCanary,
  type Zone,
} from './hostile-servers.ts'

const timeoutMs = 1500
const certificates = makeCertificates()
let changes = 0
const zone: Zone = (name) => {
  switch (name) {
    case 'steady.hooks.test':
    case 'steady.other.test':
      return { a: ['127.0.0.2'] }
    case 'rebinding.hooks.test':
      return { a: [changes++ === 0 ? '127.0.0.2' : '127.0.0.1'] }
    case 'rebinding-six.hooks.test':
      return { a: ['127.0.0.2'], aaaa: ['::1'] }
    case 'mixed.hooks.test':
      return { a: ['127.0.0.2', '127.0.0.1'] }
    case 'mapped.hooks.test':
      return { aaaa: ['::ffff:127.0.0.1'] }
    case 'nat64.hooks.test':
      return { aaaa: ['64:ff9b::7f00:1'] }
    case 'alias.hooks.test':
      return { cname: ['one.other.test', 'two.other.test', 'localhost'], a: ['127.0.0.1'], aaaa: ['::1'] }
    case '127.0.0.1.wildcard.test':
      return { a: ['127.0.0.1'] }
    case 'metadata.hooks.test':
      return { a: ['169.254.169.254'] }
    case 'first-refuses.hooks.test':
      return { a: ['127.0.0.3', '127.0.0.2'] }
    case 'empty.hooks.test':
      return {}
    case 'silent.hooks.test':
      return 'silence'
    default:
      return 'unknown'
  }
}

const greeted: string[] = []
let canary: Awaited<ReturnType<typeof openCanary>>
let names: Awaited<ReturnType<typeof listenForNames>>
let server: HostileServer
let outbound: ReturnType<typeof openOutbound>

beforeAll(async () => {
  canary = await openCanary()
  names = await listenForNames(zone)
  const reply = afterRequest((socket) => socket.write(answer('200 OK', 'hello', ['connection: close'])))
  const greet = (socket: Socket) => {
    greeted.push(String((socket as TLSSocket).servername))
    reply(socket)
  }
  // On the canary's port, so that a connection to one wrong address reaches the canary.
  server = await listen(greet, { port: canary.port, tls: certificates.good })
  outbound = openOutbound({
    allowedNetworks: ['127.0.0.2/31'],
    dnsServers: [names.server],
    connectionsPerOrigin: 2,
    timeoutMs,
    ca: certificates.ca,
  })
})
afterAll(async () => {
  await outbound.close()
  await server.close()
  await names.close()
  await canary.close()
})

const post = (name: string) => outbound.post(`https://${name}:${canary.port}/hook`, {}, '{}')
const asked = (name: string) => names.asked.filter((each) => each === name).length

describe('a name', () => {
  it('is looked up, and the certificate has to be for it', async () => {
    expect(await post('steady.hooks.test')).toMatchObject({ responseStatus: 200, excerpt: 'hello', error: null })
    expect(await post('steady.hooks.test.')).toMatchObject({ responseStatus: 200 })
    expect(greeted).toEqual(['steady.hooks.test', 'steady.hooks.test'])
    expect(await post('steady.other.test')).toMatchObject({
      responseStatus: null,
      error: 'tls',
      message: 'No secure connection: the certificate belongs to another name.',
    })
  })

  it('that first resolves to a public address and then to loopback is looked up once per connection, and then refused', async () => {
    expect(await post('rebinding.hooks.test')).toMatchObject({ responseStatus: 200, error: null })
    expect(asked('rebinding.hooks.test')).toBe(1)
    expect(await post('rebinding.hooks.test')).toMatchObject({ responseStatus: null, error: 'blocked_address' })
    expect(asked('rebinding.hooks.test')).toBe(2)
    expect(canary.connections()).toBe(0)
  })

  it.each([
    'mixed.hooks.test',
    'rebinding-six.hooks.test',
    'mapped.hooks.test',
    'nat64.hooks.test',
    'alias.hooks.test',
    '127.0.0.1.wildcard.test',
    'metadata.hooks.test',
  ])('%s is refused because of one bad address, and not even the good one is tried', async (name) => {
    const before = server.connections()
    expect(await post(name)).toMatchObject({ responseStatus: null, error: 'blocked_address', excerpt: '' })
    expect(asked(name)).toBe(1)
    expect(server.connections()).toBe(before)
    expect(canary.connections()).toBe(0)
  })

  it('with several addresses is reached at the second when the first refuses the connection', async () => {
    expect(await post('first-refuses.hooks.test')).toMatchObject({ responseStatus: 200, error: null })
  })

  it.each(['nowhere.hooks.test', 'empty.hooks.test'])('%s has no address', async (name) => {
    expect(await post(name)).toMatchObject({
      error: 'dns',
      responseStatus: null,
      message: `The name ${name} has no address in the DNS.`,
    })
  })

  it('whose name server never answers times out, and other names are looked up meanwhile', async () => {
    const silent = Promise.all(Array.from({ length: 20 }, () => post('silent.hooks.test')))
    const other = await post('steady.hooks.test')
    expect(other).toMatchObject({ responseStatus: 200 })
    expect(other.ms).toBeLessThan(timeoutMs / 2)
    for (const { error, ms } of await silent) {
      expect(error).toBe(ms < timeoutMs - 10 ? 'dns' : 'timeout')
      expect(ms).toBeLessThan(timeoutMs + 300)
    }
  })
})
