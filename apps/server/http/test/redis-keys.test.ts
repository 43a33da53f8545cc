import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer, testRedis } from '../../../../tests/support/server.ts'

let server: TestServer
const redis = new Redis(testRedis)

beforeAll(async () => {
  server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
})
afterAll(async () => {
  await server.close()
  redis.disconnect()
})

it('no key in Redis names an address, an account or a center', async () => {
  const center = await server.world.center()
  const person = await server.world.person()
  await server.world.member(person, center)
  const [address, email] = ['203.0.113.77', person.email]
  const headers = { 'x-forwarded-for': address }
  const { accessToken } = await server.signIn(person, center.domain)
  await server.call('GET', '/api/auth/me', { token: accessToken, headers })
  await server.call('POST', '/api/auth/login', { body: { email, password: 'not the password' }, headers })
  await server.call('GET', '/api/auth/me', { headers })
  const keys = await redis.keys(`${server.services.config.redisPrefix}:*`)
  expect(keys.length).toBeGreaterThan(4)
  for (const secret of [address, email, person.actorId]) {
    expect(keys.filter((key) => key.includes(secret))).toEqual([])
  }
  // A part by itself: a digest may begin with the digits of a small id.
  expect(keys.filter((key) => key.split(':').includes(String(center.id)))).toEqual([])
})
