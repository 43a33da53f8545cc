import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Person } from '../../../../../../tests/support/world.ts'

let server: TestServer
let lastAddress = 0

// The server trusts a proxy, so that every test can use addresses of its own.
beforeAll(async () => {
  server = await startServer({ env: { RATE_LIMIT_LOGIN: '5/900', TRUSTED_PROXIES: '127.0.0.0/8' } })
})
afterAll(() => server.close())

const newAddress = () => `198.51.100.${++lastAddress}`
const attempt = (address: string, body: Record<string, unknown>, on = server) =>
  on.call('POST', '/api/auth/login', { body, headers: { 'x-forwarded-for': address } })

const wrong = (person: Pick<Person, 'email'>) => ({ email: person.email, password: 'not the password' })
const right = ({ email, password }: Person) => ({ email, password })

async function useUp(address: string, body: Record<string, unknown>, attempts = 5): Promise<void> {
  for (let i = 0; i < attempts; i++) expect((await attempt(address, body)).status).toBe(401)
}

describe('429 RATE_LIMITED', () => {
  it('refuses the sixth attempt and states how long to wait, even with the right password', async () => {
    const person = await server.world.person()
    const address = newAddress()
    await useUp(address, wrong(person))
    for (const body of [wrong(person), right(person)]) {
      const answer = await attempt(address, body)
      expect([answer.status, answer.body.error.code]).toEqual([429, 'RATE_LIMITED'])
      const seconds = Number(answer.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(800)
      expect(seconds).toBeLessThanOrEqual(900)
      expect(answer.body.error.message).toContain(String(seconds))
      expect(answer.headers.get('x-ratelimit-limit')).toBe('5')
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
    }
  })

  it('counts an account that does not exist in the same way', async () => {
    const address = newAddress()
    const unknown = { email: 'unknown@people.example', password: 'not the password' }
    await useUp(address, unknown)
    expect((await attempt(address, unknown)).status).toBe(429)
  })

  it('counts by phone too', async () => {
    await server.world.person({ phone: '+15551230001' })
    const address = newAddress()
    const body = { phone: '+15551230001', password: 'not the password' }
    await useUp(address, body)
    expect((await attempt(address, body)).status).toBe(429)
  })

  it('is not evaded by another spelling of the email, or by naming a center', async () => {
    const person = await server.world.person()
    const address = newAddress()
    await useUp(address, wrong(person), 3)
    const [name = '', host = ''] = person.email.split('@')
    for (const email of [person.email.toUpperCase(), `${name.toUpperCase()}@${host}`]) {
      expect((await attempt(address, { email, password: 'not the password' })).status).toBe(401)
    }
    for (const email of [person.email, `${name}@${host.toUpperCase()}`, person.email.replace('p', 'P')]) {
      const answer = await attempt(address, { email, password: person.password })
      expect(answer.status).toBe(429)
    }
    const direct = await attempt(address, { ...right(person), centerDomain: 'anywhere' })
    expect(direct.status).toBe(429)
  })

  it.each([
    ['a space in front', (email: string) => ` ${email}`],
    ['a space behind', (email: string) => `${email} `],
    ['a full-width letter', (email: string) => email.replace('p', 'ｐ')],
    ['a full-width @', (email: string) => email.replace('@', '＠')],
    ['the Kelvin sign for k', (email: string) => email.replace('k', '\u212a')],
    ['a soft hyphen', (email: string) => email.replace('-', '-\u00ad')],
    ['a zero-width space', (email: string) => email.replace('@', '\u200b@')],
    ['an ideographic full stop', (email: string) => email.replace('.', '\u3002')],
  ])('gives no extra attempt to %s, which is not an email address', async (_, respell) => {
    const person = await server.world.person({ email: `p-k${Date.now()}${lastAddress}@people.example` })
    const address = newAddress()
    await useUp(address, wrong(person))
    const spelled = respell(person.email)
    expect(spelled).not.toBe(person.email)
    const { status, body } = await attempt(address, { email: spelled, password: person.password })
    expect([status, body.error.code]).toEqual([400, 'INVALID_EMAIL'])
  })

  it('applies to the account and the address: another account or address is not affected', async () => {
    const [victim, neighbour] = [await server.world.person(), await server.world.person()]
    const address = newAddress()
    await useUp(address, wrong(victim))
    expect((await attempt(address, right(neighbour))).status).toBe(200)
    expect((await attempt(newAddress(), right(victim))).status).toBe(200)
    expect((await attempt(address, right(victim))).status).toBe(429)
  })

  it('treats a /64 of IPv6 as one address', async () => {
    const person = await server.world.person()
    for (let host = 1; host <= 5; host++) {
      expect((await attempt(`2001:db8:7:1::${host}`, wrong(person))).status).toBe(401)
    }
    expect((await attempt('2001:db8:7:1:ffff::9', wrong(person))).status).toBe(429)
    expect((await attempt('2001:db8:7:2::1', wrong(person))).status).toBe(401)
  })

  it('is cleared by a success', async () => {
    const person = await server.world.person()
    const address = newAddress()
    await useUp(address, wrong(person), 4)
    expect((await attempt(address, right(person))).status).toBe(200)
    await useUp(address, wrong(person))
    expect((await attempt(address, wrong(person))).status).toBe(429)
  })

  it('is not cleared by the right password for a center that refuses the person', async () => {
    const person = await server.world.person()
    const address = newAddress()
    const refused = { ...right(person), centerDomain: 'no-such-center' }
    for (let i = 0; i < 5; i++) expect((await attempt(address, refused)).status).toBe(404)
    expect((await attempt(address, right(person))).status).toBe(429)
  })
})

describe('servers with other limits', () => {
  it('resets the count when the window has passed', async () => {
    const quick = await startServer({ env: { RATE_LIMIT_LOGIN: '1/3', TRUSTED_PROXIES: '127.0.0.0/8' } })
    try {
      const person = await quick.world.person()
      const address = newAddress()
      expect((await attempt(address, wrong(person), quick)).status).toBe(401)
      const refused = await attempt(address, wrong(person), quick)
      expect(refused.status).toBe(429)
      await new Promise((resolve) => setTimeout(resolve, Number(refused.headers.get('retry-after')) * 1000))
      expect((await attempt(address, right(person), quick)).status).toBe(200)
    } finally {
      await quick.close()
    }
  })

  it('refuses an address that tries one password on many accounts', async () => {
    const strict = await startServer({ env: { RATE_LIMIT_LOGIN: '2/900', TRUSTED_PROXIES: '127.0.0.0/8' } })
    try {
      const address = newAddress()
      const spray = (i: number) =>
        attempt(address, { email: `target-${i}@people.example`, password: 'Spring2026!' }, strict)
      for (let i = 0; i < 40; i++) expect((await spray(i)).status).toBe(401)
      const stopped = await spray(40)
      expect([stopped.status, stopped.body.error.code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await attempt(newAddress(), right(await strict.world.person()), strict)).status).toBe(200)
    } finally {
      await strict.close()
    }
  })

  it('ignores X-Forwarded-For from an untrusted caller', async () => {
    const direct = await startServer({ env: { RATE_LIMIT_LOGIN: '2/900' } })
    try {
      const person = await direct.world.person()
      const statuses: number[] = []
      for (let i = 0; i < 4; i++) statuses.push((await attempt(newAddress(), wrong(person), direct)).status)
      expect(statuses).toEqual([401, 401, 429, 429])
    } finally {
      await direct.close()
    }
  })
})
