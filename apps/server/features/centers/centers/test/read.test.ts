import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusals, type Fixture, openFixture } from './fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.server.close())

const get = (path: string, token?: string) => fixture.server.call('GET', `/api/centers${path}`, token ? { token } : {})

describe('GET /centers', () => {
  it('200 lists only the centers that the actor may enter', async () => {
    const { center, tokens, foreign } = fixture
    const { status, body } = await get('', tokens.admin)
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        id: center.id,
        name: `Center ${center.domain}`,
        centerDomain: center.domain,
        tenantType: 'CENTER',
        status: 'ACTIVE',
        sandbox: false,
        role: 'ADMIN',
      },
    ])
    expect((await get('', tokens.nonmember)).body.data.map((row: { id: number }) => row.id)).toEqual([foreign.id])
  })

  it('200 omits a center where the membership is suspended', async () => {
    expect((await get('', fixture.tokens.suspended)).body.data).toEqual([])
  })

  it('401 without a token and with an API key', async () => {
    expect((await get('')).status).toBe(401)
    expect((await get('', fixture.apiKey)).status).toBe(401)
  })
})

describe('GET /centers/{center}', () => {
  it('200 with the same body by slug and by id', async () => {
    const { center, tokens } = fixture
    const bySlug = await get(`/${center.domain}`, tokens.child)
    const byId = await get(`/${center.id}`, tokens.child)
    expect(bySlug.status).toBe(200)
    expect(bySlug.body.data).toMatchObject({
      id: center.id,
      centerDomain: center.domain,
      tenantType: 'CENTER',
      status: 'ACTIVE',
      vertical: 'education',
    })
    expect(byId.text).toBe(bySlug.text)
  })

  it('200 with the current number of active members', async () => {
    const { server, center, tokens } = fixture
    const before = (await get(`/${center.id}`, tokens.admin)).body.data.memberCount
    expect(before).toBe(4)
    const guest = await server.world.person()
    await server.world.member(guest, center, 'PARENT')
    expect((await get(`/${center.id}`, tokens.admin)).body.data.memberCount).toBe(5)
    await server.world.setMembership(guest, center, { status: 'ENDED' })
    expect((await get(`/${center.id}`, tokens.admin)).body.data.memberCount).toBe(4)
  })

  it('200 with the defaults of its vertical', async () => {
    const { settings } = (await get(`/${fixture.center.id}`, fixture.tokens.admin)).body.data
    expect(settings).toMatchObject({
      locale: 'ko-KR',
      timezone: 'Asia/Seoul',
      features: { attendance: true },
      booking: { slotMinutes: 50 },
    })
  })

  it('refuses every caller who is not an active member', () =>
    expectRefusals(fixture, 'GET', (center) => `/api/centers/${center}`))

  it('403 CENTER_SUSPENDED for a member of a suspended center', async () => {
    const { server } = fixture
    const [closing, member] = [await server.world.center(), await server.world.person()]
    await server.world.member(member, closing, 'ADMIN')
    const { accessToken } = await server.signIn(member)
    await server.world.setCenterStatus(closing, 'SUSPENDED')
    server.services.authenticate.forget(`center:${closing.id}`)
    const { status, body } = await get(`/${closing.id}`, accessToken)
    expect([status, body.error.code]).toEqual([403, 'CENTER_SUSPENDED'])
  })
})

describe('GET /centers/{center}/info', () => {
  it('200 without a credential, by slug and by id', async () => {
    const expected = { name: `Center ${fixture.center.domain}`, description: '', logo: '', vertical: 'education' }
    expect((await get(`/${fixture.center.domain}/info`)).body.data).toEqual(expected)
    expect((await get(`/${fixture.center.id}/info`)).body.data).toEqual(expected)
  })

  it('404 CENTER_NOT_FOUND for an unknown and for an ended center', async () => {
    const ended = await fixture.server.world.center({ status: 'INACTIVE' })
    for (const center of ['no-such-center', ended.domain]) {
      const { status, body } = await get(`/${center}/info`)
      expect([status, body.error.code]).toEqual([404, 'CENTER_NOT_FOUND'])
    }
  })
})

describe('GET /centers/{center}/instructors', () => {
  it('200 lists instructors with an active membership only', async () => {
    const { status, body } = await get(`/${fixture.center.domain}/instructors`, fixture.tokens.parent)
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        ...{ id: fixture.people.instructor.actorId, name: expect.any(String), role: 'INSTRUCTOR' },
        ...{ specialties: [], hours: null },
      },
    ])
  })

  it('refuses every caller who is not an active member', () =>
    expectRefusals(fixture, 'GET', (center) => `/api/centers/${center}/instructors`))
})
