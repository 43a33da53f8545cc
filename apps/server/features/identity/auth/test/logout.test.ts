import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

let server: TestServer
let center: Center
let person: Person

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center)
})
afterAll(() => server.close())

const logout = (token?: string) => server.call('POST', '/api/auth/logout', token === undefined ? {} : { token })
const me = (token: string) => server.call('GET', '/api/auth/me', { token })

describe('204', () => {
  it('ends the session and all its tokens at once', async () => {
    const { accessToken, refreshToken } = await server.signIn(person)
    const sso = await server.call('POST', '/api/auth/sso/token', { token: accessToken, body: { targetApp: 'lms' } })
    expect((await me(accessToken)).status).toBe(200)
    const { status, text } = await logout(accessToken)
    expect([status, text]).toEqual([204, ''])
    expect((await me(accessToken)).status).toBe(401)
    const refreshed = await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })
    expect(refreshed.status).toBe(401)
    const verified = await server.call('POST', '/api/auth/sso/verify', { body: { token: sso.body.data.token } })
    expect(verified.status).toBe(401)
  })

  it('deletes the cookie', async () => {
    const { headers } = await logout((await server.signIn(person)).accessToken)
    const [cookie] = headers.getSetCookie()
    expect(cookie).toMatch(/^auth_token=;/)
    expect(cookie).toMatch(/Max-Age=0/)
    expect(cookie).toMatch(/Path=\//)
  })

  it('does not affect other sessions of the same person', async () => {
    const [here, elsewhere] = [await server.signIn(person), await server.signIn(person)]
    await logout(here.accessToken)
    expect((await me(elsewhere.accessToken)).status).toBe(200)
  })

  it('is audited once, with the session that ended', async () => {
    const leaver = await server.world.person()
    await server.world.member(leaver, center)
    const { accessToken } = await server.signIn(leaver)
    const answers = await Promise.all([logout(accessToken), logout(accessToken), logout(accessToken)])
    expect(answers.map(({ status }) => status)).toContain(204)
    const entries = await server.world.query<{ action: string; target_id: string; center_id: number }>(
      `select details ->> 'action' as action, target_id, center_id from directory.audit_entries
       where actor_id = $1 order by occurred_at, id`,
      [leaver.actorId],
    )
    expect(entries.map(({ action, center_id }) => [action, center_id])).toEqual([
      ['start', center.id],
      ['revoke', center.id],
    ])
    expect(entries[1]?.target_id).toBe(entries[0]?.target_id)
    const [session] = await server.world.query('select revoke_reason from directory.sessions where id = $1', [
      decodeJwt(accessToken).sid,
    ])
    expect(session).toEqual({ revoke_reason: 'logout' })
  })

  it('is allowed to a suspended member and to a person without a center', async () => {
    const suspended = await server.world.person()
    await server.world.member(suspended, center)
    const { accessToken } = await server.signIn(suspended)
    await server.world.setMembership(suspended, center, { status: 'SUSPENDED' })
    expect((await logout(accessToken)).status).toBe(204)
    const guest = await server.signIn(await server.world.person())
    expect((await logout(guest.accessToken)).status).toBe(204)
  })
})

describe('401 UNAUTHORIZED', () => {
  it('without a token, with an API key, and the second time', async () => {
    const { accessToken } = await server.signIn(person)
    await logout(accessToken)
    for (const token of [undefined, await server.world.key(center), accessToken]) {
      const { status, body } = await logout(token)
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })
})
