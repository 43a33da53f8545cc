import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { type OwnRedis, startRedis } from './own-redis.ts'

const path = '/api/v1/decision-events'
/** Far below a caller's timeout, far above what a busy machine needs for one request. */
const quickMs = 1500

let redis: OwnRedis
let first: TestServer
let second: TestServer

beforeEach(async () => {
  redis = await startRedis()
  const env = { REDIS_URL: redis.url }
  first = await startServer({ env })
  second = await startServer({ beside: first, env })
})
afterEach(async () => {
  redis.resume()
  await redis.kill()
  await second.close()
  await first.close()
})

interface Traffic {
  readonly statuses: ReadonlySet<number>
  readonly slowestMs: number
  readonly answers: number
}

/** Callers of every kind, each with one request at a time, until `until` has passed. */
async function traffic(until: Promise<unknown>): Promise<Traffic> {
  const center = await first.world.center()
  const member = await first.world.person()
  await first.world.member(member, center)
  const keys = await Promise.all(Array.from({ length: 4 }, () => first.world.key(center)))
  const { accessToken } = await first.signIn(member)
  const calls = (server: TestServer, key: string) => [
    () => server.call('POST', path, { token: key, body: sampleEvent() }),
    () => server.call('GET', path, { token: key }),
    () => server.call('GET', '/api/auth/me', { token: accessToken }),
    () => server.call('GET', '/api/nothing'),
  ]
  const statuses = new Set<number>()
  let slowestMs = 0
  let answers = 0
  let over = false
  const ending = until.finally(() => {
    over = true
  })
  const running = keys.map(async (key, index) => {
    const mix = calls(index % 2 ? first : second, key)
    for (let n = 0; !over; n++) {
      const began = performance.now()
      const { status } = await (mix[n % mix.length] as (typeof mix)[number])()
      slowestMs = Math.max(slowestMs, performance.now() - began)
      statuses.add(status)
      answers++
    }
  })
  await Promise.all([ending, ...running])
  return { statuses, slowestMs, answers }
}

const fine = [200, 201, 404]

describe('Redis killed under load', () => {
  it('delays no request and causes no 5xx', async () => {
    const seen = await traffic(
      (async () => {
        await sleep(500)
        await redis.kill()
        await sleep(1500)
      })(),
    )
    expect([...seen.statuses].filter((status) => !fine.includes(status))).toEqual([])
    expect(seen.slowestMs).toBeLessThan(quickMs)
    expect(seen.answers).toBeGreaterThan(20)
    expect(first.logs.join('')).toContain('Redis is unavailable')
  })

  it('does not prevent sign-in and logout', async () => {
    await redis.kill()
    const person = await first.world.person()
    const { accessToken, refreshToken } = await first.signIn(person)
    const refreshed = await first.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })
    expect(refreshed.status).toBe(200)
    expect((await first.call('POST', '/api/auth/logout', { token: accessToken })).status).toBe(204)
  })
})

describe('Redis halted: connected and silent', () => {
  it('delays no request and causes no 5xx', async () => {
    const seen = await traffic(
      (async () => {
        await sleep(500)
        redis.halt()
        await sleep(2000)
        redis.resume()
        await sleep(500)
      })(),
    )
    expect([...seen.statuses].filter((status) => !fine.includes(status))).toEqual([])
    expect(seen.slowestMs).toBeLessThan(quickMs)
    expect(seen.answers).toBeGreaterThan(20)
  })
})

describe('Redis unavailable', () => {
  let limited: TestServer
  const env = () => ({ REDIS_URL: redis.url, RATE_LIMIT_PROOF: '10/600' })
  const burst = async (token: string) => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => limited.call('GET', path, { token })))
    return answers.filter(({ status }) => status === 200).length
  }
  beforeEach(async () => {
    limited = await startServer({ beside: first, env: env() })
  })
  afterEach(() => limited.close())

  it('leaves a limit in force, because each process counts by itself', async () => {
    const token = await first.world.key(await first.world.center())
    expect(await burst(token)).toBe(10)
    await redis.kill()
    expect(await burst(token)).toBe(10)
    expect(await burst(token)).toBe(0)
  })

  it('ends with a shared count once Redis is back', async () => {
    await redis.kill()
    const token = await first.world.key(await first.world.center())
    expect(await burst(token)).toBe(10)
    await redis.startAgain()
    while (limited.services.redis?.status !== 'ready') await sleep(50)
    // A process that met a failure does not use Redis for a second.
    await sleep(1100)
    const other = await startServer({ beside: first, env: env() })
    try {
      const fresh = await first.world.key(await first.world.center())
      expect(await burst(fresh)).toBe(10)
      expect((await other.call('GET', path, { token: fresh })).status).toBe(429)
    } finally {
      await other.close()
    }
  })
})

describe('Redis unavailable from the start', () => {
  it.each([
    ['an address where no Redis listens', 'redis://127.0.0.1:1'],
    ['no setting', ''],
  ])('does not prevent the service from starting and counting: %s', async (_, url) => {
    const alone = await startServer({ beside: first, env: { REDIS_URL: url, RATE_LIMIT_PROOF: '3/600' } })
    try {
      const token = await first.world.key(await first.world.center())
      const statuses = []
      for (let n = 0; n < 5; n++) statuses.push((await alone.call('GET', path, { token })).status)
      expect(statuses).toEqual([200, 200, 200, 429, 429])
    } finally {
      await alone.close()
    }
  })
})
