import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { CountersignPlatform } from '../platform.ts'
import type { SessionTokens } from '../session.ts'
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts'

const expired = { status: 401, body: { success: false, error: { code: 'TOKEN_EXPIRED', message: 'Expired.' } } }
const refused = { status: 401, body: { success: false, error: { code: 'UNAUTHORIZED', message: 'Ended.' } } }
const renewed = { body: { success: true, data: { accessToken: 'second', refreshToken: 'r2' } } }
const done = { body: { success: true, data: [] } }

describe('an expired token', () => {
  let server: ScriptedServer
  let changes: (SessionTokens | null)[]
  let platform: CountersignPlatform
  beforeAll(async () => {
    server = await startScriptedServer()
  })
  afterAll(() => server.close())
  beforeEach(() => {
    changes = []
    platform = new CountersignPlatform({
      ...{ baseUrl: server.url, clock: server.clock },
      session: { accessToken: 'first', refreshToken: 'r1' },
      onSession: (tokens) => void changes.push(tokens),
    })
  })
  const paths = () => server.seen.map(({ url }) => url.replace('/api', ''))

  it('is renewed once for ten calls at the same time, and each goes on', async () => {
    server.script(...Array.from({ length: 10 }, () => expired), renewed, done)
    const calls = Array.from({ length: 10 }, () => platform.apiKeys.list())
    expect(await Promise.all(calls)).toEqual(calls.map(() => []))
    expect(paths().filter((path) => path === '/auth/refresh-token')).toHaveLength(1)
    expect(server.seen.slice(11).map(({ headers }) => headers.authorization)).toEqual(calls.map(() => 'Bearer second'))
    expect(changes).toEqual([{ accessToken: 'second', refreshToken: 'r2' }])
  })

  it('does not change the idempotency key of a write', async () => {
    server.script(expired, renewed, done)
    await platform.memberships.suspend('mbr_1')
    const [first, , second] = server.seen.map(({ headers }) => headers['idempotency-key'])
    expect(first).toBeDefined()
    expect(second).toBe(first)
  })

  it('whose renewal is refused ends the session', async () => {
    server.script(expired, refused)
    await expect(platform.apiKeys.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(changes).toEqual([null])
    server.script(refused)
    await expect(platform.apiKeys.list()).rejects.toMatchObject({ status: 401 })
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  it('is kept when the renewal gets no answer', async () => {
    server.script(expired, { instead: 'cut' })
    await expect(platform.apiKeys.list()).rejects.toMatchObject({ name: 'ConnectionError', attempts: 1 })
    expect(changes).toEqual([])
  })

  it('of a session without a refresh token is reported', async () => {
    server.script(expired)
    const bare = new CountersignPlatform({ baseUrl: server.url, session: { accessToken: 'first' } })
    await expect(bare.apiKeys.list()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
    expect(server.seen).toHaveLength(1)
  })
})

describe('a real server', () => {
  let server: TestServer
  let fixture: ProofFixture
  beforeAll(async () => {
    server = await startServer()
    fixture = await openProofFixture(server)
  })
  afterAll(() => server.close())

  it('signs in, enters another center, and signs out', async () => {
    const other = await server.world.center()
    await server.world.member(fixture.admin, other, 'ADMIN')
    const changes: (SessionTokens | null)[] = []
    const platform = new CountersignPlatform({ baseUrl: server.url, onSession: (tokens) => void changes.push(tokens) })
    const { email, password } = fixture.admin
    await platform.auth.login({ email, password, centerDomain: fixture.center.domain })
    expect(await platform.auth.getMe()).toMatchObject({ centerId: fixture.center.id })
    await platform.auth.switchCenter({ centerId: other.id })
    expect(await platform.auth.getMe()).toMatchObject({ centerId: other.id })
    await platform.auth.logout()
    await expect(platform.auth.getMe()).rejects.toMatchObject({ status: 401 })
    expect(changes.map((tokens) => tokens?.refreshToken?.slice(0, 4))).toEqual(['csr_', 'csr_', undefined])
  })
})
