import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

const path = '/api/auth/me'
let server: TestServer
let center: Center
let person: Person

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center, 'INSTRUCTOR')
})
afterAll(() => server.close())

const me = (token?: string) => server.call('GET', path, token === undefined ? {} : { token })

describe('200', () => {
  it('shows the actor and the entered center', async () => {
    const { accessToken } = await server.signIn(person)
    const { status, body } = await me(accessToken)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        actorId: person.actorId,
        email: person.email,
        phone: null,
        language: null,
        name: `Person ${person.email.split('@')[0]}`,
        role: 'INSTRUCTOR',
        centerId: center.id,
        centerDomain: center.domain,
        authorizedDomains: [center.domain],
        memberships: [
          {
            id: expect.stringMatching(/^mbr_/),
            centerId: center.id,
            centerName: `Center ${center.domain}`,
            centerDomain: center.domain,
            role: 'INSTRUCTOR',
            roles: ['INSTRUCTOR'],
            status: 'ACTIVE',
            invitedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            endedAt: null,
          },
        ],
        confined: false,
        partnerRole: null,
      },
    })
  })

  it('lists memberships of every status, but only domains that can be entered', async () => {
    const many = await server.world.person()
    const statuses = ['ACTIVE', 'INVITED', 'PENDING', 'SUSPENDED', 'REJECTED', 'ENDED']
    const centers = await Promise.all(statuses.map(() => server.world.center()))
    for (const [i, status] of statuses.entries()) {
      await server.world.member(many, centers[i] as Center, 'PARENT', status)
    }
    const closed = await server.world.center({ status: 'SUSPENDED' })
    await server.world.member(many, closed, 'ADMIN')
    await server.world.query('update directory.memberships set ended_at = $2 where center_id = $1', [
      centers[5]?.id,
      '2026-01-02T03:04:05.678Z',
    ])
    const { body } = await me((await server.signIn(many)).accessToken)
    expect(body.data.authorizedDomains).toEqual([centers[0]?.domain])
    expect(body.data.memberships.map((each: { status: string }) => each.status).sort()).toEqual(
      [...statuses, 'ACTIVE'].sort(),
    )
    const ended = body.data.memberships.find((each: { status: string }) => each.status === 'ENDED')
    expect(ended.endedAt).toBe('2026-01-02T03:04:05.678Z')
  })

  it('is null where no center is entered', async () => {
    const guest = await server.world.person()
    const { status, body } = await me((await server.signIn(guest)).accessToken)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ centerId: null, centerDomain: null, authorizedDomains: [], memberships: [] })
  })

  it('names the role at the partner that the person acts for', async () => {
    for (const role of ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] as const) {
      const colleague = await server.world.person()
      await server.world.account(colleague, await server.world.partner(), role)
      expect((await me((await server.signIn(colleague)).accessToken)).body.data.partnerRole).toBe(role)
    }
  })

  it('shows a new role without a new token', async () => {
    const rising = await server.world.person()
    await server.world.member(rising, center, 'INSTRUCTOR')
    const { accessToken } = await server.signIn(rising)
    await server.world.setMembership(rising, center, { role: 'ADMIN' })
    server.services.authenticate.forget(`center:${center.id}`)
    expect((await me(accessToken)).body.data.role).toBe('ADMIN')
  })
})

describe('401', () => {
  it.each([
    ['no credential', {}],
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['a word in place of a token', { authorization: 'Bearer admin' }],
    ['Basic credentials', { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }],
  ])('UNAUTHORIZED for %s', async (_, headers) => {
    const { status, body } = await server.call('GET', path, { headers: { ...headers } })
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('UNAUTHORIZED for an API key, which belongs to the other surface', async () => {
    const { status, body } = await me(await server.world.key(center))
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('TOKEN_EXPIRED after 900 seconds, and not before', async () => {
    const { accessToken } = await server.signIn(person)
    const signedInAt = Date.now()
    let ahead = 895_000
    const restore = useClock(() => signedInAt + ahead)
    try {
      expect((await me(accessToken)).status).toBe(200)
      ahead = 901_000
      const { status, body } = await me(accessToken)
      expect([status, body.error.code]).toEqual([401, 'TOKEN_EXPIRED'])
    } finally {
      restore()
    }
  })

  it('UNAUTHORIZED when the session has ended', async () => {
    const { accessToken } = await server.signIn(person)
    expect((await server.call('POST', '/api/auth/logout', { token: accessToken })).status).toBe(204)
    const { status, body } = await me(accessToken)
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })
})

describe('403: the center that was entered', () => {
  it.each([
    ['SUSPENDED', 'MEMBERSHIP_SUSPENDED'],
    ['ENDED', 'MEMBERSHIP_ENDED'],
    ['REJECTED', 'NO_MEMBERSHIP'],
  ])('a membership that became %s: %s', async (state, code) => {
    const leaving = await server.world.person()
    await server.world.member(leaving, center)
    const { accessToken } = await server.signIn(leaving)
    await server.world.setMembership(leaving, center, { status: state })
    const { status, body } = await me(accessToken)
    expect([status, body.error.code]).toEqual([403, code])
  })

  it.each(['SUSPENDED', 'INACTIVE'])('a center that became %s: CENTER_SUSPENDED', async (state) => {
    const closing = await server.world.center()
    const member = await server.world.person()
    await server.world.member(member, closing)
    const { accessToken } = await server.signIn(member)
    await server.world.setCenterStatus(closing, state)
    const { status, body } = await me(accessToken)
    expect([status, body.error.code]).toEqual([403, 'CENTER_SUSPENDED'])
  })

  it('a membership that was deleted: NO_MEMBERSHIP', async () => {
    const removed = await server.world.person()
    await server.world.member(removed, center)
    const { accessToken } = await server.signIn(removed)
    await server.world.query('delete from directory.memberships where actor_id = $1', [removed.actorId])
    const { status, body } = await me(accessToken)
    expect([status, body.error.code]).toEqual([403, 'NO_MEMBERSHIP'])
  })
})
