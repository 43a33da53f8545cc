import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusals, type Fixture, openFixture } from '../../centers/test/fixture.ts'

let fixture: Fixture
const monday = '2027-05-03'

beforeAll(async () => {
  fixture = await openFixture()
  await fixture.server.call('PATCH', `/api/centers/${fixture.center.id}/settings`, {
    token: fixture.tokens.admin,
    body: {
      timezone: 'Europe/Berlin',
      booking: { slotMinutes: 60, openingHours: { mon: [{ from: '09:00', to: '17:00' }] } },
    },
  })
})
afterAll(() => fixture.server.close())

const slots = (query: string, token = fixture.tokens.parent) =>
  fixture.server.call('GET', `/api/centers/${fixture.center.domain}/available-slots?${query}`, { token })
const book = (
  startsAt: string,
  more: object = {},
  token = fixture.tokens.parent,
  headers: Record<string, string> = {},
) =>
  fixture.server.call('POST', `/api/centers/${fixture.center.id}/bookings`, {
    token,
    headers,
    body: { instructorId: fixture.people.instructor.actorId, startsAt, ...more },
  })
const cancel = (id: string, token: string) =>
  fixture.server.call('DELETE', `/api/centers/${fixture.center.id}/bookings/${id}`, { token })
const at = (hour: number) => `${monday}T${String(hour - 2).padStart(2, '0')}:00:00.000Z`

describe('GET /centers/{center}/available-slots', () => {
  it("200 with the slots of the day in the center's time zone", async () => {
    const { status, body } = await slots(`date=${monday}`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ date: monday, timezone: 'Europe/Berlin' })
    expect(body.data.slots).toHaveLength(8)
    expect(body.data.slots[0]).toEqual({
      instructorId: fixture.people.instructor.actorId,
      instructorName: expect.any(String),
      startsAt: '2027-05-03T07:00:00.000Z',
      endsAt: '2027-05-03T08:00:00.000Z',
    })
  })

  it('200 with no slots on a closed day, and for an instructor of another center', async () => {
    expect((await slots('date=2027-05-04')).body.data.slots).toEqual([])
    expect((await slots(`date=${monday}&instructorId=${fixture.people.nonmember.actorId}`)).body.data.slots).toEqual([])
  })

  it('400 MISSING_REQUIRED_FIELD without a date, VALIDATION_ERROR for an invalid one', async () => {
    const missing = await slots('')
    expect([missing.status, missing.body.error.code]).toEqual([400, 'MISSING_REQUIRED_FIELD'])
    for (const query of ['date=tomorrow', 'date=2027-02-30', `date=${monday}&instructorId=unknown`]) {
      const { status, body } = await slots(query)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('refuses every caller who is not an active member', () =>
    expectRefusals(fixture, 'GET', (center) => `/api/centers/${center}/available-slots?date=${monday}`))
})

describe('POST /centers/{center}/bookings', () => {
  it('201 books the slot, which is then no longer free', async () => {
    const { status, body } = await book(at(9))
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      instructorId: fixture.people.instructor.actorId,
      bookedFor: fixture.people.parent.actorId,
      startsAt: at(9),
      endsAt: at(10),
    })
    const free = (await slots(`date=${monday}`)).body.data.slots.map((slot: { startsAt: string }) => slot.startsAt)
    expect(free).not.toContain(at(9))
  })

  it('gives one slot to exactly one of fifty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => book(at(10))))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && body.error.code === 'CONFLICT')).toHaveLength(49)
  })

  it('books once for one Idempotency-Key', async () => {
    const first = await book(at(11), {}, fixture.tokens.parent, { 'idempotency-key': 'booking-1' })
    const again = await book(at(11), {}, fixture.tokens.parent, { 'idempotency-key': 'booking-1' })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
  })

  it('lets staff book for a member, and refuses other members who book for others', async () => {
    const bookedFor = fixture.people.child.actorId
    const byStaff = await book(at(12), { bookedFor }, fixture.tokens.instructor)
    expect(byStaff.body.data.bookedFor).toBe(bookedFor)
    const byParent = await book(at(13), { bookedFor }, fixture.tokens.parent)
    expect([byParent.status, byParent.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    const forNonmember = await book(at(13), { bookedFor: fixture.people.nonmember.actorId }, fixture.tokens.admin)
    expect([forNonmember.status, forNonmember.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('400 for a time at which no slot begins, and for the past', async () => {
    for (const startsAt of [
      `${monday}T07:30:00.000Z`,
      '2027-05-04T07:00:00.000Z',
      '2020-05-04T07:00:00.000Z',
      'soon',
    ]) {
      const { status, body } = await book(startsAt)
      expect([status, body.error.code], startsAt).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('404 NOT_FOUND for a person who is not an instructor of the center', async () => {
    const { status, body } = await book(at(14), { instructorId: fixture.people.parent.actorId })
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('refuses every caller who is not an active member', () =>
    expectRefusals(fixture, 'POST', (center) => `/api/centers/${center}/bookings`, {
      instructorId: fixture.people.instructor.actorId,
      startsAt: at(15),
    }))
})

describe('DELETE /centers/{center}/bookings/{id}', () => {
  it('204 for the person who booked it, and the slot is free again; 404 the second time', async () => {
    const { id } = (await book(at(14))).body.data
    expect((await cancel(id, fixture.tokens.parent)).status).toBe(204)
    const again = await cancel(id, fixture.tokens.parent)
    expect([again.status, again.body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect((await book(at(14))).status).toBe(201)
  })

  it('404 for another member, 204 for staff', async () => {
    const { id } = (await book(at(15))).body.data
    expect((await cancel(id, fixture.tokens.child)).status).toBe(404)
    expect((await cancel(id, fixture.tokens.instructor)).status).toBe(204)
  })

  it('404 with the same body for a booking of another center, an unknown id and a malformed id', async () => {
    const { server, tokens, center } = fixture
    const { id } = (await book(at(16))).body.data
    const elsewhere = await server.call('DELETE', `/api/centers/${fixture.foreign.id}/bookings/${id}`, {
      token: tokens.nonmember,
    })
    const unknown = await server.call('DELETE', `/api/centers/${center.id}/bookings/bkg_01kz9x4q8hfx5r3v7t2b6n0m1c`, {
      token: tokens.admin,
    })
    const nonsense = await server.call('DELETE', `/api/centers/${center.id}/bookings/nonsense`, { token: tokens.admin })
    expect([elsewhere.status, unknown.status, nonsense.status]).toEqual([404, 404, 404])
    expect([elsewhere.text, nonsense.text]).toEqual([unknown.text, unknown.text])
  })

  it('refuses every caller who is not an active member', () =>
    expectRefusals(fixture, 'DELETE', (center) => `/api/centers/${center}/bookings/bkg_01kz9x4q8hfx5r3v7t2b6n0m1c`))
})
