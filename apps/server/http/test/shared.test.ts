import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChildServer, spawnBeside } from '../../../../tests/support/child-server.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

const env = {
  RATE_LIMIT_PROOF: '100/600',
  RATE_LIMIT_STANDARD: '90/600',
  RATE_LIMIT_PARTNER: '120/600',
  RATE_LIMIT_PUBLIC: '80/600',
}
const requests = 1000

let first: TestServer
let second: TestServer

beforeAll(async () => {
  first = await startServer({ env })
  second = await startServer({ beside: first, env })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

interface Tally {
  readonly passed: number
  readonly refused: number
  /** `X-RateLimit-Remaining` of the accepted requests, in ascending order. */
  readonly remaining: readonly number[]
}

const remainingOf = ({ headers }: Response): number => Number(headers.get('x-ratelimit-remaining'))

/** An overloaded process answers 503 before it counts a request, so the test sends that request again. */
async function patiently(url: string, headers: Record<string, string>): Promise<Response> {
  for (;;) {
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    const counted = remainingOf(response) < Number(response.headers.get('x-ratelimit-limit'))
    if (response.status !== 503 || counted) return response
    await sleep(1000)
  }
}

/** All at once, alternating between the two processes. */
async function burst(urls: readonly string[], path: string, token?: string): Promise<Tally> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, n) => patiently(`${urls[n % urls.length]}${path}`, headers)),
  )
  const passed = answers.filter(({ status }) => status !== 429)
  // 503 where the limit admitted a request and the database was too busy afterwards.
  expect(passed.map(({ status }) => status).filter((status) => ![200, 404, 503].includes(status))).toEqual([])
  return {
    passed: passed.length,
    refused: requests - passed.length,
    remaining: passed.map(remainingOf).sort((a, b) => b - a),
  }
}

/** Exactly the limit passes, and each accepted request reports another number of remaining requests. */
const exactly = (limit: number): Tally => ({
  passed: limit,
  refused: requests - limit,
  remaining: Array.from({ length: limit }, (_, n) => limit - 1 - n),
})

async function expectShared(urls: readonly string[]): Promise<void> {
  const { world, signIn } = first
  const center = await world.center()
  const [member, partner] = [await world.person(), await world.person({ partner: true })]
  await world.member(member, center)
  const [one, again, forPartner] = [await signIn(member), await signIn(member), await signIn(partner)]
  const [key, ownLimit] = [await world.key(center), await world.key(center, { rateLimit: 7 })]

  const events = '/api/v1/decision-events'
  expect(await burst(urls, events, key), 'per key').toEqual(exactly(100))
  expect(await burst(urls, events, ownLimit), "a key's own limit").toEqual(exactly(7))
  const me = '/api/auth/me'
  expect(await burst(urls, me, one.accessToken), 'per actor').toEqual(exactly(90))
  expect(await burst(urls, me, again.accessToken), 'the same actor in another session').toEqual(exactly(0))
  expect(await burst(urls, me, forPartner.accessToken), 'per partner account').toEqual(exactly(120))
}

describe('the limit under 1,000 concurrent requests to two processes is exact', () => {
  it('per key, per actor and per partner account', async () => {
    await expectShared([first.url, second.url])
  })

  it('per address, with unknown paths and failed credentials counted together', async () => {
    const urls = [first.url, second.url]
    const headers = { authorization: 'Bearer unknown' }
    for (let n = 0; n < 5; n++) {
      const path = n % 2 ? '/api/auth/me' : '/api/v1/decision-events'
      expect((await patiently(`${urls[n % 2]}${path}`, headers)).status).toBe(401)
    }
    expect(await burst(urls, '/api/nowhere')).toEqual(exactly(75))
    expect((await patiently(`${first.url}/api/auth/me`, headers)).status).toBe(429)
  })
})

describe('two separate processes', () => {
  let children: ChildServer[] = []

  beforeAll(async () => {
    children = await Promise.all([spawnBeside(first, env), spawnBeside(first, env)])
  })
  afterAll(() => Promise.all(children.map((child) => child.stop())))

  it('admit exactly the limit', async () => {
    await expectShared(children.map(({ url }) => url))
  })
})
