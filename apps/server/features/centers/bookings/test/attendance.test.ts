import type { BookingStatus } from '@countersign/contract/enums.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId, newUuid, typedId, uuidOf } from '../../../../lib/ids.ts'
import { expectRefusals, type Fixture, openFixture } from '../../centers/test/fixture.ts'

let fixture: Fixture
let count = 0
const hourMs = 3_600_000
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.server.close())

const path = (center = fixture.center.domain) => `/api/centers/${center}/bookings/attendance`
const mark = (marks: readonly object[], token = fixture.tokens.admin) =>
  fixture.server.call('POST', path(), { token, body: { marks } })

async function appointment(status: BookingStatus = 'booked', startsAt = Date.parse('2020-01-06') + count++ * hourMs) {
  const id = newUuid()
  await fixture.server.world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status)
     values ($1, $2, $3, $4, $4, $5, $5::timestamptz + interval '1 hour', now(), $6)`,
    [
      fixture.center.id,
      id,
      fixture.people.instructor.actorId,
      fixture.people.parent.actorId,
      new Date(startsAt),
      status,
    ],
  )
  return typedId('booking', id)
}
const appointments = async (statuses: readonly BookingStatus[]) => {
  const made: string[] = []
  for (const status of statuses) made.push(await appointment(status))
  return made
}
const rows = (text: string, id: string) => fixture.server.world.query<Record<string, unknown>>(text, [id])
const statusOf = async (id: string) =>
  (await rows('select status from cell.bookings where id = $1', uuidOf('booking', id) as string))[0]?.status
const historyOf = (id: string) =>
  rows('select actor_id, details from cell.audit_entries where target_id = $1 order by occurred_at, id', id)

describe('POST /centers/{center}/bookings/attendance', () => {
  it('200 for a whole hour, each mark judged on its own', async () => {
    const ids = await appointments(['booked', 'booked', 'attended', 'no_show', 'canceled'])
    const later = await appointment('booked', Date.parse('2199-01-01') + count++ * hourMs)
    const unknown = newId('booking')
    const marks = [...ids, later, unknown].map((bookingId, at) => ({
      bookingId,
      kind: at === 1 ? 'no_show' : 'attended',
    }))
    const { status, body } = await mark(marks, fixture.tokens.instructor)
    expect(status).toBe(200)
    expect(body.data.recorded).toBe(3)
    expect(
      body.data.results.map((each: Record<string, unknown>) => [each.bookingId, each.outcome, each.status]),
    ).toEqual([
      [ids[0], 'recorded', 'attended'],
      [ids[1], 'recorded', 'no_show'],
      [ids[2], 'unchanged', 'attended'],
      [ids[3], 'recorded', 'attended'],
      [ids[4], 'canceled', 'canceled'],
      [later, 'notStarted', 'booked'],
      [unknown, 'notFound', null],
    ])
    const { instructor } = fixture.people
    expect(body.data.results[0]).toMatchObject({ recordedBy: instructor.actorId, recordedByName: expect.any(String) })
    expect(await statusOf(later)).toBe('booked')
  })

  it('200 and nothing twice for the same marks again', async () => {
    const [id = ''] = await appointments(['booked'])
    await mark([{ bookingId: id, kind: 'no_show' }])
    const again = await mark([{ bookingId: id, kind: 'no_show' }], fixture.tokens.instructor)
    expect(again.body.data).toMatchObject({
      recorded: 0,
      results: [{ outcome: 'unchanged', recordedBy: fixture.people.admin.actorId }],
    })
    expect(await historyOf(id)).toHaveLength(1)
  })

  it('200 for a correction: the list says who corrected it last, and the audit trail keeps both', async () => {
    const [id = ''] = await appointments(['booked'])
    await mark([{ bookingId: id, kind: 'no_show', expected: 'booked' }], fixture.tokens.instructor)
    await mark([{ bookingId: id, kind: 'attended', expected: 'no_show' }])
    const { admin, instructor } = fixture.people
    const of = { clientId: expect.any(String), startsAt: expect.stringMatching(/^2020-01-.*Z$/) }
    expect(await historyOf(id)).toEqual([
      { actor_id: instructor.actorId, details: { action: 'booking_no_show', from: 'booked', to: 'no_show', ...of } },
      { actor_id: admin.actorId, details: { action: 'booking_attended', from: 'no_show', to: 'attended', ...of } },
    ])
    const shown = async (token: string) =>
      (
        await fixture.server.call('GET', `/api/centers/${fixture.center.id}/bookings?limit=100`, { token })
      ).body.data.find((each: { id: string }) => each.id === id)
    expect(await shown(fixture.tokens.instructor)).toMatchObject({
      recordedBy: admin.actorId,
      recordedByName: expect.stringMatching(/^Person/),
    })
    const toClient = await shown(fixture.tokens.parent)
    expect(toClient).toMatchObject({ status: 'attended', recordedBy: null, recordedAt: null, recordedByName: null })
  })

  it('200 changed for a mark on what somebody else has marked otherwise: one of fifty wins, all see what stands', async () => {
    const [id = ''] = await appointments(['booked'])
    const taps = Array.from({ length: 50 }, (_, n) =>
      mark(
        [{ bookingId: id, kind: n % 2 ? 'attended' : 'no_show', expected: 'booked' }],
        n % 3 ? fixture.tokens.admin : fixture.tokens.instructor,
      ),
    )
    const results = (await Promise.all(taps)).map(({ body }) => body.data.results[0])
    const stands = await statusOf(id)
    expect(results.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1)
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([stands]))
    expect(new Set(results.map(({ recordedBy }) => recordedBy)).size).toBe(1)
    expect(results.filter(({ outcome }) => outcome === 'changed')).toHaveLength(25)
    expect(await historyOf(id)).toHaveLength(1)
  })

  it('200 for fifty whole hours at once in any order: each person is counted once', async () => {
    const ids = await appointments(Array.from({ length: 10 }, () => 'booked'))
    const counts = async () =>
      Object.fromEntries(
        (
          await fixture.server.world.query<{ kind: string; entries: number }>(
            'select kind, entries from cell.attendance_counts where center_id = $1',
            [fixture.center.id],
          )
        ).map(({ kind, entries }) => [kind, entries]),
      )
    const before = await counts()
    const hours = Array.from({ length: 50 }, (_, n) =>
      mark((n % 2 ? ids : ids.toReversed()).map((bookingId) => ({ bookingId, kind: 'attended', expected: 'booked' }))),
    )
    const answers = await Promise.all(hours)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.reduce((sum, { body }) => sum + body.data.recorded, 0)).toBe(10)
    expect((await counts()).attended).toBe((before.attended ?? 0) + 10)
  })

  it('400 for no mark, more than 100, an appointment twice, and what attendance is not', async () => {
    const [id = ''] = await appointments(['booked'])
    const one = { bookingId: id, kind: 'attended' }
    const many = Array.from({ length: 101 }, () => ({ bookingId: newId('booking'), kind: 'attended' }))
    for (const marks of [
      [],
      many,
      [one, { ...one, kind: 'no_show' }],
      [{ ...one, kind: 'booked' }],
      [{ kind: 'attended' }],
    ])
      expect((await mark(marks)).status).toBe(400)
    expect(await statusOf(id)).toBe('booked')
  })

  it('401 and 403 without the right, with another center’s appointment as unknown', async () => {
    const [id = ''] = await appointments(['booked'])
    const marks = [{ bookingId: id, kind: 'attended' }]
    for (const token of [fixture.tokens.parent, fixture.tokens.child])
      expect((await mark(marks, token)).status).toBe(403)
    await expectRefusals(fixture, 'POST', path, { marks })
    const other = await fixture.server.call('POST', path(fixture.foreign.domain), {
      token: fixture.tokens.nonmember,
      body: { marks },
    })
    expect(other.body.data.results).toMatchObject([{ outcome: 'notFound', status: null, recordedBy: null }])
    expect(await statusOf(id)).toBe('booked')
  })
})

it('the database keeps no staff member for an event', async () => {
  const wrong = fixture.server.world.query(
    `insert into cell.attendance (center_id, id, kind, source, at, recorded_at, recorded_by)
     values ($1, gen_random_uuid(), 'attended', 'event', now(), now(), gen_random_uuid())`,
    [fixture.center.id],
  )
  await expect(wrong).rejects.toThrow('attendance_recorded_by_staff')
})
