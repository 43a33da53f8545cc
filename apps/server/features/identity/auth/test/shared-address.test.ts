/** Many people behind one address: successes are not counted, failures are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

let server: TestServer
let center: Center
let person: Person
let lastAddress = 0
beforeAll(async () => {
  const env = { RATE_LIMIT_LOGIN: '2/900', RATE_LIMIT_PUBLIC: '3/600', TRUSTED_PROXIES: '127.0.0.0/8' }
  server = await startServer({ env })
  center = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center, 'INSTRUCTOR')
})
afterAll(() => server.close())

const newAddress = () => `198.51.100.${++lastAddress}`
const post = (path: string, address: string, body: unknown, token?: string) =>
  server.call('POST', `/api/auth/${path}`, {
    body,
    headers: { 'x-forwarded-for': address },
    ...(token !== undefined && { token }),
  })
const signIn = (address: string, password = person.password) =>
  post('login', address, { email: person.email, password, centerDomain: center.domain })

describe('sign-in', () => {
  it('does not count successes of one address: 60 pass where 40 failures would be the limit', async () => {
    const address = newAddress()
    for (let n = 0; n < 60; n++) expect((await signIn(address)).status).toBe(200)
  })

  it('counts failures of one address over all accounts', async () => {
    const address = newAddress()
    for (let n = 0; n < 40; n++) {
      if (n % 4 === 0) expect((await signIn(address)).status).toBe(200)
      const { status } = await post('login', address, { email: `p${n}@people.example`, password: 'Spring2026!' })
      expect(status).toBe(401)
    }
    expect((await signIn(address)).status).toBe(429)
  })

  it('counts requests for a password link, which do not identify the caller', async () => {
    const address = newAddress()
    for (let n = 0; n < 40; n++)
      expect((await post('password/forgot', address, { email: `p${n}@people.example` })).status).toBe(202)
    expect((await post('password/forgot', address, { email: 'p40@people.example' })).status).toBe(429)
  })
})

describe('sso/verify and refresh-token', () => {
  it('lets a companion server verify any number of sign-ins from one address', async () => {
    const address = newAddress()
    const { accessToken } = (await signIn(newAddress())).body.data
    for (let n = 0; n < 10; n++) {
      const { token } = (await post('sso/token', address, { targetApp: 'lms' }, accessToken)).body.data
      expect((await post('sso/verify', address, { token })).status).toBe(200)
    }
  })

  it('refreshes any number of sessions from one address', async () => {
    const address = newAddress()
    let { refreshToken } = (await signIn(newAddress())).body.data
    for (let n = 0; n < 10; n++) {
      const { status, body } = await post('refresh-token', address, { refreshToken })
      expect(status).toBe(200)
      refreshToken = body.data.refreshToken
    }
  })

  it.each([
    ['sso/verify', 'token'],
    ['refresh-token', 'refreshToken'],
  ])('%s counts failures by the token, from any address, and not in the public tier', async (path, field) => {
    const guess = { [field]: 'csx_that-was-never-issued' }
    for (let n = 0; n < 3; n++) expect((await post(path, newAddress(), guess)).status).toBe(401)
    const address = newAddress()
    expect((await post(path, address, guess)).status).toBe(429)
    expect((await post(path, address, { [field]: 'csx_another' })).status).toBe(401)
  })

  it('limits failures with changing tokens by address, at twenty times the public rate', async () => {
    const address = newAddress()
    for (let n = 0; n < 60; n++) expect((await post('sso/verify', address, { token: `cst_${n}` })).status).toBe(401)
    expect((await post('sso/verify', address, { token: 'cst_60' })).status).toBe(429)
  })

  it.each([513, 5000, 1_000_000])('401 for a token of %i characters', async (length) => {
    const token = 'c'.repeat(length)
    for (const [path, field] of [
      ['sso/verify', 'token'],
      ['refresh-token', 'refreshToken'],
    ] as const) {
      const { status, body } = await post(path, newAddress(), { [field]: token })
      expect([path, status, body.error.code]).toEqual([path, 401, 'UNAUTHORIZED'])
    }
  })
})
