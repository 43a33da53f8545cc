import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

const origin = 'http://countersign.test'
let server: TestServer
let center: Center
let person: Person

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center, 'ADMIN')
})
afterAll(() => server.close())

const start = (body: object) => server.call('POST', '/api/auth/session', { body })
const started = () => start({ email: person.email, password: person.password })
const lineOf = ({ headers }: { headers: Headers }, name: string) =>
  headers.getSetCookie().find((line) => line.startsWith(`${name}=`)) ?? ''
const tokenOf = (answer: { headers: Headers }) => lineOf(answer, 'refresh_token').split(/[=;]/)[1] ?? ''
const withToken = (value: string, headers: Record<string, string> = { origin }) => ({
  headers: { cookie: `refresh_token=${value}`, ...headers },
})
const refresh = (value: string, headers?: Record<string, string>) =>
  server.call('POST', '/api/auth/session/refresh', withToken(value, headers))

describe('auth.startSession', () => {
  it('keeps the refresh token in a cookie for /api/auth, and out of the answer', async () => {
    const answer = await started()
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body.data).sort()).toEqual([
      'accessToken',
      'actor',
      'center',
      'destination',
      'environment',
      'expiresIn',
      'operator',
    ])
    expect(lineOf(answer, 'refresh_token')).toMatch(
      /^refresh_token=csr_\S+; Max-Age=2592000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/,
    )
    expect(answer.text).not.toContain(tokenOf(answer))
    expect(lineOf(answer, 'auth_token')).toContain(answer.body.data.accessToken)
  })

  it('takes over the refresh token of another sign-in, which is then spent', async () => {
    const other = await server.signIn(person)
    const answer = await start({ refreshToken: other.refreshToken })
    expect(answer.status).toBe(200)
    expect(tokenOf(answer)).not.toBe(other.refreshToken)
    expect((await refresh(tokenOf(answer))).status).toBe(200)
    const again = await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken: other.refreshToken } })
    expect(again.status).toBe(401)
  })

  it.each([
    ['no password', { email: 'a@b.example' }, 400, 'MISSING_REQUIRED_FIELD'],
    ['both credentials', { email: 'a@b.example', refreshToken: 'csr_x' }, 400, 'VALIDATION_ERROR'],
    ['an unknown field', { password: 'x', remember: true }, 400, 'VALIDATION_ERROR'],
    ['a wrong password', { email: 'a@b.example', password: 'x' }, 401, 'INVALID_CREDENTIALS'],
    ['an unknown refresh token', { refreshToken: 'csr_x' }, 401, 'UNAUTHORIZED'],
  ])('refuses %s', async (_, body, status, code) => {
    const answer = await start(body)
    expect([answer.status, answer.body.error.code, answer.headers.getSetCookie()]).toEqual([status, code, []])
  })
})

describe('auth.refreshSession', () => {
  it('gives two tabs the same successor', async () => {
    const token = tokenOf(await started())
    const answers = await Promise.all([refresh(token), refresh(token)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(tokenOf(answers[0])).toBe(tokenOf(answers[1]))
    expect((await refresh(tokenOf(answers[0]))).status).toBe(200)
  })

  it('ends the session when a spent token is used later', async () => {
    const answer = await started()
    const next = await refresh(tokenOf(answer))
    const restore = useClock(() => Date.now() + 11_000)
    try {
      expect((await refresh(tokenOf(answer))).status).toBe(401)
      expect((await refresh(tokenOf(next))).status).toBe(401)
    } finally {
      restore()
    }
  })

  it.each([
    ['another origin', { origin: 'https://elsewhere.example' }],
    ['no origin', {}],
  ])('refuses %s, and leaves the token unspent', async (_, headers) => {
    const token = tokenOf(await started())
    const answer = await refresh(token, headers)
    expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect((await refresh(token)).status).toBe(200)
  })

  it('refuses a request without the cookie', async () => {
    const answer = await server.call('POST', '/api/auth/session/refresh', { headers: { origin } })
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('refuses a member who was suspended, without spending the token', async () => {
    const member = await server.world.person()
    await server.world.member(member, center, 'INSTRUCTOR')
    const token = tokenOf(await start({ email: member.email, password: member.password, centerDomain: center.domain }))
    await server.world.query(`update directory.memberships set status = 'SUSPENDED' where actor_id = $1`, [
      member.actorId,
    ])
    expect((await refresh(token)).body.error.code).toBe('MEMBERSHIP_SUSPENDED')
    await server.world.query(`update directory.memberships set status = 'ACTIVE' where actor_id = $1`, [member.actorId])
    expect((await refresh(token)).status).toBe(200)
  })
})

describe('auth.switchSession', () => {
  it('replaces both cookies and ends the session before', async () => {
    const other = await server.world.center()
    await server.world.member(person, other, 'ADMIN')
    const first = await start({ email: person.email, password: person.password, centerDomain: center.domain })
    const answer = await server.call('POST', '/api/auth/session/center', {
      token: first.body.data.accessToken,
      body: { centerId: other.id },
    })
    expect(answer.body.data.center.id).toBe(other.id)
    expect((await refresh(tokenOf(answer))).body.data.center.id).toBe(other.id)
    expect((await refresh(tokenOf(first))).status).toBe(401)
  })
})

describe('auth.endSession', () => {
  const end = (call: object) => server.call('DELETE', '/api/auth/session', call)

  it('ends the session of the cookie without an access token, and clears both cookies', async () => {
    const answer = await started()
    const ended = await end(withToken(tokenOf(answer)))
    expect(ended.status).toBe(204)
    expect(lineOf(ended, 'refresh_token')).toMatch(/^refresh_token=; Max-Age=0; Path=\/api\/auth;/)
    expect(lineOf(ended, 'auth_token')).toMatch(/^auth_token=; Max-Age=0; Path=\/;/)
    expect((await refresh(tokenOf(answer))).status).toBe(401)
    const me = await server.call('GET', '/api/auth/me', { token: answer.body.data.accessToken })
    expect(me.status).toBe(401)
  })

  it('answers the same without a session, and refuses another origin', async () => {
    expect((await end({})).status).toBe(204)
    expect((await end(withToken('csr_unknown'))).status).toBe(204)
    const answer = await started()
    expect((await end(withToken(tokenOf(answer), {}))).status).toBe(403)
    expect((await refresh(tokenOf(answer))).status).toBe(200)
  })
})

describe('sessions.list and sessions.end', () => {
  it('names the device of the sign-in, also after a change of center from elsewhere', async () => {
    const member = await server.world.person()
    await server.world.member(member, center)
    const { email, password } = member
    const headers = { 'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/142.0.0.0 Safari/537.36' }
    const begun = await server.call('POST', '/api/auth/session', { body: { email, password }, headers })
    const token = begun.body.data.accessToken
    const moved = await server.call('POST', '/api/auth/session/center', { token, body: { centerId: center.id } })
    const listed = await server.call('GET', '/api/auth/sessions', { token: moved.body.data.accessToken })
    expect(listed.body.data).toMatchObject([{ device: { browser: 'Chrome', system: 'macOS' } }])
  })

  it('shows own sessions only, and ends another one at once', async () => {
    const member = await server.world.person()
    await server.world.member(member, center)
    const [one, two] = [await server.signIn(member, center.domain), await server.signIn(member)]
    const { body } = await server.call('GET', '/api/auth/sessions', { token: one.accessToken })
    expect(body.data).toHaveLength(2)
    const [current, other] = [true, false].map((is) =>
      body.data.find((each: { current: boolean }) => each.current === is),
    )
    expect(current.center).toEqual({ id: center.id, name: expect.any(String), domain: center.domain })
    const path = `/api/auth/sessions/${other.id}`
    expect((await server.call('DELETE', path, { token: one.accessToken })).status).toBe(204)
    expect((await server.call('GET', '/api/auth/me', { token: two.accessToken })).status).toBe(401)
    expect((await server.call('DELETE', path, { token: one.accessToken })).status).toBe(404)
    const stranger = await server.signIn(person)
    const foreign = await server.call('DELETE', `/api/auth/sessions/${current.id}`, { token: stranger.accessToken })
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
