import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

let server: TestServer
let center: Center
let person: Person
let accessToken: string
let restoreClock = () => {}

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center, 'INSTRUCTOR')
  accessToken = (await server.signIn(person)).accessToken
})
afterEach(() => restoreClock())
afterAll(() => server.close())

const issue = (token: string, body: unknown) => server.call('POST', '/api/auth/sso/token', { token, body })
const verify = (body: unknown) => server.call('POST', '/api/auth/sso/verify', { body })
const newToken = async (targetApp = 'lms', token = accessToken): Promise<string> =>
  (await issue(token, { targetApp })).body.data.token

describe('POST /auth/sso/token: 200', () => {
  it.each(['lms', 'cms', 'erp'])('a token for %s that is valid for 60 seconds', async (targetApp) => {
    const at = Date.now()
    restoreClock = useClock(() => at)
    const { status, body } = await issue(accessToken, { targetApp })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: { token: expect.stringMatching(/^cst_[\w-]{43}$/), expiresAt: new Date(at + 60_000).toISOString() },
    })
  })

  it('stores only a digest', async () => {
    const token = await newToken()
    const rows = await server.world.query<{ row: string }>('select t::text as row from directory.sso_tokens t')
    const digest = createHash('sha256').update(token).digest('hex')
    expect(rows.filter(({ row }) => row.includes(digest))).toHaveLength(1)
    expect(rows.some(({ row }) => row.includes(token))).toBe(false)
  })
})

describe('POST /auth/sso/token: refusals', () => {
  it.each([
    ['no app', {}, 'MISSING_REQUIRED_FIELD'],
    ['an unknown app', { targetApp: 'crm' }, 'VALIDATION_ERROR'],
    ['another letter case', { targetApp: 'LMS' }, 'VALIDATION_ERROR'],
    ['a list', { targetApp: ['lms'] }, 'VALIDATION_ERROR'],
    ['an unknown field', { targetApp: 'lms', centerId: 1 }, 'VALIDATION_ERROR'],
  ])('400 for %s', async (_, body, code) => {
    const answer = await issue(accessToken, body)
    expect([answer.status, answer.body.error.code]).toEqual([400, code])
  })

  it('401 without a token and with an API key', async () => {
    for (const headers of [{}, { authorization: `Bearer ${await server.world.key(center)}` }]) {
      const { status, body } = await server.call('POST', '/api/auth/sso/token', {
        body: { targetApp: 'lms' },
        headers: { ...headers },
      })
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  it('403 NO_MEMBERSHIP without a center, MEMBERSHIP_SUSPENDED for a suspended member', async () => {
    const guest = await server.signIn(await server.world.person())
    const refused = await issue(guest.accessToken, { targetApp: 'lms' })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'NO_MEMBERSHIP'])
    const member = await server.world.person()
    await server.world.member(member, center)
    const signedIn = await server.signIn(member)
    await server.world.setMembership(member, center, { status: 'SUSPENDED' })
    const suspended = await issue(signedIn.accessToken, { targetApp: 'lms' })
    expect([suspended.status, suspended.body.error.code]).toEqual([403, 'MEMBERSHIP_SUSPENDED'])
  })
})

describe('POST /auth/sso/verify: 200', () => {
  it('identifies the person to the companion app, without any other credential', async () => {
    const { status, body } = await verify({ token: await newToken('cms') })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        actorId: person.actorId,
        email: person.email,
        name: `Person ${person.email.split('@')[0]}`,
        role: 'INSTRUCTOR',
        centerId: center.id,
        centerDomain: center.domain,
        targetApp: 'cms',
        memberships: [
          {
            id: expect.stringMatching(/^mbr_/),
            centerId: center.id,
            centerName: `Center ${center.domain}`,
            centerDomain: center.domain,
            role: 'INSTRUCTOR',
            roles: ['INSTRUCTOR'],
            status: 'ACTIVE',
            invitedAt: expect.any(String),
            endedAt: null,
          },
        ],
      },
    })
  })

  it('once: the second use is 401', async () => {
    const token = await newToken()
    expect((await verify({ token })).status).toBe(200)
    const { status, body } = await verify({ token })
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('with the app named, when it is the right one', async () => {
    expect((await verify({ token: await newToken('erp'), targetApp: 'erp' })).status).toBe(200)
  })
})

describe('POST /auth/sso/verify: refusals', () => {
  it.each([
    ['no token', {}, 'MISSING_REQUIRED_FIELD'],
    ['an empty token', { token: '' }, 'VALIDATION_ERROR'],
    ['an unknown app', { token: 'cst_x', targetApp: 'crm' }, 'VALIDATION_ERROR'],
    ['an unknown field', { token: 'cst_x', app: 'lms' }, 'VALIDATION_ERROR'],
  ])('400 for %s', async (_, body, code) => {
    const answer = await verify(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, code])
  })

  it('401 for another app, which does not consume the token', async () => {
    const token = await newToken('lms')
    expect((await verify({ token, targetApp: 'cms' })).status).toBe(401)
    expect((await verify({ token, targetApp: 'lms' })).status).toBe(200)
  })

  it('401 after 60 seconds, and not before', async () => {
    const issuedAt = Date.now()
    let ahead = 0
    restoreClock = useClock(() => issuedAt + ahead)
    const [early, late] = [await newToken(), await newToken()]
    ahead = 59_900
    expect((await verify({ token: early })).status).toBe(200)
    ahead = 60_000
    expect((await verify({ token: late })).status).toBe(401)
  })

  it('401 with the same body for an invented token, a refresh token and an API key', async () => {
    const { refreshToken } = await server.signIn(person)
    const madeUp = await verify({ token: 'cst_madeup' })
    expect([madeUp.status, madeUp.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    for (const token of [refreshToken, await server.world.key(center)]) {
      expect((await verify({ token })).text).toBe(madeUp.text)
    }
  })

  it('401 when the session that requested it has ended', async () => {
    const session = await server.signIn(person)
    const token = await newToken('lms', session.accessToken)
    await server.call('POST', '/api/auth/logout', { token: session.accessToken })
    expect((await verify({ token })).status).toBe(401)
  })

  it.each([
    ['SUSPENDED', 'MEMBERSHIP_SUSPENDED'],
    ['ENDED', 'MEMBERSHIP_ENDED'],
    ['REJECTED', 'NO_MEMBERSHIP'],
  ])('403 when the membership became %s: %s', async (state, code) => {
    const member = await server.world.person()
    await server.world.member(member, center)
    const token = await newToken('lms', (await server.signIn(member)).accessToken)
    await server.world.setMembership(member, center, { status: state })
    const { status, body } = await verify({ token })
    expect([status, body.error.code]).toEqual([403, code])
  })

  it('403 CENTER_SUSPENDED when the center was suspended', async () => {
    const closing = await server.world.center()
    const member = await server.world.person()
    await server.world.member(member, closing)
    const token = await newToken('lms', (await server.signIn(member)).accessToken)
    await server.world.setCenterStatus(closing, 'SUSPENDED')
    const { status, body } = await verify({ token })
    expect([status, body.error.code]).toEqual([403, 'CENTER_SUSPENDED'])
  })
})
