import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

const path = '/api/auth/login'
let server: TestServer
let center: Center
let admin: Person

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  admin = await server.world.person({ phone: '+821012345678' })
  await server.world.member(admin, center, 'ADMIN')
})
afterAll(() => server.close())

const login = (body: unknown) => server.call('POST', path, { body })
const sessionsOf = (person: Person) =>
  server.world.query('select id from directory.sessions where actor_id = $1', [person.actorId])
const auditOf = (person: Person) =>
  server.world.query<{ center_id: number; type: string; target_id: string; details: { action: string } }>(
    'select center_id, type, target_id, details from directory.audit_entries where actor_id = $1',
    [person.actorId],
  )

describe('200', () => {
  it('answers with the token pair, the actor and the center, and nothing else', async () => {
    const { status, body } = await login({ email: admin.email, password: admin.password, centerDomain: center.domain })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refreshToken: expect.stringMatching(/^csr_[\w-]{43}$/),
        expiresIn: 900,
        actor: { id: admin.actorId, email: admin.email, name: `Person ${admin.email.split('@')[0]}`, role: 'ADMIN' },
        center: { id: center.id, name: `Center ${center.domain}`, domain: center.domain },
        destination: 'admin_dashboard',
      },
    })
  })

  it('signs a JWT with the claims of the specification, with a key of the published set', async () => {
    const { accessToken } = await server.signIn(admin)
    const jwks = await server.call('GET', '/.well-known/jwks.json')
    const header = decodeProtectedHeader(accessToken)
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    expect(jwks.body.keys.map((key: { kid: string }) => key.kid)).toContain(header.kid)
    const claims = decodeJwt(accessToken)
    expect(claims).toEqual({
      actorId: admin.actorId,
      sub: admin.actorId,
      email: admin.email,
      centerId: center.id,
      centerDomain: center.domain,
      role: 'ADMIN',
      authorizedDomains: [center.domain],
      sid: expect.any(String),
      jti: expect.any(String),
      iss: 'http://countersign.test',
      aud: 'http://countersign.test',
      iat: expect.any(Number),
      exp: (claims.iat as number) + 900,
    })
  })

  it('accepts the phone in place of the email', async () => {
    const { status, body } = await login({ phone: '+821012345678', password: admin.password })
    expect(status).toBe(200)
    expect(body.data.actor.id).toBe(admin.actorId)
  })

  it('ignores the letter case of the email', async () => {
    const { status, body } = await login({ email: admin.email.toUpperCase(), password: admin.password })
    expect(status).toBe(200)
    expect(body.data.actor.email).toBe(admin.email)
  })

  it('starts a new session each time, with one audit entry each', async () => {
    const person = await server.world.person()
    await server.world.member(person, center, 'INSTRUCTOR')
    const tokens = [await server.signIn(person), await server.signIn(person)]
    const sids = tokens.map(({ accessToken }) => decodeJwt(accessToken).sid)
    expect(new Set(sids).size).toBe(2)
    expect((await sessionsOf(person)).map(({ id }) => id).sort()).toEqual(sids.sort())
    const entries = await auditOf(person)
    expect(entries.map(({ type, details }) => [type, details.action])).toEqual([
      ['session.changed', 'start'],
      ['session.changed', 'start'],
    ])
    expect(new Set(entries.map((entry) => entry.target_id)).size).toBe(2)
    expect(entries.every((entry) => entry.center_id === center.id && entry.target_id.startsWith('ses_'))).toBe(true)
  })

  it('stores only a digest of the refresh token', async () => {
    const { refreshToken } = await server.signIn(admin)
    const digest = createHash('sha256').update(refreshToken).digest()
    const rows = await server.world.query<{ row: string }>('select t::text as row from directory.refresh_tokens t')
    expect(rows.filter(({ row }) => row.includes(digest.toString('hex')))).toHaveLength(1)
    expect(rows.some(({ row }) => row.includes(refreshToken))).toBe(false)
  })
})

describe('400', () => {
  const email = 'person@people.example'
  const password = 'a password'
  it.each([
    ['an empty body', {}, 'MISSING_REQUIRED_FIELD'],
    ['no password', { email }, 'MISSING_REQUIRED_FIELD'],
    ['neither email nor phone', { password }, 'MISSING_REQUIRED_FIELD'],
    ['both email and phone', { email, phone: '+821012345678', password }, 'VALIDATION_ERROR'],
    ['an email without @', { email: 'person', password }, 'INVALID_EMAIL'],
    ['an empty email', { email: '', password }, 'INVALID_EMAIL'],
    ['an email with a space', { email: 'a person@people.example', password }, 'INVALID_EMAIL'],
    ['an email beyond ASCII', { email: 'pérson@people.example', password }, 'INVALID_EMAIL'],
    ['an email that is a number', { email: 5, password }, 'VALIDATION_ERROR'],
    ['an email that is null', { email: null, password }, 'VALIDATION_ERROR'],
    ['a phone without +', { phone: '01012345678', password }, 'VALIDATION_ERROR'],
    ['a phone with spaces', { phone: '+82 10 1234 5678', password }, 'VALIDATION_ERROR'],
    ['a phone of sixteen digits', { phone: '+8210123456789012', password }, 'VALIDATION_ERROR'],
    ['an empty password', { email, password: '' }, 'VALIDATION_ERROR'],
    ['a password of 1,025 characters', { email, password: 'x'.repeat(1025) }, 'VALIDATION_ERROR'],
    ['a password that is a list', { email, password: ['a'] }, 'VALIDATION_ERROR'],
    ['an empty centerDomain', { email, password, centerDomain: '' }, 'VALIDATION_ERROR'],
    ['an unknown field', { email, password, role: 'ADMIN' }, 'VALIDATION_ERROR'],
    ['a list in place of an object', [], 'VALIDATION_ERROR'],
  ])('%s', async (_, body, code) => {
    const answer = await login(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, code])
  })

  it('no body: the first missing field is named', async () => {
    const { status, body } = await server.call('POST', path)
    expect([status, body.error.code]).toEqual([400, 'MISSING_REQUIRED_FIELD'])
    expect(body.error.message).toContain('password')
  })

  it('a body that is not JSON', async () => {
    const { status, body } = await server.call('POST', path, { raw: '{"email":' })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('a form in place of JSON', async () => {
    const { status, body } = await server.call('POST', path, {
      raw: `email=${admin.email}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('401 INVALID_CREDENTIALS', () => {
  it('a wrong password and an unknown account get the same body', async () => {
    const wrong = await login({ email: admin.email, password: 'not the password' })
    const unknown = await login({ email: 'unknown@people.example', password: 'not the password' })
    const unknownPhone = await login({ phone: '+15550000000', password: 'not the password' })
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'INVALID_CREDENTIALS'])
    for (const other of [unknown, unknownPhone]) expect([other.status, other.text]).toEqual([401, wrong.text])
  })

  it('an actor without a password cannot sign in', async () => {
    const guest = await server.world.person({ login: false })
    const { status, body } = await login({ email: guest.email, password: guest.password })
    expect([status, body.error.code]).toEqual([401, 'INVALID_CREDENTIALS'])
  })

  it('reveals nothing about centers before the password is right', async () => {
    for (const centerDomain of [center.domain, 'no-such-center']) {
      const { status, body } = await login({ email: admin.email, password: 'not the password', centerDomain })
      expect([status, body.error.code]).toEqual([401, 'INVALID_CREDENTIALS'])
    }
  })

  it('leaves no session and no audit entry', async () => {
    const person = await server.world.person()
    await server.world.member(person, center)
    expect((await login({ email: person.email, password: 'not the password' })).status).toBe(401)
    expect([await sessionsOf(person), await auditOf(person)]).toEqual([[], []])
  })
})

describe('403 and 404: a center that cannot be entered', () => {
  it.each([
    ['INVITED', 'NO_MEMBERSHIP'],
    ['PENDING', 'NO_MEMBERSHIP'],
    ['REJECTED', 'NO_MEMBERSHIP'],
    ['SUSPENDED', 'MEMBERSHIP_SUSPENDED'],
    ['ENDED', 'MEMBERSHIP_ENDED'],
  ])('a membership that is %s: %s, and no session', async (state, code) => {
    const person = await server.world.person()
    await server.world.member(person, center, 'ADMIN', state)
    const { status, body } = await login({
      email: person.email,
      password: person.password,
      centerDomain: center.domain,
    })
    expect([status, body.error.code]).toEqual([403, code])
    expect([await sessionsOf(person), await auditOf(person)]).toEqual([[], []])
  })

  it('no membership in that center: NO_MEMBERSHIP', async () => {
    const elsewhere = await server.world.center()
    const { status, body } = await login({
      email: admin.email,
      password: admin.password,
      centerDomain: elsewhere.domain,
    })
    expect([status, body.error.code]).toEqual([403, 'NO_MEMBERSHIP'])
  })

  it.each(['SUSPENDED', 'INACTIVE'])('a center that is %s: CENTER_SUSPENDED', async (state) => {
    const closed = await server.world.center({ status: state })
    const person = await server.world.person()
    await server.world.member(person, closed)
    const { status, body } = await login({
      email: person.email,
      password: person.password,
      centerDomain: closed.domain,
    })
    expect([status, body.error.code]).toEqual([403, 'CENTER_SUSPENDED'])
  })

  it('an unknown centerDomain: 404 CENTER_NOT_FOUND', async () => {
    const { status, body } = await login({
      email: admin.email,
      password: admin.password,
      centerDomain: 'no-such-center',
    })
    expect([status, body.error.code]).toEqual([404, 'CENTER_NOT_FOUND'])
  })
})
