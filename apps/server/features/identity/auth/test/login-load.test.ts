import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Person } from '../../../../../../tests/support/world.ts'

let server: TestServer
let person: Person

beforeAll(async () => {
  server = await startServer()
  person = await server.world.person()
  // With a hash of the production cost.
  await server.world.query('update directory.credentials set password_hash = $2 where actor_id = $1', [
    person.actorId,
    await server.services.passwords.hash(person.password),
  ])
  await server.world.member(person, await server.world.center())
})
afterAll(() => server.close())

const login = (email: string, password: string) => server.call('POST', '/api/auth/login', { body: { email, password } })

const quantile = (values: readonly number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] as number

describe('timing does not reveal whether an account exists', () => {
  it('a wrong password and an unknown account take equally long', async () => {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    async function measure(kind: keyof typeof times, email: string): Promise<void> {
      const startedAt = performance.now()
      expect((await login(email, 'not the password')).status).toBe(401)
      times[kind].push(performance.now() - startedAt)
    }
    for (let round = 0; round < 40; round++) {
      const unknown = () => measure('unknown', `unknown-${round}@people.example`)
      const known = () => measure('known', person.email)
      // Alternating order: neither kind always comes second.
      for (const next of round % 2 ? [known, unknown] : [unknown, known]) await next()
    }
    // Without the hash for unknown accounts the ratio would be ten and more.
    const ratio = quantile(times.known, 0.5) / quantile(times.unknown, 0.5)
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.4)
  })
})

describe('500 logins at once', () => {
  it('are answered or refused, while the process keeps answering other requests', async () => {
    let done = false
    const pulse = (async () => {
      const waits: number[] = []
      while (!done) {
        const startedAt = performance.now()
        expect((await server.call('GET', '/health/live')).status).toBe(200)
        waits.push(performance.now() - startedAt)
        await sleep(20)
      }
      return waits
    })()
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, i) => login(person.email, i % 5 ? 'not the password' : person.password)),
    )
    done = true
    const waits = await pulse

    const statuses = new Map<number, number>()
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect([...statuses.keys()].filter((status) => ![200, 401, 429, 503].includes(status))).toEqual([])
    expect((statuses.get(200) ?? 0) + (statuses.get(401) ?? 0)).toBeGreaterThan(0)
    expect(statuses.get(503)).toBeGreaterThan(0)
    for (const answer of answers.filter(({ status }) => status === 503)) {
      expect(answer.body.error.code).toBe('SERVICE_UNAVAILABLE')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    // The 500 clients share this process and its two cores; unbounded hashing takes ten seconds.
    expect(quantile(waits, 0.5)).toBeLessThan(300)
    expect(quantile(waits, 0.95)).toBeLessThan(1500)
  })

  it('do not prevent later sign-ins', async () => {
    expect((await login(person.email, person.password)).status).toBe(200)
  })
})
