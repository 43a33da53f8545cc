import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidOf } from '../../../../lib/ids.ts'
import { expectRefusals, type Fixture, openFixture } from '../../centers/test/fixture.ts'

let fixture: Fixture
const weekMs = 604_800_000
const first = Date.parse('2027-05-03T00:00:00Z')
let hour = 9

beforeAll(async () => {
  fixture = await openFixture()
  const openingHours = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [{ from: '00:00', to: '24:00' }]]),
  )
  await fixture.server.call('PATCH', `/api/centers/${fixture.center.id}/settings`, {
    token: fixture.tokens.admin,
    body: { locale: 'en-US', timezone: 'Asia/Seoul', booking: { slotMinutes: 60, openingHours } },
  })
})
afterAll(() => fixture.server.close())
// Each test has an hour of the day of its own.
beforeEach(() => {
  hour++
})

const call = (method: string, path: string, body?: unknown, token = fixture.tokens.admin) =>
  fixture.server.call(method, `/api/centers/${fixture.center.id}${path}`, {
    token,
    ...(body !== undefined && { body }),
  })
const at = (week: number, clock = hour, days = 0) =>
  new Date(first + (week - 1) * weekMs + days * 86_400_000 + (clock - 9) * 3_600_000).toISOString()
const dayOf = (week: number) => new Date(first + (week - 1) * weekMs).toISOString().slice(0, 10)
const asked = (more: object = {}) => ({
  instructorId: fixture.people.instructor.actorId,
  startsAt: at(1),
  weeks: 4,
  bookedFor: fixture.people.child.actorId,
  ...more,
})
const bookOne = (startsAt: string, bookedFor = fixture.people.child.actorId) =>
  call('POST', '/bookings', { instructorId: fixture.people.instructor.actorId, startsAt, bookedFor })
const create = (more: object = {}, token = fixture.tokens.admin) => call('POST', '/booking-series', asked(more), token)
const preview = (more: object = {}) => {
  const query = Object.entries(asked(more)).map(([key, value]): [string, string] => [key, String(value)])
  return call('GET', `/booking-series/preview?${new URLSearchParams(query)}`)
}
const series = async (id: string) => (await call('GET', `/booking-series/${id}`)).body.data
const startsOf = (bookings: readonly { startsAt: string; status: string }[]) =>
  bookings.filter(({ status }) => status !== 'canceled').map(({ startsAt }) => startsAt)

describe('a weekly series', () => {
  it('is previewed and booked without the dates that are closed or taken', async () => {
    await call('POST', '/closures', { from: dayOf(2), name: 'Anniversary' })
    await bookOne(at(3), fixture.people.parent.actorId)
    const shown = await preview()
    expect(shown.body.data.dates.map((each: { state: string }) => each.state)).toEqual([
      ...['free', 'closed', 'instructorBusy', 'free'],
    ])
    expect(shown.body.data.dates[1]).toEqual({
      ...{ week: 2, date: dayOf(2), startsAt: at(2), endsAt: at(2, hour + 1), state: 'closed', closure: 'Anniversary' },
    })
    const refused = await create()
    expect([refused.status, refused.body.error.code, refused.body.error.details.dates]).toEqual([
      ...[409, 'CONFLICT'],
      [
        { date: dayOf(2), state: 'closed' },
        { date: dayOf(3), state: 'instructorBusy' },
      ],
    ])
    const { status, body } = await create({ leaveOut: [dayOf(2), dayOf(3)] })
    expect(status).toBe(201)
    expect(startsOf(body.data.bookings)).toEqual([at(1), at(4)])
    expect(body.data.exceptions).toEqual([
      { week: 2, date: dayOf(2), kind: 'closed' },
      { week: 3, date: dayOf(3), kind: 'instructorBusy' },
    ])
    expect(await series(body.data.id)).toEqual(body.data)
    expect((await call('DELETE', `/closures/${dayOf(2)}`)).status).toBe(204)
  })

  it('is booked whole or not at all, also if somebody was faster after the preview', async () => {
    expect((await preview()).body.data.dates.every((each: { state: string }) => each.state === 'free')).toBe(true)
    await bookOne(at(3))
    expect((await create()).status).toBe(409)
    const listed = await call('GET', `/bookings?from=${at(1)}&to=${at(1, hour + 1)}`)
    expect(listed.body.pagination.total).toBe(0)
  })

  it('leaves out a free date on request, and refuses dates of no week and a series of nothing', async () => {
    const skipped = await create({ leaveOut: [dayOf(2)] })
    expect(skipped.body.data.exceptions).toEqual([{ week: 2, date: dayOf(2), kind: 'skipped' }])
    const all = [1, 2, 3, 4].map(dayOf)
    for (const body of [
      { leaveOut: ['2027-05-04'] },
      { weeks: 1 },
      { weeks: 53 },
      { startsAt: at(1).replace(':00:00', ':10:00') },
    ]) {
      const answer = await create(body)
      expect([answer.status, answer.body.error.code], JSON.stringify(body)).toEqual([400, 'VALIDATION_ERROR'])
    }
    hour++
    const none = await create({ leaveOut: all })
    expect([none.status, none.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('of twenty at once, one is booked', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ weeks: 3 })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  it('only staff book one, for members', async () => {
    const byParent = await create({ bookedFor: fixture.people.parent.actorId }, fixture.tokens.parent)
    expect([byParent.status, byParent.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    const stranger = await create({ bookedFor: fixture.people.nonmember.actorId })
    expect([stranger.status, stranger.body.error.code]).toEqual([404, 'NOT_FOUND'])
    const unknown = await create({ instructorId: fixture.people.parent.actorId })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('refuses every caller who is not an active member', async () => {
    await expectRefusals(fixture, 'POST', (center) => `/api/centers/${center}/booking-series`, asked())
    await expectRefusals(
      fixture,
      'GET',
      (center) => `/api/centers/${center}/booking-series/ser_01kz9x4q8hfx5r3v7t2b6n0m1c`,
    )
  })
})

describe('changes of a series', () => {
  const made = async (more: object = {}) => (await create(more)).body.data
  const move = (id: string, body: object, token = fixture.tokens.admin) =>
    call('POST', `/bookings/${id}/move`, body, token)

  it('one is moved alone and stays an exception when this and the following move', async () => {
    const { id, bookings } = await made()
    const alone = await move(bookings[2].id, { startsAt: at(3, hour, 2) })
    expect(alone.status).toBe(200)
    const { status } = await move(bookings[1].id, { startsAt: at(2, hour, 1), scope: 'following' })
    expect(status).toBe(200)
    const after = await series(id)
    expect(startsOf(after.bookings)).toEqual([at(1), at(2, hour, 1), at(3, hour, 2), at(4, hour, 1)])
    expect(after.exceptions).toEqual([{ week: 3, date: dayOf(3).replace(/\d\d$/, '19'), kind: 'moved' }])
    const detached = await move(bookings[2].id, { startsAt: at(3, hour, 3), scope: 'all' })
    expect([detached.status, detached.body.error.code]).toEqual([409, 'CONFLICT'])
  })

  it('all move too where a later week was moved before the first one', async () => {
    const { id, bookings } = await made()
    expect((await move(bookings[3].id, { startsAt: at(1, hour, -24), scope: 'following' })).status).toBe(200)
    expect((await move(bookings[1].id, { startsAt: at(2, hour, 1), scope: 'all' })).status).toBe(200)
    expect(startsOf((await series(id)).bookings)).toEqual([
      at(1, hour, 1),
      at(2, hour, 1),
      at(3, hour, 1),
      at(1, hour, -23),
    ])
  })

  it('all move by a week, into the places that they leave themselves', async () => {
    const { id, bookings } = await made()
    expect((await move(bookings[0].id, { startsAt: at(2), scope: 'all' })).status).toBe(200)
    expect(startsOf((await series(id)).bookings)).toEqual([2, 3, 4, 5].map((week) => at(week)))
    expect((await move(bookings[0].id, { startsAt: at(1), scope: 'all' })).status).toBe(200)
    expect(startsOf((await series(id)).bookings)).toEqual([1, 2, 3, 4].map((week) => at(week)))
  })

  it('none moves where one cannot, and it can be told to stay', async () => {
    const { id, bookings } = await made()
    await bookOne(at(3, hour, 1), fixture.people.parent.actorId)
    const refused = await move(bookings[0].id, { startsAt: at(1, hour, 1), scope: 'all' })
    expect([refused.status, refused.body.error.details.dates]).toEqual([
      409,
      [{ date: '2027-05-18', state: 'instructorBusy' }],
    ])
    expect(startsOf((await series(id)).bookings)).toEqual([1, 2, 3, 4].map((week) => at(week)))
    const stay = [bookings[2].id]
    expect((await move(bookings[0].id, { startsAt: at(1, hour, 1), scope: 'all', stay })).status).toBe(200)
    const after = await series(id)
    expect(startsOf(after.bookings)).toEqual([at(1, hour, 1), at(2, hour, 1), at(3), at(4, hour, 1)])
    expect(after.exceptions).toEqual([{ week: 3, date: dayOf(3), kind: 'moved' }])
  })

  it('this and the following are canceled, those before stay, and a week that was canceled alone stays canceled', async () => {
    const { id, bookings } = await made()
    expect((await call('DELETE', `/bookings/${bookings[1].id}`)).status).toBe(204)
    const cancel = (booking: { id: string }, scope: string) =>
      call('POST', `/bookings/${booking.id}/cancel`, { reason: 'Moved away', scope })
    expect((await cancel(bookings[2], 'following')).status).toBe(200)
    const after = await series(id)
    expect(after.bookings.map(({ status }: { status: string }) => status)).toEqual([
      ...['booked', 'canceled', 'canceled', 'canceled'],
    ])
    expect(after.exceptions.map(({ week, kind }: { week: number; kind: string }) => [week, kind])).toEqual([
      [2, 'canceled'],
      [3, 'canceled'],
      [4, 'canceled'],
    ])
    expect((await cancel(bookings[0], 'all')).status).toBe(200)
    expect((await call('GET', `/booking-series/${id}`)).body.data.exceptions).toHaveLength(4)
  })

  it('the past keeps its place', async () => {
    const { id, bookings } = await made()
    await fixture.server.world.query(
      `update cell.bookings set placed_at = null, starts_at = starts_at - interval '10 years', ends_at = ends_at - interval '10 years'
       where id = $1`,
      [uuidOf('booking', bookings[0].id)],
    )
    expect((await move(bookings[1].id, { startsAt: at(2, hour, 1), scope: 'all' })).status).toBe(200)
    const [past, next] = (await series(id)).bookings
    expect(past.startsAt.slice(0, 4)).toBe('2017')
    expect(next.startsAt).toBe(at(2, hour, 1))
  })

  it('a client cannot change a series of somebody else, and an appointment alone has no scope', async () => {
    const { bookings } = await made()
    const foreign = await move(bookings[0].id, { startsAt: at(1, hour, 1), scope: 'all' }, fixture.tokens.parent)
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND'])
    const alone = (await bookOne(at(1, hour, 3))).body.data
    const scoped = await move(alone.id, { startsAt: at(1, hour, 4), scope: 'all' })
    expect([scoped.status, scoped.body.error.code]).toEqual([409, 'CONFLICT'])
  })
})
