import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusals, type Fixture, openFixture } from '../../centers/test/fixture.ts'
import { holidaysOf } from '../holidays.ts'

let fixture: Fixture
const monday = '2028-05-08'
const at = (hour: number, day = monday) => `${day}T${String(hour - 9).padStart(2, '0')}:00:00.000Z`

beforeAll(async () => {
  fixture = await openFixture()
  const openingHours = Object.fromEntries(['mon', 'tue', 'sat'].map((day) => [day, [{ from: '09:00', to: '17:00' }]]))
  await fixture.server.call('PATCH', `/api/centers/${fixture.center.id}/settings`, {
    token: fixture.tokens.admin,
    body: { locale: 'en-US', timezone: 'Asia/Seoul', booking: { slotMinutes: 60, openingHours } },
  })
})
afterAll(() => fixture.server.close())

const call = (method: string, path: string, body?: unknown, token = fixture.tokens.admin) =>
  fixture.server.call(method, `/api/centers/${fixture.center.id}${path}`, {
    token,
    ...(body !== undefined && { body }),
  })
const close = (from: string, to?: string, token?: string) =>
  call('POST', '/closures', { from, ...(to && { to }), name: 'Summer break' }, token)
const book = (startsAt: string) =>
  call('POST', '/bookings', { instructorId: fixture.people.instructor.actorId, startsAt }, fixture.tokens.parent)
const slotsOn = async (date: string) => (await call('GET', `/available-slots?date=${date}`)).body.data.slots.length

describe('closures', () => {
  it('a closed day offers nothing, and takes no new appointment and no moved one; those of before stay', async () => {
    const before = await book(at(9))
    expect(before.status).toBe(201)
    const { status, body } = await close(monday, '2028-05-09')
    expect([status, body.data]).toEqual([
      201,
      {
        closures: [
          { date: monday, name: 'Summer break', holiday: false },
          { date: '2028-05-09', name: 'Summer break', holiday: false },
        ],
        appointments: 1,
      },
    ])
    expect(await slotsOn(monday)).toBe(0)
    const refused = await book(at(10))
    expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
      ...[409, 'CONFLICT'],
      `The center is closed on ${monday} (Summer break). Choose a slot on another day.`,
    ])
    const moved = await call('POST', `/bookings/${before.body.data.id}/move`, { startsAt: at(11) })
    expect([moved.status, moved.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await call('DELETE', `/closures/${monday}`)).status).toBe(204)
    expect(await slotsOn(monday)).toBe(7)
    expect((await book(at(10))).status).toBe(201)
  })

  it('a day that is closed already keeps its name, and the list names it once', async () => {
    await close('2028-06-10')
    const again = await call('POST', '/closures', { from: '2028-06-10', to: '2028-06-11', name: 'Another' })
    expect(again.body.data.closures).toEqual([{ date: '2028-06-11', name: 'Another', holiday: false }])
    const listed = await call('GET', '/closures?from=2028-06-01&to=2028-06-30', undefined, fixture.tokens.child)
    expect(listed.body.data.map((each: { date: string; name: string }) => [each.date, each.name])).toEqual([
      ['2028-06-10', 'Summer break'],
      ['2028-06-11', 'Another'],
    ])
  })

  it('400 for a period that ends before it starts, is too long, or is over; 404 for a day that is open', async () => {
    for (const [from, to] of [
      ['2028-07-02', '2028-07-01'],
      ['2028-07-01', '2028-08-01'],
      ['2020-07-01', '2020-07-01'],
      ['2098-07-01', '2098-07-01'],
      ['2028-02-30', '2028-03-01'],
    ] as const) {
      const { status, body } = await close(from, to)
      expect([status, body.error.code], from).toEqual([400, 'VALIDATION_ERROR'])
    }
    const long = await call('GET', '/closures?from=2028-01-01&to=2029-06-01')
    expect([long.status, long.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const open = await call('DELETE', '/closures/2028-07-20')
    expect([open.status, open.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('of a booking and a closure at the same time, no booking is made on a day that was closed first', async () => {
    const days = Array.from({ length: 8 }, (_, week) =>
      new Date(Date.parse('2028-09-04') + week * 604_800_000).toISOString().slice(0, 10),
    )
    const outcomes = await Promise.all(
      days.map(async (day) => {
        const [booked, closed] = await Promise.all([book(at(9, day)), close(day)])
        return { booked: booked.status, stays: closed.body.data.appointments }
      }),
    )
    for (const { booked, stays } of outcomes) expect([booked, stays]).toEqual(stays === 1 ? [201, 1] : [409, 0])
  })

  it('only an ADMIN closes and opens days', async () => {
    for (const token of [fixture.tokens.instructor, fixture.tokens.parent]) {
      for (const [method, path, body] of [
        ['POST', '/closures', { from: '2028-07-20', name: 'Mine' }],
        ['DELETE', '/closures/2028-06-10', undefined],
        ['POST', '/holidays', { year: 2028 }],
      ] as const) {
        const { status, body: answer } = await call(method, path, body, token)
        expect([status, answer.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
      }
    }
  })

  it('refuses every caller who is not an active member', async () => {
    await expectRefusals(fixture, 'GET', (center) => `/api/centers/${center}/closures`)
    await expectRefusals(fixture, 'GET', (center) => `/api/centers/${center}/holidays`)
    await expectRefusals(fixture, 'DELETE', (center) => `/api/centers/${center}/closures/${monday}`)
    await expectRefusals(fixture, 'POST', (center) => `/api/centers/${center}/holidays`, { year: 2028 })
    const body = { from: '2028-07-20', name: 'Theirs' }
    await expectRefusals(fixture, 'POST', (center) => `/api/centers/${center}/closures`, body)
  })
})

describe('public holidays', () => {
  it('say where they come from, and close nothing until they are adopted', async () => {
    const { body } = await call('GET', '/holidays')
    expect(body.data).toMatchObject({ country: 'KR', comparedOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) })
    expect(body.data.source).toContain('관공서의 공휴일에 관한 규정')
    expect(body.data.days).toContainEqual({
      date: '2028-10-03',
      name: 'Chuseok and National Foundation Day',
      closed: false,
    })
    expect(await slotsOn('2028-10-03')).toBe(8)
  })

  it('are adopted by year, once, and one day can be opened again', async () => {
    const adopted = await call('POST', '/holidays', { year: 2028 })
    const days = holidaysOf('KR')?.days.filter(({ date }) => date.startsWith('2028')) ?? []
    // Two were closed by the test of closures.
    expect(adopted.body.data.closures).toHaveLength(days.length - 2)
    expect((await call('POST', '/holidays', { year: 2028 })).body.data.closures).toEqual([])
    expect(await slotsOn('2028-10-03')).toBe(0)
    expect((await call('DELETE', '/closures/2028-10-03')).status).toBe(204)
    expect(await slotsOn('2028-10-03')).toBe(8)
    const unknown = await call('POST', '/holidays', { year: 2031 })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('follow the decree: a national holiday on a weekend moves to the next day that is none', () => {
    const days = new Map(holidaysOf('KR')?.days.map(({ date, ko }) => [date, ko]))
    const dates = [...days.keys()]
    expect(dates).toEqual(dates.toSorted())
    const weekend = (date: string) => [0, 6].includes(new Date(date).getUTCDay())
    // New Year's Day and Memorial Day have no substitute, and a festival of three days only for a Sunday.
    const without = new Set(['신정', '현충일', '설날 연휴', '추석 연휴', '설날', '추석'])
    for (const [date, name] of days) {
      if (!weekend(date) || without.has(name)) continue
      let next = date
      do next = new Date(Date.parse(next) + 86_400_000).toISOString().slice(0, 10)
      while (weekend(next) || (days.has(next) && !days.get(next)?.startsWith('대체')))
      expect(days.get(next), `${date} ${name}`).toBe(`대체공휴일(${name})`)
    }
    expect(days.get('2027-02-09')).toBe('대체공휴일(설날)')
    expect(days.get('2028-10-05')).toBe('대체공휴일(추석)')
  })
})
