import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressGuard } from '@countersign/server/lib/address-guard.ts'
import { openOutbound } from '@countersign/server/lib/outbound-http.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCanary } from './hostile-servers.ts'
import { forbiddenHost, hostileUrls } from './hostile-urls.ts'

const seed = Number(process.env.SEED ?? Date.now() & 0x7fffffff)
const guard = addressGuard([])
const outbound = openOutbound({ allowedNetworks: [], dnsServers: ['127.0.0.1:1'], connectionsPerOrigin: 4 })
let canary: Awaited<ReturnType<typeof openCanary>>

beforeAll(async () => {
  canary = await openCanary()
})
afterAll(async () => {
  await outbound.close()
  await canary.close()
})

async function heardNothing(): Promise<void> {
  await sleep(50)
  expect(canary.connections()).toBe(0)
}

describe('a URL that leads into a private network', () => {
  it('is refused at registration and at delivery, in more than 200 hostile forms', async () => {
    const urls = hostileUrls(canary.port)
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls.length).toBeGreaterThan(200)
    expect(urls.filter((url) => guard.refusalOfUrl(url) === null)).toEqual([])
    const exchanges = await Promise.all(urls.map((url) => outbound.post(url, {}, '{}')))
    expect(exchanges.filter(({ error, message }) => error !== 'blocked_address' || !message)).toEqual([])
    await heardNothing()
  })

  it(`is refused in a thousand generated spellings (seed ${seed})`, async () => {
    let spelled = 0
    await fc.assert(
      fc.asyncProperty(forbiddenHost, fc.constantFrom('http', 'https'), async (host, protocol) => {
        const url = `${protocol}://${host}:${canary.port}/`
        spelled++
        expect(guard.refusalOfUrl(url)).not.toBeNull()
        expect(await outbound.post(url, {}, '{}')).toMatchObject({ error: 'blocked_address', responseStatus: null })
      }),
      { numRuns: 1000, seed },
    )
    expect(spelled).toBeGreaterThanOrEqual(1000)
    await heardNothing()
  })

  it('would reach the canary if it were not refused', async () => {
    for (const host of ['127.0.0.1', '::1']) {
      await new Promise<void>((resolve, reject) => {
        const socket = connect(canary.port, host, () => resolve(void socket.destroy())).once('error', reject)
      })
    }
    await expect.poll(() => canary.connections()).toBe(2)
  })
})
