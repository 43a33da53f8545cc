/** Bounds, deadlines and hostile servers, without a broker. tests/crash/destinations.test.ts has the real ones. */
import type { Socket } from 'node:net'
import { type BrokerOptions, type Brokers, openBrokers } from '@countersign/server/lib/brokers/pool.ts'
import {
  type HostileServer,
  hostileAddress,
  listen,
  openCanary,
  pour,
} from '@countersign/server/lib/test/hostile-servers.ts'
import { afterEach, describe, expect, it } from 'vitest'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

function open(options: Partial<BrokerOptions> = {}): Brokers {
  const brokers = openBrokers({ allowedNetworks: ['127.0.0.2/32'], dnsServers: [], timeoutMs: 500, ...options })
  opened.push(brokers)
  return brokers
}

async function serve(greet: (socket: Socket) => void): Promise<HostileServer> {
  // A socket that is not read does not notice its end.
  const server = await listen((socket) => greet(socket.resume()))
  opened.push(server)
  return server
}

let messages = 0
const send = (
  brokers: Brokers,
  port: number,
  { centerId = 1, webhookId = 'whk_1', type = 'nats' as const, host = hostileAddress } = {},
) =>
  brokers.publish(
    { centerId, webhookId, type, url: `nats://${host}:${port}`, userinfo: null },
    {
      id: `e-${++messages}`,
      deliveryId: `d-${messages}`,
      headers: {},
      body: Buffer.from('{}'),
      route: { subject: 's' },
    },
  )

/** A server that speaks enough of NATS to acknowledge, each message after this long. */
const acknowledging = (afterMs = 0) =>
  serve((socket) => {
    socket.write('INFO {"max_payload":1048576,"headers":true,"proto":1}\r\n')
    socket.on('data', (data) => {
      const text = data.toString('latin1')
      if (text.includes('PING')) socket.write('PONG\r\n')
      for (const [, reply = ''] of text.matchAll(/^HPUB \S+ (\S+) \d+ \d+/gm)) {
        const ack = '{"stream":"S","seq":1}'
        setTimeout(() => socket.write(`MSG ${reply} 1 ${ack.length}\r\n${ack}\r\n`), afterMs)
      }
    })
  })

describe('bounds', () => {
  it('one connection for all messages of a webhook, closed when idle', async () => {
    const server = await acknowledging()
    const brokers = open({ idleMs: 100 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(brokers, server.port)))
    expect(answers.map(({ error }) => error)).toEqual(Array(20).fill(null))
    expect(answers[0]).toMatchObject({ responseStatus: null, excerpt: '{"stream":"S","seq":1}' })
    expect(server.connections()).toBe(1)
    expect(await server.openAfter(1000)).toBe(0)
  })

  it('an idle connection gives way, of this center at the bound of the center', async () => {
    const server = await acknowledging()
    const brokers = open({ mostPerCenter: 2, mostConnections: 3 })
    for (const webhookId of ['a', 'b', 'c', 'd'])
      expect((await send(brokers, server.port, { webhookId })).error).toBeNull()
    expect(server.connections()).toBe(4)
    await send(brokers, server.port, { webhookId: 'd' })
    expect(server.connections()).toBe(4)
    for (const centerId of [2, 3, 4]) {
      expect((await send(brokers, server.port, { centerId, webhookId: `of-${centerId}` })).error).toBeNull()
    }
    expect(server.connections()).toBe(7)
  })

  it('more than the bound of the center wait for their turn, and those of another center do not', async () => {
    const server = await acknowledging(100)
    const brokers = open({ mostPerCenter: 1 })
    const startedAt = performance.now()
    const own = Promise.all(['a', 'b', 'c'].map((webhookId) => send(brokers, server.port, { webhookId })))
    const other = send(brokers, server.port, { centerId: 2, webhookId: 'z' }).then(() => performance.now() - startedAt)
    expect((await own).map(({ error }) => error)).toEqual([null, null, null])
    const took = performance.now() - startedAt
    expect(took).toBeGreaterThan(300)
    expect(await other).toBeLessThan(took - 100)
  })
})

describe('servers that misbehave', () => {
  it('a private address', async () => {
    const canary = await openCanary()
    opened.push(canary)
    const answer = await send(open(), canary.port, { host: '127.0.0.1' })
    expect(answer.error).toBe('blocked_address')
    expect(canary.connections()).toBe(0)
  })

  it.each([
    ['says nothing', () => {}, 'timeout'],
    ['closes', (socket: Socket) => socket.destroy(), 'reset'],
    ['speaks HTTP', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'bad_response'],
    ['pours a line without end', (socket: Socket) => pour(socket, Buffer.alloc(65_536, 'x')), 'bad_response'],
    [
      'pours messages without end',
      (socket: Socket) => {
        socket.write('INFO {"max_payload":1048576,"headers":true,"proto":1}\r\n')
        socket.once('data', () => {
          socket.write('PONG\r\n')
          pour(socket, Buffer.from(`MSG x 1 60000\r\n${'x'.repeat(60_000)}\r\n`))
        })
      },
      'bad_response',
    ],
    ['offers no TLS where the URL asks for it', null, 'tls'],
    [
      'refuses the login',
      (socket: Socket) => {
        socket.write('INFO {"max_payload":1048576,"headers":true,"proto":1}\r\n')
        socket.once('data', () => socket.end("-ERR 'Authorization Violation'\r\n"))
      },
      'credentials',
    ],
  ] as const)('%s', async (_, greet, error) => {
    const server = greet ? await serve(greet) : await acknowledging()
    const brokers = open()
    const startedAt = performance.now()
    const target = { centerId: 1, webhookId: 'whk_1', type: 'nats' as const, userinfo: null }
    const url = `${greet ? 'nats' : 'tls'}://${hostileAddress}:${server.port}`
    const message = { id: 'e', deliveryId: 'd', headers: {}, body: Buffer.from('{}'), route: { subject: 's' } }
    const answer = await brokers.publish({ ...target, url }, message)
    expect(answer.error).toBe(error)
    expect(performance.now() - startedAt).toBeLessThan(900)
    expect(await server.openAfter(1000)).toBe(0)
  })

  it.each([
    ['says nothing', () => {}, 'timeout'],
    ['closes', (socket: Socket) => socket.destroy(), 'reset'],
    ['speaks HTTP', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'bad_response'],
    [
      'announces a frame of 4 GiB',
      (socket: Socket) => {
        socket.write(Buffer.from([1, 0, 0, 0xff, 0xff, 0xff, 0xff]))
        pour(socket, Buffer.alloc(65_536))
      },
      'bad_response',
    ],
  ] as const)('in place of RabbitMQ: %s', async (_, greet, error) => {
    const server = await serve(greet)
    const answer = await open().publish(
      {
        centerId: 1,
        webhookId: 'whk_1',
        type: 'rabbitmq',
        url: `amqp://${hostileAddress}:${server.port}`,
        userinfo: null,
      },
      { id: 'e', deliveryId: 'd', headers: {}, body: Buffer.from('{}'), route: { exchange: 'x', routingKey: '' } },
    )
    expect(answer.error).toBe(error)
    expect(await server.openAfter(2000)).toBe(0)
  })
})
