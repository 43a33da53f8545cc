import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusals, type Fixture, openFixture } from './fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.server.close())

const patch = (body: unknown, token = fixture.tokens.admin, headers: Record<string, string> = {}) =>
  fixture.server.call('PATCH', `/api/centers/${fixture.center.id}/settings`, { token, body, headers })

const audited = (type: string) =>
  fixture.server.world.query<{ actor_id: string; details: Record<string, string> }>(
    'select actor_id, details from directory.audit_entries where center_id = $1 and type = $2 order by occurred_at',
    [fixture.center.id, type],
  )

describe('PATCH /centers/{center}/settings', () => {
  it('200 merges objects, replaces values, removes what is null', async () => {
    const first = await patch({
      branding: { description: 'By the river', customDomain: 'river.example' },
      locale: 'en',
    })
    expect(first.status).toBe(200)
    expect(first.body.data).toMatchObject({
      ...{ locale: 'en', country: 'KR', region: null },
      branding: { description: 'By the river', customDomain: 'river.example', primaryColor: '#1f5fbf' },
    })
    const second = await patch({ branding: { customDomain: null }, features: { attendance: false } })
    expect(second.body.data.branding).toMatchObject({ description: 'By the river', customDomain: null })
    expect(second.body.data.features).toMatchObject({ attendance: false, booking: true })
    const read = await fixture.server.call('GET', `/api/centers/${fixture.center.id}`, { token: fixture.tokens.admin })
    expect(read.body.data.settings).toEqual(second.body.data)
  })

  it.each(['https://river.example/logo.png', 'data:image/png;base64,iVBORw0KGgo=', ''])(
    '200 for the logo "%s"',
    async (logo) => {
      const { status, body } = await patch({ branding: { logo } })
      expect([status, body.data.branding.logo]).toEqual([200, logo])
    },
  )

  it.each([{ country: 'JP' }, { country: 'KR' }, { region: 'KR-11' }, { region: null, locale: 'en' }])(
    '403 INSUFFICIENT_ROLE for %j, which decides the policies that apply',
    async (place) => {
      const { status, body } = await patch(place)
      expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    },
  )

  it('writes one audit entry for one change, and none for a replay', async () => {
    const before = (await audited('settings.updated')).length
    await patch({ locale: 'ko-KR' }, fixture.tokens.admin, { 'idempotency-key': 'locale-1' })
    const replay = await patch({ locale: 'ko-KR' }, fixture.tokens.admin, { 'idempotency-key': 'locale-1' })
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    const entries = await audited('settings.updated')
    expect(entries.length - before).toBe(1)
    expect(entries.at(-1)).toMatchObject({
      actor_id: fixture.people.admin.actorId,
      details: { action: 'center', fields: 'locale' },
    })
  })

  it('applies fifty concurrent patches one after the other', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, i) => patch({ features: { [`f${i}`]: true } })))
    const { features } = (await patch({ locale: 'en' })).body.data
    expect(Object.keys(features).filter((name) => /^f\d+$/.test(name))).toHaveLength(50)
  })

  it('400 VALIDATION_ERROR for more features than a center may have, also over several patches', async () => {
    const { server, foreign, tokens } = fixture
    const features = (from: number) => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`g${from + i}`, true]))
    const add = (from: number) =>
      server.call('PATCH', `/api/centers/${foreign.id}/settings`, {
        token: tokens.nonmember,
        body: { features: features(from) },
      })
    expect((await add(0)).status).toBe(200)
    const { status, body } = await add(40)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each([
    ['a time zone that does not exist', { timezone: 'Asia/Atlantis' }],
    ['hours that end before they begin', { booking: { openingHours: { mon: [{ from: '10:00', to: '09:00' }] } } }],
    [
      'hours that overlap',
      {
        booking: {
          openingHours: {
            mon: [
              { from: '09:00', to: '12:00' },
              { from: '11:00', to: '13:00' },
            ],
          },
        },
      },
    ],
    ['a color by name', { branding: { primaryColor: 'blue' } }],
    ['a logo that is not an address', { branding: { logo: '<b>logo</b>' } }],
    ['a logo without TLS', { branding: { logo: 'http://center.example/logo.png' } }],
    ['a logo that is a script', { branding: { logo: 'javascript:alert(1)' } }],
    ['a logo that is not an image', { branding: { logo: 'data:text/html,x' } }],
    ['a slot of no length', { booking: { slotMinutes: 0 } }],
    ['an empty body', {}],
    ['a field that does not exist', { unknown: '#ffffff' }],
    ['a domain with a path', { branding: { customDomain: 'river.example/evil' } }],
  ])('400 VALIDATION_ERROR for %s', async (_, body) => {
    const { status, body: answer } = await patch(body)
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each(['instructor', 'parent', 'child'] as const)('403 INSUFFICIENT_ROLE for the role of %s', async (who) => {
    const { status, body } = await patch({ locale: 'en' }, fixture.tokens[who])
    expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  })

  it('refuses every caller who is not an active member', () =>
    expectRefusals(fixture, 'PATCH', (center) => `/api/centers/${center}/settings`, { locale: 'en' }))
})

describe('PUT /centers/{center}/instructors/{actorId}/hours', () => {
  const put = (actorId: string, body: unknown, token = fixture.tokens.admin) =>
    fixture.server.call('PUT', `/api/centers/${fixture.center.domain}/instructors/${actorId}/hours`, { token, body })
  const hours = { mon: [{ from: '10:00', to: '15:00' }] }

  it('200 for an ADMIN and for the instructor; specialties stay unless given', async () => {
    const { instructor } = fixture.people
    const byAdmin = await put(instructor.actorId, { hours, specialties: ['speech', '언어치료'] })
    expect(byAdmin.body.data).toEqual({ id: instructor.actorId, hours, specialties: ['speech', '언어치료'] })
    const bySelf = await put(instructor.actorId, { hours: null }, fixture.tokens.instructor)
    expect(bySelf.body.data).toEqual({ id: instructor.actorId, hours: null, specialties: ['speech', '언어치료'] })
    const listed = await fixture.server.call('GET', `/api/centers/${fixture.center.id}/instructors`, {
      token: fixture.tokens.child,
    })
    expect(listed.body.data[0].specialties).toEqual(['speech', '언어치료'])
  })

  it("403 INSUFFICIENT_ROLE for another instructor's hours, and for parents", async () => {
    const other = await fixture.server.world.person()
    await fixture.server.world.member(other, fixture.center, 'INSTRUCTOR')
    for (const token of [fixture.tokens.instructor, fixture.tokens.parent]) {
      const { status, body } = await put(other.actorId, { hours }, token)
      expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    }
  })

  it('404 NOT_FOUND for a person who is not an instructor of the center', async () => {
    for (const id of [
      fixture.people.parent.actorId,
      fixture.people.nonmember.actorId,
      'unknown',
      '00000000-0000-0000-0000-000000000000',
    ]) {
      const { status, body } = await put(id, { hours })
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  it('400 MISSING_REQUIRED_FIELD without hours, VALIDATION_ERROR for impossible ones', async () => {
    const missing = await put(fixture.people.instructor.actorId, {})
    expect([missing.status, missing.body.error.code]).toEqual([400, 'MISSING_REQUIRED_FIELD'])
    const bad = await put(fixture.people.instructor.actorId, { hours: { mon: [{ from: '25:00', to: '26:00' }] } })
    expect([bad.status, bad.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('refuses every caller who is not an active member', () =>
    expectRefusals(
      fixture,
      'PUT',
      (center) => `/api/centers/${center}/instructors/${fixture.people.instructor.actorId}/hours`,
      { hours },
    ))
})
