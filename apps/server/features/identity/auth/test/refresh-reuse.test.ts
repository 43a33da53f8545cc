import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

let server: TestServer
let center: Center
let person: Person
let restoreClock = () => {}

beforeAll(async () => {
  server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
  center = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center)
})
afterEach(() => restoreClock())
afterAll(() => server.close())

interface Client {
  readonly agent?: string
  readonly address?: string
}
const refresh = (refreshToken: string, { agent = 'tab/1.0', address = '203.0.113.1' }: Client = {}, on = server) =>
  on.call('POST', '/api/auth/refresh-token', {
    body: { refreshToken },
    headers: { 'user-agent': agent, 'x-forwarded-for': address },
  })
const me = (token: string, on = server) => on.call('GET', '/api/auth/me', { token })

async function next(refreshToken: string): Promise<{ refreshToken: string; accessToken: string }> {
  const { status, body } = await refresh(refreshToken)
  expect(status).toBe(200)
  return body.data
}

async function freezeAfter(ms: number): Promise<void> {
  restoreClock()
  const at = Date.now() + ms
  restoreClock = useClock(() => at)
}

const sessionOf = async (accessToken: string) => {
  const [row] = await server.world.query<{ revoke_reason: string | null }>(
    'select revoke_reason from directory.sessions where id = $1',
    [decodeJwt(accessToken).sid],
  )
  return row
}

async function expectDead(tokens: { access: readonly string[]; refresh: readonly string[] }): Promise<void> {
  for (const token of tokens.access) {
    const { status, body } = await me(token)
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  }
  for (const token of tokens.refresh) {
    const { status, body } = await refresh(token)
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  }
}

describe('a spent token ends the whole session', () => {
  it('R1, R2, R3, then R1 again: the newest token and all access tokens are refused at once', async () => {
    const r1 = await server.signIn(person)
    const r2 = await next(r1.refreshToken)
    const r3 = await next(r2.refreshToken)
    // Cached by this process a moment ago: no cache may keep it valid.
    for (const { accessToken } of [r1, r2, r3]) expect((await me(accessToken)).status).toBe(200)
    const reuse = await refresh(r1.refreshToken)
    expect([reuse.status, reuse.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    await expectDead({
      access: [r1.accessToken, r2.accessToken, r3.accessToken],
      refresh: [r1.refreshToken, r2.refreshToken, r3.refreshToken],
    })
    expect(await sessionOf(r1.accessToken)).toEqual({ revoke_reason: 'reuse' })
  })

  it('is audited once, however often the revoked tokens are tried', async () => {
    const victim = await server.world.person()
    await server.world.member(victim, center)
    const r1 = await server.signIn(victim)
    const r2 = await next(r1.refreshToken)
    await next(r2.refreshToken)
    for (const token of [r1, r2, r1]) expect((await refresh(token.refreshToken)).status).toBe(401)
    const entries = await server.world.query(
      `select center_id, type, details ->> 'action' as action from directory.audit_entries
       where actor_id = $1 order by occurred_at, id`,
      [victim.actorId],
    )
    expect(entries).toEqual([
      { center_id: center.id, type: 'session.changed', action: 'start' },
      { center_id: center.id, type: 'session.changed', action: 'reuse' },
    ])
  })

  it("does not affect the person's other sessions", async () => {
    const other = await server.signIn(person)
    const r1 = await server.signIn(person)
    await next((await next(r1.refreshToken)).refreshToken)
    expect((await refresh(r1.refreshToken)).status).toBe(401)
    expect((await me(other.accessToken)).status).toBe(200)
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  it('takes effect in another process within a second', async () => {
    const second = await startServer({ beside: server })
    try {
      const r1 = await server.signIn(person)
      const r3 = await next((await next(r1.refreshToken)).refreshToken)
      expect((await me(r3.accessToken, second)).status).toBe(200)
      expect((await refresh(r1.refreshToken)).status).toBe(401)
      expect((await refresh(r3.refreshToken, {}, second)).status).toBe(401)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      expect((await me(r3.accessToken, second)).status).toBe(401)
    } finally {
      await second.close()
    }
  })

  it('applies while the membership is suspended too: a stolen token cannot wait for the reinstatement', async () => {
    const victim = await server.world.person()
    await server.world.member(victim, center)
    const r1 = await server.signIn(victim)
    const r3 = await next((await next(r1.refreshToken)).refreshToken)
    await server.world.setMembership(victim, center, { status: 'SUSPENDED' })
    const reuse = await refresh(r1.refreshToken)
    expect([reuse.status, reuse.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    await server.world.setMembership(victim, center, { status: 'ACTIVE' })
    await expectDead({ access: [r3.accessToken], refresh: [r3.refreshToken] })
  })
})

describe('two tabs: ten seconds of grace', () => {
  it('the same client gets the same successor, and the session stays valid', async () => {
    const r1 = await server.signIn(person)
    const first = await next(r1.refreshToken)
    const second = await next(r1.refreshToken)
    expect(second.refreshToken).toBe(first.refreshToken)
    expect((await me(second.accessToken)).status).toBe(200)
    expect((await refresh(first.refreshToken)).status).toBe(200)
    expect(await sessionOf(r1.accessToken)).toEqual({ revoke_reason: null })
  })

  it('applies within ten seconds', async () => {
    const r1 = await server.signIn(person)
    await freezeAfter(0)
    const r2 = await next(r1.refreshToken)
    restoreClock()
    const at = Date.now() + 9_000
    restoreClock = useClock(() => at)
    expect((await next(r1.refreshToken)).refreshToken).toBe(r2.refreshToken)
  })

  it('does not apply after ten seconds', async () => {
    const r1 = await server.signIn(person)
    const r2 = await next(r1.refreshToken)
    await freezeAfter(10_500)
    expect((await refresh(r1.refreshToken)).status).toBe(401)
    await expectDead({ access: [r1.accessToken, r2.accessToken], refresh: [r2.refreshToken] })
  })

  it.each([
    ['another user agent', { agent: 'thief/1.0' }],
    ['no user agent', { agent: '' }],
    ['another address', { address: '203.0.113.99' }],
  ])('does not apply for %s', async (_, client) => {
    const r1 = await server.signIn(person)
    const r2 = await next(r1.refreshToken)
    expect((await refresh(r1.refreshToken, client)).status).toBe(401)
    await expectDead({ access: [r2.accessToken], refresh: [r2.refreshToken] })
  })

  it('does not apply once the successor was used', async () => {
    const r1 = await server.signIn(person)
    const r2 = await next(r1.refreshToken)
    const r3 = await next(r2.refreshToken)
    expect((await refresh(r1.refreshToken)).status).toBe(401)
    await expectDead({ access: [r3.accessToken], refresh: [r3.refreshToken] })
  })

  it('applies to the direct predecessor only', async () => {
    const r1 = await server.signIn(person)
    const r2 = await next(r1.refreshToken)
    const r3 = await next(r2.refreshToken)
    expect((await next(r2.refreshToken)).refreshToken).toBe(r3.refreshToken)
    expect((await refresh(r1.refreshToken)).status).toBe(401)
    await expectDead({ access: [], refresh: [r2.refreshToken, r3.refreshToken] })
  })

  it('does not restart with every second use', async () => {
    const r1 = await server.signIn(person)
    await next(r1.refreshToken)
    await freezeAfter(8_000)
    expect((await refresh(r1.refreshToken)).status).toBe(200)
    await freezeAfter(12_000)
    expect((await refresh(r1.refreshToken)).status).toBe(401)
  })
})

describe('the database', () => {
  it('never holds two valid tokens of one session, or a successor of an older generation', async () => {
    const r1 = await server.signIn(person)
    const r2 = await next(r1.refreshToken)
    await next(r1.refreshToken)
    await next(r2.refreshToken)
    const rows = await server.world.query(
      `select generation, used_at is null as alive, successor is not null as boxed
       from directory.refresh_tokens where session_id = $1 order by generation`,
      [decodeJwt(r1.accessToken).sid],
    )
    expect(rows).toEqual([
      { generation: 1, alive: false, boxed: false },
      { generation: 2, alive: false, boxed: true },
      { generation: 3, alive: true, boxed: false },
    ])
  })
})
