import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'
import { newUuid, uuidOf } from '../../../../lib/ids.ts'
import { tellPeopleJob } from '../../../identity/notifications/tell-people.job.ts'
import { passOnPlacesJob } from '../pass-on-places.job.ts'

let server: TestServer
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
}, 60_000)
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

/** Mondays of one slot: it is full with one appointment. */
const monday = '2031-03-03'
const slotOf = (date: string) => `${date}T01:00:00.000Z`
const weeks = (count: number) => new Date(Date.parse(monday) + count * 7 * 86_400_000).toISOString().slice(0, 10)
const hourMs = 3_600_000

let center: Center
let instructor: Person
let admin: Person
let clients: Person[]
let tokens: Map<Person, string>

beforeEach(async () => {
  const { world } = server
  center = await world.center()
  ;[admin, instructor] = [await world.person(), await world.person()]
  await world.member(admin, center)
  await world.member(instructor, center, 'INSTRUCTOR')
  clients = []
  for (let at = 0; at < 4; at++) {
    const client = await world.person()
    await world.member(client, center, 'PARENT')
    clients.push(client)
  }
  tokens = new Map()
  const booking = { slotMinutes: 60, openingHours: { mon: [{ from: '10:00', to: '11:00' }] } }
  await call('PATCH', admin, '/settings', { timezone: 'Asia/Seoul', booking })
})

async function call(method: string, person: Person | null, path: string, body?: unknown, at = center) {
  if (person && !tokens.has(person)) tokens.set(person, (await server.signIn(person)).accessToken)
  const token = person ? tokens.get(person) : undefined
  return server.call(method, `/api/centers/${at.id}${path}`, {
    ...(token && { token }),
    ...(body !== undefined && { body }),
  })
}
/** Sessions of another time are over, or have not begun. */
function setClock(at: number | null): void {
  useClock(at === null ? Date.now : () => at)
  tokens = new Map()
}
const client = (at: number) => clients[at] as Person
const book = (person: Person, date = monday, bookedFor?: Person) =>
  call('POST', person, '/bookings', {
    ...{ instructorId: instructor.actorId, startsAt: slotOf(date) },
    ...(bookedFor && { bookedFor: bookedFor.actorId }),
  })
const wait = (person: Person, date = monday, bookedFor?: Person) =>
  call('POST', person, '/waiting-list', {
    ...{ instructorId: instructor.actorId, date },
    ...(bookedFor && { bookedFor: bookedFor.actorId }),
  })
const list = async (person: Person, query = '') => (await call('GET', person, `/waiting-list${query}`)).body.data
const offerOf = async (person: Person) => (await list(person))[0]?.offer ?? null
const passOn = () => passOnPlacesJob(server.services, 'main')
const said = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]
const slots = async (person: Person, date = monday) =>
  (await call('GET', person, `/available-slots?date=${date}`)).body.data.slots.length

/** The day is full, and these wait, one after the other. */
async function full(...waiting: Person[]): Promise<string> {
  const { body } = await book(admin, monday, client(3))
  for (const each of waiting) expect((await wait(each)).status).toBe(201)
  return body.data.id
}

describe('POST /centers/{center}/waiting-list', () => {
  it('201 on a full day, for oneself, a child, or as staff for a client', async () => {
    const child = await server.world.person({ login: false })
    await server.world.member(child, center, 'CHILD')
    await server.world.guardian(client(0), child, center)
    await full()
    const own = await wait(client(0))
    expect([own.status, own.body.data]).toMatchObject([
      201,
      { clientId: client(0).actorId, instructorId: instructor.actorId, date: monday, offer: null },
    ])
    expect((await wait(client(0), monday, child)).status).toBe(201)
    expect((await wait(instructor, monday, client(1))).status).toBe(201)
    expect(said(await wait(client(0)))).toEqual([409, 'CONFLICT'])
    expect(said(await wait(client(0), monday, client(2)))).toEqual([403, 'INSUFFICIENT_ROLE'])
  })

  it('409 where a slot is free, the day is closed or nobody works; 404 for another instructor; 400 in the past', async () => {
    expect(said(await wait(client(0)))).toEqual([409, 'CONFLICT'])
    expect(said(await wait(client(0), '2031-03-04'))).toEqual([409, 'CONFLICT'])
    await call('POST', admin, '/closures', { from: monday, name: 'Training' })
    expect(said(await wait(client(0)))).toEqual([409, 'CONFLICT'])
    const unknown = await call('POST', client(0), '/waiting-list', { instructorId: client(1).actorId, date: monday })
    expect(said(unknown)).toEqual([404, 'NOT_FOUND'])
    expect(said(await wait(client(0), '2020-01-06'))).toEqual([400, 'VALIDATION_ERROR'])
    expect(said(await wait(client(0), '2031-02-30'))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('409 for the twenty-first day of a client', async () => {
    for (let week = 0; week < 21; week++) await book(admin, weeks(week), client(3))
    const answers = []
    for (let week = 0; week < 21; week++) answers.push((await wait(client(0), weeks(week))).status)
    expect(answers).toEqual([...Array<number>(20).fill(201), 409])
  })

  it('401 and 403 for strangers', async () => {
    const stranger = await server.world.person()
    await server.world.member(stranger, await server.world.center())
    expect((await call('POST', null, '/waiting-list', {})).status).toBe(401)
    expect((await wait(stranger)).status).toBe(403)
  })
})

describe('a place that comes free', () => {
  it.each([
    ['canceled', (id: string) => call('POST', admin, `/bookings/${id}/cancel`, { reason: 'flu' })],
    ['canceled without a word', (id: string) => call('DELETE', client(3), `/bookings/${id}`)],
    ['moved away', (id: string) => call('POST', admin, `/bookings/${id}/move`, { startsAt: slotOf(weeks(1)) })],
  ])('%s: it is kept for whoever waits longest, who alone can book it', async (_, free) => {
    const id = await full(client(0), client(1))
    expect((await free(id)).status).toBeLessThan(300)
    expect(await offerOf(client(0))).toMatchObject({ startsAt: slotOf(monday), until: expect.any(String) })
    expect(await offerOf(client(1))).toBeNull()
    expect([await slots(client(0)), await slots(client(1)), await slots(admin)]).toEqual([1, 0, 1])
    for (const [person, forWhom] of [
      [client(1), undefined],
      [client(2), undefined],
      [admin, client(2)],
    ] as const)
      expect(said(await book(person, monday, forWhom))).toEqual([409, 'CONFLICT'])
    expect((await book(client(0))).status).toBe(201)
    expect(await list(client(0))).toEqual([])
    expect(await list(client(1))).toHaveLength(1)
  })

  it('the person and their guardians are told, once, and nobody else', async () => {
    const id = await full(client(0), client(1))
    await call('DELETE', client(3), `/bookings/${id}`)
    await tellPeopleJob(server.services, 'main')
    await tellPeopleJob(server.services, 'main')
    await server.services.mail.close()
    const about = mailbox.messages.filter(({ text }) => text.includes('came free') || text.includes('자리가 났'))
    const to = about.flatMap((message) => message.to)
    expect(to.filter((each) => each === client(0).email)).toHaveLength(1)
    expect(to).not.toContain(client(1).email)
    expect(to).not.toContain(instructor.email)
  })

  it('it goes on to the next after two hours, and is free for all once nobody waits', async () => {
    const id = await full(client(0), client(1))
    const now = Date.now()
    await call('DELETE', client(3), `/bookings/${id}`)
    await passOn()
    expect(await offerOf(client(0))).not.toBeNull()
    try {
      setClock(now + 2 * hourMs + 60_000)
      expect(await offerOf(client(0))).toBeNull()
      await passOn()
      expect([await list(client(0)), await offerOf(client(1))]).toMatchObject([[], { startsAt: slotOf(monday) }])
      setClock(now + 4 * hourMs + 120_000)
      await passOn()
      expect(await list(admin)).toEqual([])
      expect((await book(client(2))).status).toBe(201)
    } finally {
      setClock(null)
    }
  })

  it('it is kept until it begins at the latest, and for nobody if it begins within half an hour', async () => {
    const id = await full(client(0))
    const begins = Date.parse(slotOf(monday))
    try {
      setClock(begins - hourMs)
      await call('DELETE', client(3), `/bookings/${id}`)
      expect(await offerOf(client(0))).toMatchObject({ until: slotOf(monday) })
      await book(client(0))
      await wait(client(1))
      setClock(begins - 20 * 60_000)
      const [own] = (await call('GET', client(0), `/bookings?clientId=${client(0).actorId}`)).body.data
      await call('DELETE', client(0), `/bookings/${own.id}`)
      expect(await offerOf(client(1))).toBeNull()
    } finally {
      setClock(null)
    }
  })

  it('who has another appointment then, or has left, is passed over', async () => {
    const other = await server.world.person()
    await server.world.member(other, center, 'INSTRUCTOR')
    const id = await full(client(0), client(1), client(2))
    const elsewhere = { instructorId: other.actorId, startsAt: slotOf(monday) }
    expect((await call('POST', client(0), '/bookings', elsewhere)).status).toBe(201)
    await server.world.setMembership(client(1), center, { status: 'ENDED' })
    await call('DELETE', client(3), `/bookings/${id}`)
    expect(await offerOf(client(2))).not.toBeNull()
    const left = await list(admin)
    expect(left.map(({ clientId }: { clientId: string }) => clientId)).toEqual([client(0).actorId, client(2).actorId])
  })

  it('a series that is canceled or moved offers each of its places', async () => {
    const asked = { instructorId: instructor.actorId, startsAt: slotOf(monday), bookedFor: client(3).actorId }
    const { body } = await call('POST', admin, '/booking-series', { ...asked, weeks: 3, leaveOut: [] })
    expect((await wait(client(0), weeks(1))).status).toBe(201)
    expect((await wait(client(0), weeks(2))).status).toBe(201)
    const [first] = body.data.bookings
    expect((await call('POST', admin, `/bookings/${first.id}/cancel`, { scope: 'all', reason: 'moved' })).status).toBe(
      200,
    )
    const entries = await list(client(0))
    expect(entries.map(({ offer }: { offer: { startsAt: string } | null }) => offer?.startsAt)).toEqual([
      slotOf(weeks(1)),
      slotOf(weeks(2)),
    ])
  })
})

describe('leaving', () => {
  it('204 for the person and staff; 404 for everybody else; a kept place goes on', async () => {
    const id = await full(client(0), client(1))
    await call('DELETE', client(3), `/bookings/${id}`)
    const [mine] = await list(client(0))
    expect(said(await call('DELETE', client(1), `/waiting-list/${mine.id}`))).toEqual([404, 'NOT_FOUND'])
    expect((await call('DELETE', client(0), `/waiting-list/${mine.id}`)).status).toBe(204)
    expect(said(await call('DELETE', client(0), `/waiting-list/${mine.id}`))).toEqual([404, 'NOT_FOUND'])
    const [next] = await list(client(1))
    expect(next.offer).not.toBeNull()
    expect((await call('DELETE', instructor, `/waiting-list/${next.id}`)).status).toBe(204)
    expect((await book(client(2))).status).toBe(201)
  })

  it('another place on that day ends the waiting, and the kept one goes on with the next run', async () => {
    const booking = { slotMinutes: 60, openingHours: { mon: [{ from: '10:00', to: '12:00' }] } }
    await call('PATCH', admin, '/settings', { booking })
    const later = { instructorId: instructor.actorId, startsAt: `${monday}T02:00:00.000Z` }
    const second = await call('POST', client(2), '/bookings', later)
    const id = await full(client(0), client(1))
    await call('DELETE', client(3), `/bookings/${id}`)
    expect(await offerOf(client(0))).toMatchObject({ startsAt: slotOf(monday) })
    // Kept for one, free for another: the second place is offered to the next.
    await call('DELETE', client(2), `/bookings/${second.body.data.id}`)
    expect(await offerOf(client(1))).toMatchObject({ startsAt: later.startsAt })
    await call('DELETE', client(1), `/waiting-list/${(await list(client(1)))[0].id}`)
    expect((await call('POST', client(0), '/bookings', later)).status).toBe(201)
    await passOn()
    expect(await list(admin)).toEqual([])
  })
})

it('who sees the list: staff all of it, a client their own, and no other center anything', async () => {
  await full(client(0), client(1))
  expect(await list(admin)).toHaveLength(2)
  expect(await list(instructor, `?clientId=${client(1).actorId}&from=${monday}&to=${monday}`)).toHaveLength(1)
  expect(await list(admin, `?from=${weeks(1)}`)).toEqual([])
  expect(await list(client(0))).toMatchObject([{ clientId: client(0).actorId }])
  expect(said(await call('GET', client(0), `/waiting-list?clientId=${client(1).actorId}`))).toEqual([
    403,
    'INSUFFICIENT_ROLE',
  ])
  const foreign = await server.world.center()
  const outsider = await server.world.person()
  await server.world.member(outsider, foreign)
  expect((await call('GET', outsider, '/waiting-list', undefined, foreign)).body.data).toEqual([])
  const [entry] = await list(admin)
  expect(said(await call('DELETE', outsider, `/waiting-list/${entry.id}`, undefined, foreign))).toEqual([
    404,
    'NOT_FOUND',
  ])
})

describe('fifty at once', () => {
  it('who asks while the place is left is offered it or can book it: nobody waits beside a free place', async () => {
    for (let round = 0; round < 5; round++) {
      const date = weeks(round)
      const { body } = await book(admin, date, client(3))
      const asking = Array.from({ length: 48 }, (_, at) => wait(client(at % 3), date))
      const [canceled, ...asked] = await Promise.all([
        call('DELETE', client(3), `/bookings/${body.data.id}`),
        ...asking,
      ])
      expect(canceled.status).toBe(204)
      expect(asked.filter(({ status }) => status !== 201 && status !== 409 && status !== 503)).toEqual([])
      const entries = await list(admin, `?from=${date}&to=${date}`)
      const offered = entries.filter(({ offer }: { offer: unknown }) => offer !== null)
      expect(offered).toHaveLength(entries.length > 0 ? 1 : 0)
    }
  })

  it('a kept place is booked once, by whom it is kept for', async () => {
    const id = await full(client(0), client(1))
    await call('DELETE', client(3), `/bookings/${id}`)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => book(client(at % 3))))
    const won = answers.filter(({ status }) => status === 201)
    expect(won.map(({ body }) => body.data.bookedFor)).toEqual([client(0).actorId])
  })

  it('the database keeps a place from whoever writes there, and for one client', async () => {
    const id = await full(client(0), client(1))
    await call('DELETE', client(3), `/bookings/${id}`)
    const insert = (bookedFor: Person) =>
      server.world.query(
        `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, placed_at)
         values ($1, $2, $3, $4, $4, $5::timestamptz, $5::timestamptz + interval '1 hour', now(), now())`,
        [center.id, newUuid(), instructor.actorId, bookedFor.actorId, slotOf(monday)],
        true,
      )
    await expect(insert(client(1))).rejects.toMatchObject({ constraint: 'booking_kept' })
    const [second] = await list(client(1))
    const offer = server.world.query(
      `update cell.booking_waits set offer_starts_at = $3::timestamptz, offer_ends_at = $3::timestamptz + interval '1 hour', offer_until = $3
       where center_id = $1 and id = $2`,
      [center.id, uuidOf('bookingWait', second.id), slotOf(monday)],
      true,
    )
    await expect(offer).rejects.toMatchObject({ constraint: 'booking_waits_one_offer' })
  })
})
