import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

const path = '/api/auth/refresh-token'
const day = 86_400_000
let server: TestServer
let center: Center
let person: Person
let restoreClock = () => {}

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center, 'INSTRUCTOR')
})
afterEach(() => restoreClock())
afterAll(() => server.close())

const refresh = (refreshToken: unknown) => server.call('POST', path, { body: { refreshToken } })
const me = (token: string) => server.call('GET', '/api/auth/me', { token })
const inDays = (days: number) => {
  const at = Date.now() + days * day
  restoreClock = useClock(() => at)
}

describe('200', () => {
  it('answers with a new pair for the same session and center', async () => {
    const first = await server.signIn(person)
    const { status, body } = await refresh(first.refreshToken)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^csr_[\w-]{43}$/),
        expiresIn: 900,
        actor: {
          id: person.actorId,
          email: person.email,
          name: `Person ${person.email.split('@')[0]}`,
          role: 'INSTRUCTOR',
        },
        center: { id: center.id, name: `Center ${center.domain}`, domain: center.domain },
        destination: 'workspace',
      },
    })
    expect(body.data.refreshToken).not.toBe(first.refreshToken)
    expect(body.data.accessToken).not.toBe(first.accessToken)
    expect(decodeJwt(body.data.accessToken).sid).toBe(decodeJwt(first.accessToken).sid)
    expect((await me(body.data.accessToken)).status).toBe(200)
    expect((await me(first.accessToken)).status).toBe(200)
  })

  it('needs no access token, so an expired one does not prevent a refresh', async () => {
    const first = await server.signIn(person)
    inDays(1)
    expect((await me(first.accessToken)).body.error.code).toBe('TOKEN_EXPIRED')
    const { status, body } = await refresh(first.refreshToken)
    expect(status).toBe(200)
    expect((await me(body.data.accessToken)).status).toBe(200)
  })

  it('returns the current role', async () => {
    const rising = await server.world.person()
    await server.world.member(rising, center, 'INSTRUCTOR')
    const { refreshToken } = await server.signIn(rising)
    await server.world.setMembership(rising, center, { role: 'ADMIN' })
    const { body } = await refresh(refreshToken)
    expect(body.data.actor.role).toBe('ADMIN')
    expect(decodeJwt(body.data.accessToken).role).toBe('ADMIN')
  })

  it('continues without a center where none was entered', async () => {
    const guest = await server.world.person()
    const { refreshToken } = await server.signIn(guest)
    const { body } = await refresh(refreshToken)
    expect(body.data).toMatchObject({ center: null, destination: 'onboarding' })
  })

  it('writes no audit entry, because the session has not changed', async () => {
    const quiet = await server.world.person()
    const { refreshToken } = await server.signIn(quiet)
    await refresh((await refresh(refreshToken)).body.data.refreshToken)
    const entries = await server.world.query(
      `select details ->> 'action' as action from directory.audit_entries where actor_id = $1`,
      [quiet.actorId],
    )
    expect(entries).toEqual([{ action: 'start' }])
  })
})

describe('400', () => {
  it.each([
    ['no token', {}, 'MISSING_REQUIRED_FIELD'],
    ['an empty token', { refreshToken: '' }, 'VALIDATION_ERROR'],
    ['a number', { refreshToken: 7 }, 'VALIDATION_ERROR'],
    ['an unknown field', { refreshToken: 'x', sid: 'y' }, 'VALIDATION_ERROR'],
  ])('%s', async (_, body, code) => {
    const answer = await server.call('POST', path, { body })
    expect([answer.status, answer.body.error.code]).toEqual([400, code])
  })
})

describe('401 UNAUTHORIZED', () => {
  it('every other credential gets the answer of an invented token', async () => {
    const { accessToken, refreshToken } = await server.signIn(person)
    const sso = await server.call('POST', '/api/auth/sso/token', { token: accessToken, body: { targetApp: 'lms' } })
    const madeUp = await refresh('csr_madeup')
    expect([madeUp.status, madeUp.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    const others = [
      sso.body.data.token,
      await server.world.key(center),
      person.password,
      `${refreshToken} `,
      refreshToken.slice(0, -1),
      refreshToken.toUpperCase(),
      refreshToken.replace('csr_', 'cst_'),
      accessToken,
    ]
    for (const other of others) expect([other, (await refresh(other)).text]).toEqual([other, madeUp.text])
    expect((await refresh(refreshToken)).status).toBe(200)
  })

  it('after 30 days, however often it was refreshed in between', async () => {
    const kept = await server.signIn(person)
    const renewed = await server.signIn(person)
    inDays(29.9)
    const later = await refresh(renewed.refreshToken)
    expect(later.status).toBe(200)
    restoreClock()
    inDays(30.01)
    for (const token of [kept.refreshToken, later.body.data.refreshToken]) {
      const { status, body } = await refresh(token)
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
    // The access token is valid for some more minutes, but its session is not.
    expect((await me(later.body.data.accessToken)).status).toBe(401)
  })

  it('after logout', async () => {
    const { accessToken, refreshToken } = await server.signIn(person)
    await server.call('POST', '/api/auth/logout', { token: accessToken })
    expect((await refresh(refreshToken)).status).toBe(401)
  })
})

describe('403: the center can no longer be entered', () => {
  it.each([
    ['SUSPENDED', 'MEMBERSHIP_SUSPENDED'],
    ['ENDED', 'MEMBERSHIP_ENDED'],
    ['REJECTED', 'NO_MEMBERSHIP'],
  ])('a membership that became %s: %s; the refusal does not spend the token', async (state, code) => {
    const member = await server.world.person()
    await server.world.member(member, center)
    const { refreshToken } = await server.signIn(member)
    await server.world.setMembership(member, center, { status: state })
    const { status, body } = await refresh(refreshToken)
    expect([status, body.error.code]).toEqual([403, code])
    await server.world.setMembership(member, center, { status: 'ACTIVE' })
    expect((await refresh(refreshToken)).status).toBe(200)
  })

  it('a center that was suspended: CENTER_SUSPENDED', async () => {
    const closing = await server.world.center()
    const member = await server.world.person()
    await server.world.member(member, closing)
    const { refreshToken } = await server.signIn(member)
    await server.world.setCenterStatus(closing, 'SUSPENDED')
    const { status, body } = await refresh(refreshToken)
    expect([status, body.error.code]).toEqual([403, 'CENTER_SUSPENDED'])
  })
})
