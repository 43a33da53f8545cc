import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { newToken } from '../../../../access/opaque-token.ts'
import { newUuid, typedId } from '../../../../lib/ids.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
}, 60_000)
afterAll(() => server.close())

/** The event, which is there. */
const there = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('no such event')
  return value
}

const call = (method: string, token: string | undefined, body?: unknown) =>
  server.call(method, '/api/auth/me/calendar', { ...(token && { token }), ...(body !== undefined && { body }) })
const tokenOf = async (person: Person) => (await server.signIn(person)).accessToken
const pathOf = (url: string) => new URL(url).pathname

async function turnOn(person: Person, names = false): Promise<string> {
  const { status, body } = await call('POST', await tokenOf(person), { names })
  expect(status).toBe(201)
  return pathOf(body.data.url)
}

const read = async (path: string) => {
  const { status, text, headers } = await server.call('GET', path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((each) => ({
    uid: String(each.getFirstPropertyValue('uid')),
    summary: String(each.getFirstPropertyValue('summary')),
    description: String(each.getFirstPropertyValue('description')),
    status: String(each.getFirstPropertyValue('status')),
    sequence: Number(each.getFirstPropertyValue('sequence')),
    text,
  }))
}
const uids = async (path: string) => (await read(path)).map(({ uid }) => uid)

interface Place {
  readonly center: Center
  readonly instructor: Person
  readonly client: Person
}

async function place(): Promise<Place> {
  const { world } = server
  const [center, admin] = [await world.center(), await world.person()]
  const [instructor, client] = [await world.person(), await world.person()]
  await world.member(admin, center)
  await world.member(instructor, center, 'INSTRUCTOR')
  await world.member(client, center, 'PARENT')
  return { center, instructor, client }
}

let hours = 24
/** An appointment of its own hour. */
async function booked({ center, instructor }: Place, bookedFor: Person, more: { status?: string; day?: number } = {}) {
  const id = newUuid()
  hours++
  await server.world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status, reason)
     select $1, $2, $3, $4, $4, at, at + interval '50 minutes', now() - interval '1 hour', $5, case when $5 = 'canceled' then 'flu' end
     from (select date_trunc('hour', now()) + $6 * interval '1 day' + $7 * interval '1 hour' as at) t`,
    [center.id, id, instructor.actorId, bookedFor.actorId, more.status ?? 'booked', more.day ?? 0, hours],
    true,
  )
  return `${typedId('booking', id)}@countersign`
}

let here: Place
beforeEach(async () => {
  here = await place()
})

describe('an address', () => {
  it('201 shows it once; reset, the old one is 404 at once; turned off, so is the new one', async () => {
    const token = await tokenOf(here.client)
    expect((await call('GET', token)).body.data).toEqual({ createdAt: null, names: false })
    const first = await turnOn(here.client)
    expect(await uids(first)).toEqual([])
    const second = await turnOn(here.client)
    expect(second).not.toBe(first)
    expect((await server.call('GET', first)).status).toBe(404)
    expect(await uids(second)).toEqual([])
    const known = await call('GET', token)
    expect(known.body.data).toEqual({ createdAt: expect.any(String), names: false })
    expect(known.text).not.toContain('csc_')
    expect((await call('DELETE', token)).status).toBe(204)
    expect((await server.call('GET', second)).status).toBe(404)
    expect((await call('DELETE', token)).status).toBe(204)
  })

  it('only a hash is stored, and no line of the log has the token', async () => {
    const path = await turnOn(here.client)
    const [token = ''] = /csc_[\w-]+/.exec(path) ?? []
    expect(token).toHaveLength(47)
    await server.call('GET', path)
    await server.call('GET', path.replace('.ics', 'x.ics'))
    const rows = await server.world.query(`select f::text as row from directory.calendar_feeds f`, [], true)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(server.logs.length).toBeGreaterThan(0)
    expect(server.logs.join('')).not.toContain(token)
  })

  it('404 for what was never given, whatever its form', async () => {
    for (const file of [
      `${newToken('csc')}.ics`,
      newToken('csc'),
      'csc_.ics',
      `${newToken('csr')}.ics`,
      'x',
      encodeURIComponent("' or 1=1 --.ics"),
    ]) {
      const { status, body } = await server.call('GET', `/api/calendar/${file}`)
      expect([file, status, body.error.code]).toEqual([file, 404, 'NOT_FOUND'])
    }
  })

  it('403 without a recent confirmation, 401 without a session', async () => {
    const { accessToken } = await server.signIn(here.client)
    await server.world.query(
      `update directory.sessions set signed_in_at = now() - interval '1 hour', stepped_up_at = null where actor_id = $1`,
      [here.client.actorId],
      true,
    )
    server.services.authenticate.forget(`actor:${here.client.actorId}`)
    for (const [method, body] of [
      ['POST', { names: false }],
      ['PATCH', { names: true }],
    ] as const) {
      const refused = await call(method, accessToken, body)
      expect([refused.status, refused.body.error.details]).toMatchObject([403, { reason: 'stepUp' }])
    }
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
      expect(
        (await call(method, undefined, method === 'POST' || method === 'PATCH' ? { names: true } : undefined)).status,
      ).toBe(401)
  })

  it('404 for a change of what is off, 400 for another body', async () => {
    const token = await tokenOf(here.client)
    expect((await call('PATCH', token, { names: true })).status).toBe(404)
    for (const body of [{}, { names: 'yes' }, { names: true, actorId: here.instructor.actorId }])
      expect((await call('POST', token, body)).status).toBe(400)
  })

  it('of fifty resets at once one address is good', async () => {
    const token = await tokenOf(here.client)
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('POST', token, { names: false })))
    const urls = answers.filter(({ status }) => status === 201).map(({ body }) => pathOf(body.data.url))
    expect(urls.length).toBeGreaterThan(0)
    const statuses = await Promise.all(urls.map(async (url) => (await server.call('GET', url)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('what it has', () => {
  it('an instructor: their own appointments and no others of the center', async () => {
    const other = await server.world.person()
    await server.world.member(other, here.center, 'INSTRUCTOR')
    const mine = await booked(here, here.client)
    await booked({ ...here, instructor: other }, here.client)
    expect(await uids(await turnOn(here.instructor))).toEqual([mine])
  })

  it('a client: their own, in all of their centers; what is long past is left out', async () => {
    const elsewhere = await place()
    await server.world.member(here.client, elsewhere.center, 'PARENT')
    const [one, two] = [await booked(here, here.client), await booked(elsewhere, here.client)]
    await booked(here, here.instructor)
    await booked(here, here.client, { day: -40 })
    await booked(here, here.client, { day: 400 })
    expect(await uids(await turnOn(here.client))).toEqual([one, two])
  })

  it('a guardian: their children, until the guardianship ends', async () => {
    const child = await server.world.person({ login: false })
    await server.world.member(child, here.center, 'CHILD')
    await server.world.guardian(here.client, child, here.center)
    const mine = await booked(here, child)
    const path = await turnOn(here.client)
    expect(await uids(path)).toEqual([mine])
    await server.world.query(
      `update directory.guardianships set status = 'ENDED' where child_id = $1`,
      [child.actorId],
      true,
    )
    expect(await uids(path)).toEqual([])
  })

  it.each([
    [
      'a membership that ended',
      (at: Place) => server.world.setMembership(at.instructor, at.center, { status: 'ENDED' }),
    ],
    ['a suspended one', (at: Place) => server.world.setMembership(at.instructor, at.center, { status: 'SUSPENDED' })],
    [
      'a role that is no staff anymore',
      (at: Place) => server.world.setMembership(at.instructor, at.center, { role: 'PARENT' }),
    ],
    ['a suspended center', (at: Place) => server.world.setCenterStatus(at.center, 'SUSPENDED')],
  ])('%s takes its appointments away with the next reading', async (_, end) => {
    await booked(here, here.client)
    const path = await turnOn(here.instructor)
    expect(await uids(path)).toHaveLength(1)
    await end(here)
    expect(await uids(path)).toEqual([])
  })

  it('404 after the account was deleted', async () => {
    const path = await turnOn(here.client)
    const token = await tokenOf(here.client)
    const erased = await server.call('DELETE', `/api/auth/me?actorId=${here.client.actorId}`, { token })
    expect([erased.status, (await server.call('GET', path)).status]).toEqual([200, 404])
  })

  it('canceled, it stays as canceled, without the reason', async () => {
    const canceled = await booked(here, here.client, { status: 'canceled' })
    const [found] = await read(await turnOn(here.client))
    expect(found).toMatchObject({ uid: canceled, status: 'CANCELLED' })
    expect(there(found).text).not.toContain('flu')
  })

  it('moved, it is the same event with a higher sequence', async () => {
    const mine = await booked(here, here.client)
    const path = await turnOn(here.client)
    const [before] = await read(path)
    await server.world.query(
      `update cell.bookings set starts_at = starts_at + interval '7 days', ends_at = ends_at + interval '7 days', changed_at = now()
       where center_id = $1`,
      [here.center.id],
      true,
    )
    const [after] = await read(path)
    expect([there(before).uid, there(after).uid]).toEqual([mine, mine])
    expect(there(after).sequence).toBeGreaterThan(there(before).sequence)
  })

  it('503 and no part of it while a center cannot be read', async () => {
    await booked(here, here.client)
    const path = await turnOn(here.client)
    await server.world.query(`update directory.centers set cell = 'away' where id = $1`, [here.center.id], true)
    expect((await server.call('GET', path, { impatient: true })).status).toBe(503)
    await server.world.query(`update directory.centers set cell = 'main' where id = $1`, [here.center.id], true)
  })
})

describe('names', () => {
  const named = async (person: Person, center: Center, name: string) =>
    server.world.query(
      'update directory.memberships set name = $3 where actor_id = $1 and center_id = $2',
      [person.actorId, center.id, name],
      true,
    )

  it('none by default; with the choice initials of clients, and the same address', async () => {
    await named(here.client, here.center, '이미나')
    await named(here.instructor, here.center, 'Kim; DTSTART:1')
    await booked(here, here.client)
    const [staff, family] = [await turnOn(here.instructor), await turnOn(here.client)]
    for (const path of [staff, family]) expect(there((await read(path))[0]).text).not.toMatch(/이|Kim/)
    for (const person of [here.instructor, here.client])
      expect((await call('PATCH', await tokenOf(person), { names: true })).status).toBe(204)
    const [ofStaff] = await read(staff)
    expect(there(ofStaff).summary).toContain('이○○')
    expect(there(ofStaff).text).not.toContain('미나')
    expect(there((await read(family))[0]).summary).toContain('Kim; DTSTART:1')
  })
})

it('readings are limited by calendar, and cost the address of a calendar service nothing', async () => {
  const limited = await startServer({ env: { RATE_LIMIT_PUBLIC: '5/60' } })
  try {
    const [one, two] = [await limited.world.person(), await limited.world.person()]
    const on = async (person: Person) => {
      const { accessToken: token } = await limited.signIn(person)
      return pathOf(
        (await limited.call('POST', '/api/auth/me/calendar', { token, body: { names: false } })).body.data.url,
      )
    }
    const [first, second] = [await on(one), await on(two)]
    const times = async (path: string, count: number) => {
      const statuses: number[] = []
      for (let at = 0; at < count; at++) statuses.push((await limited.call('GET', path)).status)
      return statuses
    }
    expect(await times(first, 6)).toEqual([200, 200, 200, 200, 200, 429])
    expect(await times(second, 5)).toEqual([200, 200, 200, 200, 200])
    const guesses = await times(`/api/calendar/${newToken('csc')}.ics`, 6)
    expect(guesses.at(-1)).toBe(429)
  } finally {
    await limited.close()
  }
})
