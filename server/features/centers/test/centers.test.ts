import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../tests/support/world.ts'

let server: TestServer
let center: Center
let admin: Person
let token: string

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  token = (await server.signIn(admin)).accessToken
})
afterAll(() => server.close())

describe('GET /centers', () => {
  it('200 lists the centers that the actor may enter', async () => {
    const { status, body } = await server.call('GET', '/api/centers', { token })
    expect(status).toBe(200)
    expect(body.data).toEqual([expect.objectContaining({ id: center.id, tenantType: 'CENTER', status: 'ACTIVE', role: 'ADMIN' })])
  })
})

describe('GET /centers/{center}', () => {
  it('200 by slug and by id, the same', async () => {
    const bySlug = await server.call('GET', `/api/centers/${center.domain}`, { token })
    const byId = await server.call('GET', `/api/centers/${center.id}`, { token })
    expect(bySlug.status).toBe(200)
    expect(bySlug.body.data).toMatchObject({ id: center.id, centerDomain: center.domain, vertical: 'education', memberCount: 1 })
    expect(bySlug.body.data.settings.timezone).toBe('Asia/Seoul')
    expect(byId.body).toEqual(bySlug.body)
  })

  it('404 CENTER_NOT_FOUND for a center that does not exist, 403 NO_MEMBERSHIP for one that is not theirs', async () => {
    const unknown = await server.call('GET', '/api/centers/no-such-center', { token })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'CENTER_NOT_FOUND'])
    const foreign = await server.world.center()
    for (const ref of [foreign.domain, foreign.id]) {
      const { status, body } = await server.call('GET', `/api/centers/${ref}`, { token })
      expect([status, body.error.code]).toEqual([403, 'NO_MEMBERSHIP'])
    }
  })
})

describe('settings, hours, slots and bookings', () => {
  it('walk together', async () => {
    const instructor = await server.world.person()
    await server.world.member(instructor, center, 'INSTRUCTOR')
    const patched = await server.call('PATCH', `/api/centers/${center.id}/settings`, {
      token,
      body: { timezone: 'Europe/Berlin', booking: { slotMinutes: 60, openingHours: { sun: [{ from: '00:00', to: '06:00' }] } } },
    })
    expect(patched.status).toBe(200)
    const listed = await server.call('GET', `/api/centers/${center.domain}/instructors`, { token })
    expect(listed.body.data).toEqual([expect.objectContaining({ id: instructor.actorId, role: 'INSTRUCTOR', specialties: [] })])
    // On 28 March 2027 Berlin's clocks jump from 2 to 3: six hours on the wall are five.
    const spring = await server.call('GET', `/api/centers/${center.domain}/available-slots?date=2027-03-28`, { token })
    expect(spring.body.data.slots.map((slot: { startsAt: string }) => slot.startsAt.slice(11, 16))).toEqual(['23:00', '00:00', '01:00', '02:00', '03:00'])
    const autumn = await server.call('GET', `/api/centers/${center.domain}/available-slots?date=2027-10-31`, { token })
    expect(autumn.body.data.slots).toHaveLength(7)
    const hours = await server.call('PUT', `/api/centers/${center.id}/instructors/${instructor.actorId}/hours`, {
      token,
      body: { hours: { sun: [{ from: '01:00', to: '03:00' }] }, specialties: ['speech'] },
    })
    expect(hours.body.data.specialties).toEqual(['speech'])
    const [slot] = (await server.call('GET', `/api/centers/${center.domain}/available-slots?date=2027-05-02`, { token })).body.data.slots
    const booking = { instructorId: slot.instructorId, startsAt: slot.startsAt }
    const tries = await Promise.all(Array.from({ length: 50 }, () => server.call('POST', `/api/centers/${center.id}/bookings`, { token, body: booking })))
    expect(tries.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(tries.filter(({ status }) => status === 409)).toHaveLength(49)
    const after = await server.call('GET', `/api/centers/${center.domain}/available-slots?date=2027-05-02`, { token })
    expect(after.body.data.slots).toHaveLength(1)
    const won = tries.find(({ status }) => status === 201)
    const gone = await server.call('DELETE', `/api/centers/${center.id}/bookings/${won?.body.data.id}`, { token })
    expect(gone.status).toBe(204)
  })
})

describe('search and info', () => {
  it('finds by word, prefix and misspelling, in English and Korean', async () => {
    const named = async (name: string) => {
      const made = await server.world.center()
      await server.world.query('update directory.centers set name = $2 where id = $1', [made.id, name])
      return made
    }
    const korean = await named('하늘재활센터 강남')
    const english = await named('Sunflower Learning House')
    for (const [query, wanted] of [['하늘재활센터', korean], ['하늘', korean], ['sunflower', english], ['sunfl', english], ['sunflowr', english], ['SUNFLOWER house', english]] as const) {
      const { status, body } = await server.call('POST', '/api/centers/search', { body: { query } })
      expect(status).toBe(200)
      expect(body.data.map((row: { centerDomain: string }) => row.centerDomain), query).toContain(wanted.domain)
    }
    const info = await server.call('GET', `/api/centers/${english.domain}/info`)
    expect(info.body.data).toEqual({ name: 'Sunflower Learning House', description: '', logo: '', vertical: 'education' })
  })
})
