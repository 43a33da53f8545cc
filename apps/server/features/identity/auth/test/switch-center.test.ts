import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

let server: TestServer
let home: Center
let away: Center
let person: Person

beforeAll(async () => {
  server = await startServer()
  home = await server.world.center()
  away = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, home, 'ADMIN')
  await server.world.member(person, away, 'INSTRUCTOR')
})
afterAll(() => server.close())

const switchTo = (token: string, centerId: unknown) =>
  server.call('POST', '/api/auth/switch-center', { token, body: { centerId } })
const me = (token: string) => server.call('GET', '/api/auth/me', { token })
const refresh = (refreshToken: string) => server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })
const auditOf = (who: Person) =>
  server.world.query<{ center_id: number; action: string; target_id: string }>(
    `select center_id, details ->> 'action' as action, target_id from directory.audit_entries
     where actor_id = $1 order by occurred_at, id`,
    [who.actorId],
  )

describe('200', () => {
  it('answers with a new pair for the target center, with the role of the membership there', async () => {
    const { accessToken } = await server.signIn(person, home.domain)
    const { status, body } = await switchTo(accessToken, away.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^csr_/),
        expiresIn: 900,
        actor: {
          id: person.actorId,
          email: person.email,
          name: `Person ${person.email.split('@')[0]}`,
          role: 'INSTRUCTOR',
        },
        center: { id: away.id, name: `Center ${away.domain}`, domain: away.domain },
        destination: 'workspace',
      },
    })
    expect(decodeJwt(body.data.accessToken)).toMatchObject({
      actorId: person.actorId,
      centerId: away.id,
      centerDomain: away.domain,
      role: 'INSTRUCTOR',
      authorizedDomains: [home.domain, away.domain],
    })
    expect((await me(body.data.accessToken)).body.data).toMatchObject({ centerId: away.id, role: 'INSTRUCTOR' })
  })

  it('starts a new session and ends the previous one at once', async () => {
    const before = await server.signIn(person, home.domain)
    expect((await me(before.accessToken)).status).toBe(200)
    const after = (await switchTo(before.accessToken, away.id)).body.data
    expect(decodeJwt(after.accessToken).sid).not.toBe(decodeJwt(before.accessToken).sid)
    expect((await me(before.accessToken)).status).toBe(401)
    expect((await refresh(before.refreshToken)).status).toBe(401)
    expect((await refresh(after.refreshToken)).status).toBe(200)
  })

  it('writes one audit entry, in the center that was entered', async () => {
    const person = await server.world.person()
    await server.world.member(person, home)
    await server.world.member(person, away)
    const { accessToken } = await server.signIn(person, home.domain)
    expect((await switchTo(accessToken, away.id)).status).toBe(200)
    const entries = await auditOf(person)
    expect(entries.map(({ center_id, action }) => [center_id, action])).toEqual([
      [home.id, 'start'],
      [away.id, 'switch'],
    ])
    expect(entries[0]?.target_id).not.toBe(entries[1]?.target_id)
  })

  it('lets a member of two centers leave the one where the membership is suspended', async () => {
    const member = await server.world.person()
    await server.world.member(member, home)
    await server.world.member(member, away)
    const { accessToken } = await server.signIn(member, home.domain)
    await server.world.setMembership(member, home, { status: 'SUSPENDED' })
    expect((await me(accessToken)).status).toBe(403)
    expect((await switchTo(accessToken, away.id)).status).toBe(200)
  })

  it('lets a person enter who has entered no center yet', async () => {
    const picker = await server.world.person()
    for (const center of [home, away]) await server.world.member(picker, center, 'PARENT')
    const { accessToken, answer } = await server.signIn(picker)
    expect(answer.body.data.destination).toBe('tenant_picker')
    const { body } = await switchTo(accessToken, home.id)
    expect(body.data).toMatchObject({ center: { id: home.id }, destination: 'workspace' })
  })

  it('enters one of two centers under concurrent requests', async () => {
    const { accessToken } = await server.signIn(person, home.domain)
    const answers = await Promise.all([home, away].map(({ id }) => switchTo(accessToken, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })
})

describe('400', () => {
  it.each([
    ['no centerId', {}, 'MISSING_REQUIRED_FIELD'],
    ['the number as text', { centerId: '1' }, 'VALIDATION_ERROR'],
    ['a fraction', { centerId: 1.5 }, 'VALIDATION_ERROR'],
    ['zero', { centerId: 0 }, 'VALIDATION_ERROR'],
    ['a negative number', { centerId: -1 }, 'VALIDATION_ERROR'],
    ['more than 32 bits', { centerId: 2 ** 31 }, 'VALIDATION_ERROR'],
    ['null', { centerId: null }, 'VALIDATION_ERROR'],
    ['an unknown field', { centerId: 1, role: 'ADMIN' }, 'VALIDATION_ERROR'],
  ])('%s', async (_, body, code) => {
    const { accessToken } = await server.signIn(person, home.domain)
    const answer = await server.call('POST', '/api/auth/switch-center', { token: accessToken, body })
    expect([answer.status, answer.body.error.code]).toEqual([400, code])
  })
})

describe('401', () => {
  it('without a token, and with an API key', async () => {
    for (const headers of [{}, { authorization: `Bearer ${await server.world.key(home)}` }]) {
      const { status, body } = await server.call('POST', '/api/auth/switch-center', {
        body: { centerId: away.id },
        headers: { ...headers },
      })
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })
})

describe('403', () => {
  it('an unknown center and a center without a membership get the same answer: NO_MEMBERSHIP', async () => {
    const { accessToken } = await server.signIn(person, home.domain)
    const foreign = await switchTo(accessToken, (await server.world.center()).id)
    const unknown = await switchTo(accessToken, 2 ** 31 - 1)
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'NO_MEMBERSHIP'])
    expect([unknown.status, unknown.text]).toEqual([403, foreign.text])
  })

  it.each([
    ['INVITED', 'NO_MEMBERSHIP'],
    ['PENDING', 'NO_MEMBERSHIP'],
    ['REJECTED', 'NO_MEMBERSHIP'],
    ['SUSPENDED', 'MEMBERSHIP_SUSPENDED'],
    ['ENDED', 'MEMBERSHIP_ENDED'],
  ])('a membership that is %s: %s; the session stays valid and nothing is audited', async (state, code) => {
    const member = await server.world.person()
    await server.world.member(member, home)
    await server.world.member(member, away, 'ADMIN', state)
    const { accessToken, refreshToken } = await server.signIn(member, home.domain)
    const { status, body } = await switchTo(accessToken, away.id)
    expect([status, body.error.code]).toEqual([403, code])
    expect((await me(accessToken)).body.data.centerId).toBe(home.id)
    expect((await refresh(refreshToken)).status).toBe(200)
    expect((await auditOf(member)).map(({ action }) => action)).toEqual(['start'])
  })

  it.each(['SUSPENDED', 'INACTIVE'])('a center that is %s: CENTER_SUSPENDED', async (state) => {
    const closed = await server.world.center({ status: state })
    const member = await server.world.person()
    await server.world.member(member, closed)
    const { accessToken } = await server.signIn(member)
    const { status, body } = await switchTo(accessToken, closed.id)
    expect([status, body.error.code]).toEqual([403, 'CENTER_SUSPENDED'])
  })
})
