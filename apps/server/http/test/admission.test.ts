import { channel } from 'node:diagnostics_channel'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { beginSlowly, type SlowRequest } from './slow-sender.ts'

const path = '/api/v1/decision-events'
const most = 8
let server: TestServer
let url: string

beforeAll(async () => {
  server = await startServer({
    env: { MAX_IN_FLIGHT_PER_CENTER: String(most), MAX_BODY_BYTES_PER_CENTER: '300000', MAX_BODY_BYTES: '2000000' },
  })
  url = server.url + path
  // The first request opens connections, which takes long on a busy machine.
  await send(await newKey(), sampleEvent())
})
afterAll(() => server.close())

/** An event of about `kilobytes`. */
const large = (kilobytes: number) =>
  sampleEvent({
    action: { type: 'import', description: 'Import', input: { lines: Array(kilobytes).fill('x'.repeat(1000)) } },
  })

const newKey = async () => server.world.key(await server.world.center())
const send = (token: string, body: unknown) => server.call('POST', path, { token, body })

/** The status, or null while there is none. */
function watched(sending: Promise<{ status: number }>): { status: number | null } {
  const seen: { status: number | null } = { status: null }
  void sending.then(({ status }) => {
    seen.status = status
  })
  return seen
}

describe('bytes of bodies in progress', () => {
  it('beyond the bound of a center wait unread, and delay neither its small bodies nor other centers', async () => {
    const [own, other] = await Promise.all([newKey(), newKey()])
    const slow = await Promise.all([beginSlowly(url, own, large(140)), beginSlowly(url, own, large(140))])
    await sleep(100)
    const third = send(own, large(140))
    const seen = watched(third)
    expect((await send(own, sampleEvent())).status).toBe(201)
    expect((await send(other, large(140))).status).toBe(201)
    expect((await send(other, large(140))).status).toBe(201)
    expect(seen.status).toBeNull()
    expect((await slow[0]?.finish())?.status).toBe(201)
    expect((await third).status).toBe(201)
    expect((await slow[1]?.finish())?.status).toBe(201)
  })

  it('that have waited too long are refused with 429 and Retry-After, and the connection is closed', async () => {
    const own = await newKey()
    const slow = await beginSlowly(url, own, large(250))
    await sleep(100)
    const began = performance.now()
    const refused = await send(own, large(250))
    expect(performance.now() - began).toBeGreaterThan(1900)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT'])
    expect(refused.body.error.message).toContain('300000 bytes')
    expect([refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual(['1', 'close'])
    expect(refused.headers.get('x-ratelimit-limit')).not.toBeNull()
    expect((await slow.finish()).status).toBe(201)
    expect((await send(own, large(250))).status).toBe(201)
  })

  it('that are refused are not read, not even to be thrown away', async () => {
    const own = await newKey()
    const slow = await beginSlowly(url, own, large(250))
    await sleep(100)
    const accepted: Socket[] = []
    const note = (message: unknown) => accepted.push((message as { socket: Socket }).socket)
    channel('net.server.socket').subscribe(note)
    const refused = await beginSlowly(url, own, large(900))
    channel('net.server.socket').unsubscribe(note)
    expect((await refused.answered).status).toBe(429)
    const [socket] = accepted as [Socket]
    await expect.poll(() => socket.destroyed, { timeout: 5000 }).toBe(true)
    expect(socket.bytesRead).toBeLessThan(300_000)
    await slow.finish()
  })

  it('are counted as the largest body where no length is stated', async () => {
    const own = await newKey()
    const chunked = request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json' },
    })
    const status = new Promise<number>((resolve) => {
      chunked.once('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
    })
    const text = JSON.stringify(sampleEvent())
    chunked.write(text.slice(0, 10))
    await sleep(100)
    const second = send(own, large(20))
    const seen = watched(second)
    await sleep(200)
    expect(seen.status).toBeNull()
    chunked.end(text.slice(10))
    expect(await status).toBe(201)
    expect((await second).status).toBe(201)
  })

  it('of aborted uploads are released', async () => {
    const own = await newKey()
    for (let round = 0; round < 25; round++) {
      const uploads = await Promise.all(Array.from({ length: 4 }, () => beginSlowly(url, own, large(140))))
      if (round % 2) await sleep(5)
      for (const upload of uploads) upload.abort()
    }
    await expect.poll(async () => (await send(own, large(250))).status, { timeout: 10_000 }).toBe(201)
    const together = await Promise.all([send(own, large(140)), send(own, large(140))])
    expect(together.map(({ status }) => status)).toEqual([201, 201])
  })
})

describe('requests in progress', () => {
  /** Requests that are in progress while `work` runs, and are then answered with this status. */
  async function during(address: string, token: string, body: unknown, status: number, work: () => Promise<void>) {
    const slow: SlowRequest[] = []
    for (let n = 0; n <= most; n++) slow.push(await beginSlowly(address, token, body))
    try {
      // The one that is refused shows that the others are in progress.
      expect((await Promise.race(slow.map(({ answered }) => answered))).status).toBe(429)
      await work()
      const statuses = await Promise.all(slow.map(async (each) => (await each.finish()).status))
      expect(statuses.toSorted()).toEqual([...Array(most).fill(status), 429].toSorted())
    } finally {
      // A server does not close while an upload stops in the middle.
      for (const each of slow) each.abort()
    }
  }

  it('of one center are bounded, and those of another are served', async () => {
    const [own, other] = await Promise.all([newKey(), newKey()])
    await during(url, own, sampleEvent(), 201, async () => {
      for (const body of [sampleEvent(), large(250)]) {
        const refused = await send(own, body)
        expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT'])
        expect(refused.body.error.message).toContain(`At most ${most} requests`)
        expect(refused.headers.get('retry-after')).toBe('1')
      }
      expect((await send(other, sampleEvent())).status).toBe(201)
    })
    expect((await send(own, sampleEvent())).status).toBe(201)
  })

  it('without a credential are bounded by address, and those with one are served', async () => {
    const own = await newKey()
    const login = `${server.url}/api/auth/login`
    await during(login, '', { email: 'a@b.test', password: 'secret' }, 401, async () => {
      const refused = await server.call('POST', '/api/auth/login', { body: {} })
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
      expect((await send(own, sampleEvent())).status).toBe(201)
    })
  })

  it('end with the connection, also when it is aborted', async () => {
    const own = await newKey()
    for (let round = 0; round < 10; round++) {
      const uploads = await Promise.all(Array.from({ length: most }, () => beginSlowly(url, own, sampleEvent())))
      for (const upload of uploads) upload.abort()
      await expect.poll(async () => (await send(own, sampleEvent())).status, { timeout: 10_000 }).toBe(201)
    }
  })
})

it('answers an unknown address without reading the body', async () => {
  const answered = await beginSlowly(`${server.url}/api/v1/nothing`, '', large(900))
  expect((await answered.finish()).status).toBe(404)
})
