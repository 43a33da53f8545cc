import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdCenter } from '../../apps/server/http/test/held-center.ts'
import type { Answer } from '../support/contract-check.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openWire, type Wire } from '../support/tcp-proxy.ts'

const path = '/api/v1/decision-events'
let direct: TestServer
let server: TestServer
let wire: Wire
let token: string
let accessToken: string

beforeAll(async () => {
  direct = await startServer()
  wire = await openWire(direct.services.config.databaseUrl)
  server = await startServer({ beside: direct, env: { DATABASE_URL: wire.url, CELLS: '' } })
  const center = await direct.world.center()
  const admin = await direct.world.person()
  await direct.world.member(admin, center)
  token = await direct.world.key(center)
  accessToken = (await server.signIn(admin)).accessToken
})
afterAll(async () => {
  await server.close()
  await wire.close()
  await direct.close()
})

/** One call of each kind of store. */
const calls: Record<string, () => Promise<Answer>> = {
  'recording an event': () => server.call('POST', path, { token, body: sampleEvent() }),
  'recording with an Idempotency-Key': () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    return server.call('POST', path, { token, body: sampleEvent(), headers })
  },
  'listing events': () => server.call('GET', path, { token }),
  'listing keys': () => server.call('GET', '/api/api-keys', { token: accessToken }),
  'reading the current session': () => server.call('GET', '/api/auth/me', { token: accessToken }),
  'a wrong refresh token': () =>
    server.call('POST', '/api/auth/refresh-token', { body: { refreshToken: 'csr_wrong' } }),
}

async function expectAway(slowestMs: number): Promise<void> {
  for (const [kind, call] of Object.entries(calls)) {
    const began = performance.now()
    const { status, body, headers } = await call()
    expect([kind, status, body.error.code]).toEqual([kind, 503, 'SERVICE_UNAVAILABLE'])
    expect(headers.get('retry-after')).toBe('1')
    expect(performance.now() - began).toBeLessThan(slowestMs)
  }
  expect((await server.call('GET', '/health/live')).status).toBe(200)
  // One readiness check serves all requests within a second.
  await expect.poll(async () => (await server.call('GET', '/health/ready')).status, { timeout: 10_000 }).toBe(503)
}

async function expectBack(): Promise<void> {
  await expect.poll(async () => (await server.call('GET', '/health/ready')).status, { timeout: 10_000 }).toBe(200)
  for (const [kind, call] of Object.entries(calls)) {
    await expect.poll(async () => (await call()).status, { timeout: 10_000, message: kind }).toBeLessThan(500)
  }
  expect((await calls['recording an event']?.())?.status).toBe(201)
}

describe('while PostgreSQL is unreachable', () => {
  it('answers every call with 503 at once, and serves again after PostgreSQL returns', async () => {
    await expectBack()
    await wire.cut()
    await expectAway(3000)
    await wire.mend()
    await expectBack()
  })

  it('answers with 503 when PostgreSQL hangs instead of refusing connections', async () => {
    wire.freeze()
    await expectAway(15_000)
    await wire.mend()
    await expectBack()
  }, 120_000)
})

describe('when PostgreSQL ends connections of the server', () => {
  it('answers a request in progress with 503, stores nothing of it, and serves the next one', async () => {
    const held = await holdCenter(direct)
    const headers = { 'idempotency-key': 'lost' }
    const inProgress = [
      server.call('POST', path, { token: held.token, body: held.body }),
      server.call('POST', path, { token: held.token, body: held.body, headers }),
    ]
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await direct.world.query(waiting)).length, { timeout: 2500 }).toBe(2)
    await direct.world.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'countersign %'`,
    )
    for (const { status, body } of await Promise.all(inProgress)) {
      expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    }
    await held.release()
    await expectBack()
    const { body } = await server.call('GET', path, { token: held.token })
    expect(body.pagination.total).toBe(0)
    const again = await server.call('POST', path, { token: held.token, body: held.body, headers })
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null])
  })
})
