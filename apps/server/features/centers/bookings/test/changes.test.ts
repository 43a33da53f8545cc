import { type BookingStatus, bookingStatuses } from '@countersign/contract/enums.ts'
import { type BookingMove, bookingMoves } from '@countersign/contract/moves.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid, typedId, uuidOf } from '../../../../lib/ids.ts'
import { peopleInBookings } from '../../attendance/api.ts'
import { expectRefusals, type Fixture, openFixture } from '../../centers/test/fixture.ts'

let fixture: Fixture
let second: string
let count = 0
const hourMs = 3_600_000
const monday = Date.parse('2027-05-03T00:00:00Z')

beforeAll(async () => {
  fixture = await openFixture()
  const { server, center, tokens } = fixture
  const always = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [{ from: '00:00', to: '24:00' }]]),
  )
  await server.call('PATCH', `/api/centers/${center.id}/settings`, {
    token: tokens.admin,
    body: { timezone: 'Europe/London', booking: { slotMinutes: 60, openingHours: always } },
  })
  const colleague = await server.world.person()
  await server.world.member(colleague, center, 'INSTRUCTOR')
  second = colleague.actorId
})
afterAll(() => fixture.server.close())

const base = () => `/api/centers/${fixture.center.id}/bookings`
const post = (path: string, body: unknown, token = fixture.tokens.admin) =>
  fixture.server.call('POST', `${base()}${path}`, { token, ...(body !== undefined && { body }) })
const list = (query: string, token = fixture.tokens.admin) =>
  fixture.server.call('GET', `${base()}?${query}`, { token })
const at = (hour: number) => new Date(monday + hour * hourMs).toISOString()
const nextHour = () => at(count++)

async function book(startsAt = nextHour(), more: object = {}, token = fixture.tokens.parent): Promise<string> {
  const { body } = await post('', { instructorId: fixture.people.instructor.actorId, startsAt, ...more }, token)
  return body.data.id
}

/** In any state, an hour that has passed. */
async function imported(
  status: BookingStatus,
  startsAt = new Date(Date.parse('2020-01-06T00:00:00Z') + count++ * hourMs),
) {
  const id = newUuid()
  await fixture.server.world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status)
     values ($1, $2, $3, $4, $4, $5, $5::timestamptz + interval '1 hour', now(), $6)`,
    [fixture.center.id, id, fixture.people.instructor.actorId, fixture.people.parent.actorId, startsAt, status],
  )
  return typedId('booking', id)
}
const stateOf = async (id: string) =>
  (
    await fixture.server.world.query('select status, reason from cell.bookings where id = $1', [uuidOf('booking', id)])
  )[0]
const entriesOf = (id: string) =>
  fixture.server.world.query<{ details: object }>('select details from cell.audit_entries where target_id = $1', [id])

const attendanceOf = (id: string) =>
  fixture.server.world.query(
    'select kind, source, client_id, instructor_id from cell.attendance where booking_id = $1',
    [uuidOf('booking', id)],
  )

const paths: Record<BookingMove, string> = { attended: 'attended', no_show: 'no-show', cancel: 'cancel' }
const pairs = (Object.keys(bookingMoves) as BookingMove[]).flatMap((move) =>
  bookingStatuses.map((from) => ({ move, from })),
)

describe('every change from every state', () => {
  it.each(pairs)('$move an appointment that is $from', async ({ move, from }) => {
    const id = await imported(from)
    const body = move === 'cancel' ? { reason: 'Ill' } : undefined
    const answer = await post(`/${id}/${paths[move]}`, body)
    const { to } = bookingMoves[move]
    const allowed = (bookingMoves[move].from as readonly string[]).includes(from)
    expect([answer.status, answer.body.data?.status]).toEqual(allowed ? [200, to] : [409, undefined])
    const reason = allowed && move === 'cancel' ? 'Ill' : null
    expect(await stateOf(id)).toEqual({ status: allowed ? to : from, reason })
    const of = { clientId: fixture.people.parent.actorId, startsAt: expect.stringMatching(/^2020-01-.*Z$/) }
    const details = { action: `booking_${to}`, from, to, ...of, ...(reason && { reason }) }
    expect(await entriesOf(id)).toEqual(allowed ? [{ details }] : [])
    const { parent, instructor } = fixture.people
    const row = { kind: to, source: 'booking', client_id: parent.actorId, instructor_id: instructor.actorId }
    expect(await attendanceOf(id)).toEqual(allowed && move !== 'cancel' ? [row] : [])
  })

  it('the last word counts once as attendance, also of fifty at once', async () => {
    const id = await imported('booked')
    const words = Array.from({ length: 50 }, (_, n) => post(`/${id}/${n % 2 ? 'attended' : 'no-show'}`, undefined))
    expect((await Promise.all(words)).filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(await attendanceOf(id)).toMatchObject([{ kind: (await stateOf(id))?.status }])
  })

  it('409 for the attendance of an appointment that has not begun', async () => {
    const id = await book()
    const answers = await Promise.all(['attended', 'no-show'].map((each) => post(`/${id}/${each}`, undefined)))
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
  })
})

describe('one appointment at a time', () => {
  it('the database refuses one in the past, whoever asks', async () => {
    const past = fixture.server.world.query(
      `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, placed_at)
       values ($1, gen_random_uuid(), $2, $2, $2, now() - interval '1 minute', now(), now(), now())`,
      [fixture.center.id, newUuid()],
    )
    await expect(past).rejects.toThrow('bookings_not_in_the_past')
  })
})

describe('POST …/move', () => {
  it('200 to a free slot, also of another instructor, audited with both; the old slot is free', async () => {
    const [from, to] = [nextHour(), nextHour()]
    const id = await book(from)
    const moved = await post(`/${id}/move`, { startsAt: to, instructorId: second }, fixture.tokens.parent)
    expect(moved.body.data).toMatchObject({ id, startsAt: to, instructorId: second, status: 'booked' })
    expect((await entriesOf(id)).at(-1)?.details).toMatchObject({ fromStartsAt: from, toStartsAt: to })
    expect(await book(from)).toMatch(/^bkg_/)
  })

  it('409 to a taken slot and for a canceled one, 400 into the past, 404 for another person', async () => {
    const [taken, id] = [nextHour(), await book()]
    await book(taken, { bookedFor: fixture.people.child.actorId }, fixture.tokens.admin)
    expect((await post(`/${id}/move`, { startsAt: taken })).status).toBe(409)
    expect((await post(`/${id}/move`, { startsAt: '2020-01-06T00:00:00.000Z' })).status).toBe(400)
    expect((await post(`/${id}/move`, { startsAt: nextHour() }, fixture.tokens.child)).status).toBe(404)
    await post(`/${id}/cancel`, { reason: 'Ill' })
    expect((await post(`/${id}/move`, { startsAt: nextHour() })).status).toBe(409)
  })

  it('200, cancel and 404 for a client: their own appointment, and never another one', async () => {
    const { people, tokens } = fixture
    const own = await book(nextHour(), { bookedFor: people.child.actorId }, tokens.admin)
    const [to, others] = [nextHour(), await book()]
    expect((await post(`/${own}/move`, { startsAt: to }, tokens.child)).body.data).toMatchObject({ startsAt: to })
    expect((await entriesOf(own)).at(-1)?.details).toMatchObject({ toStartsAt: to })
    const canceled = await post(`/${own}/cancel`, { reason: 'Ill' }, tokens.child)
    expect(canceled.body.data).toMatchObject({ status: 'canceled', reason: 'Ill' })
    const unknown = await post(`/bkg_01kz9x4q8hfx5r3v7t2b6n0m1c/move`, { startsAt: nextHour() }, tokens.child)
    for (const [path, body] of [
      ['move', { startsAt: nextHour() }],
      ['cancel', { reason: 'Mine' }],
    ] as const) {
      const answer = await post(`/${others}/${path}`, body, tokens.child)
      expect([answer.status, answer.body.error]).toEqual([404, unknown.body.error])
    }
    for (const path of ['attended', 'no-show']) {
      expect((await post(`/${own}/${path}`, undefined, tokens.child)).body.error.code).toBe('INSUFFICIENT_ROLE')
    }
    expect(await stateOf(others)).toEqual({ status: 'booked', reason: null })
  })

  it('of fifty clients who move to one slot at once one gets it, and the others keep their time', async () => {
    const { server, center, people } = fixture
    const [to, start] = [nextHour(), Date.parse('2028-05-01T00:00:00Z')]
    const clients = await Promise.all(Array.from({ length: 50 }, () => server.world.person()))
    const ids = clients.map(() => newUuid())
    for (const client of clients) await server.world.member(client, center, 'CHILD')
    await server.world.query(
      `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status)
       select $1, id, $4, client, client, $5::timestamptz + n * interval '1 hour', $5::timestamptz + (n + 1) * interval '1 hour',
         now(), 'booked' from unnest($2::uuid[], $3::uuid[]) with ordinality b (id, client, n)`,
      [center.id, ids, clients.map(({ actorId }) => actorId), people.instructor.actorId, new Date(start)],
    )
    const tokens = await Promise.all(
      clients.map(async (each) => (await server.signIn(each, center.domain)).accessToken),
    )
    const answers = await Promise.all(
      ids.map((id, at) => post(`/${typedId('booking', id)}/move`, { startsAt: to }, tokens[at])),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([])
    const rows = await server.world.query<{ starts_at: Date }>(
      'select starts_at from cell.bookings where id = any ($1)',
      [ids],
    )
    expect(new Set(rows.map(({ starts_at }) => starts_at.getTime())).size).toBe(50)
  })

  it('refuses every caller who is not an active member', () =>
    expectRefusals(fixture, 'POST', (center) => `/api/centers/${center}/bookings/bkg_01kz9x4q8hfx5r3v7t2b6n0m1c/move`, {
      startsAt: at(1),
    }))
})

describe('GET /centers/{center}/bookings', () => {
  const day = Date.parse('2019-03-04T00:00:00Z')
  const range = `from=${new Date(day).toISOString()}&to=${new Date(day + 24 * hourMs).toISOString()}`

  it('200 in the order of time with names, by range, person, instructor and state, and the numbers', async () => {
    const ids = []
    for (const [n, status] of (['attended', 'no_show', 'booked'] as const).entries()) {
      ids.push(await imported(status, new Date(day + n * hourMs)))
    }
    const { body } = await list(range)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(body.data[0]).toMatchObject({
      clientName: expect.stringMatching(/^Person/),
      instructorName: expect.stringMatching(/^Person/),
    })
    expect(body.counts.byStatus).toEqual({ booked: 1, attended: 1, no_show: 1, canceled: 0 })
    const total = async (query: string, token?: string) => (await list(query, token)).body.pagination.total
    expect(await total(`${range}&status=no_show`)).toBe(1)
    expect(await total(`${range}&instructorId=${second}`)).toBe(0)
    expect(await total(`${range}&clientId=${fixture.people.parent.actorId}`)).toBe(3)
    expect(await total(range, fixture.tokens.parent)).toBe(3)
    expect(await total(range, fixture.tokens.child)).toBe(0)
    // Staff who are clients too name themselves: these appointments are theirs as an instructor, not as a client.
    const { instructor, child } = fixture.people
    expect(await total(`${range}&clientId=${instructor.actorId}`, fixture.tokens.instructor)).toBe(0)
    expect((await list(`${range}&clientId=${child.actorId}`, fixture.tokens.child)).status).toBe(200)
    const first = await list(`${range}&limit=2`)
    const rest = await list(`${range}&limit=2&cursor=${first.body.pagination.nextCursor}`)
    expect(rest.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
    const all = await list('limit=1')
    const counted = Object.values(all.body.counts.byStatus as Record<string, number>).reduce((a, b) => a + b, 0)
    const [rows] = await fixture.server.world.query(
      'select count(*)::int as n from cell.bookings where center_id = $1',
      [fixture.center.id],
    )
    expect([all.body.pagination.total, counted]).toEqual([rows?.n, rows?.n])
    const { text } = await fixture.server.call('GET', `${base()}.csv?${range}`, { token: fixture.tokens.admin })
    expect(text.trimEnd().split('\r\n')).toHaveLength(4)
  })

  it("403 INSUFFICIENT_ROLE for another person's appointments, 400 for what is no filter", async () => {
    const others = await list(`clientId=${fixture.people.parent.actorId}`, fixture.tokens.child)
    expect([others.status, others.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    for (const query of ['from=now', 'status=gone', 'cursor=bkg_x', 'person=1'])
      expect((await list(query)).status).toBe(400)
  })
})

describe('GET /centers/{center}/attendance', () => {
  const day = Date.parse('2018-03-05T00:00:00Z')
  const range = `from=${new Date(day).toISOString()}&to=${new Date(day + 24 * hourMs).toISOString()}`
  const path = (center: string | number) => `/api/centers/${center}/attendance`
  const get = (query: string, token = fixture.tokens.instructor) =>
    fixture.server.call('GET', `${path(fixture.center.id)}?${query}`, { token })

  it('200 newest first with names, by range, person, instructor and kind, with the numbers and as CSV', async () => {
    const { parent, instructor } = fixture.people
    const marks = ['attended', 'no-show', 'attended'] as const
    for (const [n, mark] of marks.entries()) {
      await post(`/${await imported('booked', new Date(day + n * hourMs))}/${mark}`, undefined)
    }
    await fixture.server.world.query(
      `insert into cell.attendance (center_id, id, kind, source, reference, at, recorded_at)
       values ($1, $2, 'attended', 'event', '=learner-7', $3, now())`,
      [fixture.center.id, newUuid(), new Date(day + 3 * hourMs)],
    )
    const { body } = await get(range)
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['attended', 'attended', 'no_show', 'attended'])
    expect(body.data[0]).toMatchObject({ source: 'event', clientId: null, clientName: null, reference: '=learner-7' })
    expect(body.data[1]).toMatchObject({
      source: 'booking',
      bookingId: expect.stringMatching(/^bkg_/),
      clientName: expect.stringMatching(/^Person/),
      instructorName: expect.stringMatching(/^Person/),
    })
    expect(body.counts.byKind).toEqual({ attended: 3, no_show: 1 })
    const total = async (query: string) => (await get(query)).body.pagination.total
    expect(await total(`${range}&kind=no_show`)).toBe(1)
    expect(await total(`${range}&clientId=${parent.actorId}`)).toBe(3)
    expect(await total(`${range}&instructorId=${instructor.actorId}`)).toBe(3)
    expect(await total(`${range}&instructorId=${second}`)).toBe(0)
    const first = await get(`${range}&limit=3`)
    const rest = await get(`${range}&limit=3&cursor=${first.body.pagination.nextCursor}`)
    expect([...first.body.data, ...rest.body.data]).toEqual(body.data)
    const all = (await get('limit=1')).body
    const counted = await fixture.server.world.query<{ kind: string; n: number }>(
      'select kind, count(*)::int as n from cell.attendance where center_id = $1 group by 1',
      [fixture.center.id],
    )
    expect(all.counts.byKind).toEqual(Object.fromEntries(counted.map(({ kind, n }) => [kind, n])))
    const csv = await fixture.server.call('GET', `${path(fixture.center.id)}.csv?${range}`, {
      token: fixture.tokens.admin,
    })
    const lines = csv.text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[1]).toContain(",attended,,'=learner-7,,event,")
  })

  it('200 with their own for a member who is not staff, and as CSV for staff only', async () => {
    const { people, tokens, server, center } = fixture
    const own = (await get(range, tokens.parent)).body
    expect([own.data.length, own.pagination.total, own.counts.byKind]).toEqual([3, 3, { attended: 2, no_show: 1 }])
    expect(new Set(own.data.map(({ clientId }: { clientId: string }) => clientId))).toEqual(
      new Set([people.parent.actorId]),
    )
    expect((await get(range, tokens.child)).body).toMatchObject({ data: [], counts: { byKind: { attended: 0 } } })
    for (const [who, token] of [
      [people.instructor, tokens.instructor],
      [people.child, tokens.child],
    ] as const) {
      expect((await get(`${range}&clientId=${who.actorId}`, token)).body.data).toEqual([])
    }
    // A cursor of another person's row leads to nothing of theirs.
    const first = (await get(`${range}&limit=1`)).body.pagination.nextCursor
    expect((await get(`${range}&cursor=${first}`, tokens.child)).body.data).toEqual([])
    for (const token of [tokens.parent, tokens.child]) {
      const other = await get(`clientId=${people.instructor.actorId}`, token)
      const csv = await server.call('GET', `${path(center.id)}.csv`, { token })
      for (const { status, body } of [other, csv]) {
        expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
      }
    }
  })

  it('knows who stands in the appointments and the attendance of this center, and nobody else', async () => {
    const { server, center, people } = fixture
    const elsewhere = await server.world.center()
    const [onlyThere, nowhere, verified] = [newUuid(), newUuid(), newUuid()]
    await server.world.query(
      `insert into cell.attendance (center_id, id, kind, source, client_id, at, recorded_at)
       values ($1, gen_random_uuid(), 'attended', 'event', $2, now(), now()), ($3, gen_random_uuid(), 'attended', 'event', $4, now(), now())`,
      [elsewhere.id, onlyThere, center.id, verified],
    )
    await imported('booked')
    const caller = { requestId: 'req_people', actorId: null, centerId: center.id }
    const asked = [people.parent.actorId, people.instructor.actorId, verified, onlyThere, nowhere]
    const found = await server.services.cells.of('main').inTenant(caller, (tx) => peopleInBookings(tx, asked), 'read')
    expect([...found].toSorted()).toEqual(asked.slice(0, 3).toSorted())
  })

  it('400 for what is no filter, and refuses all others', async () => {
    const { admin } = fixture.tokens
    for (const query of ['from=now', 'kind=gone', 'cursor=att_x', 'person=1'])
      expect((await get(query, admin)).status).toBe(400)
    for (const end of ['', '.csv']) await expectRefusals(fixture, 'GET', (center) => `${path(center)}${end}`)
  })
})
