import { type GuardianshipStatus, guardianshipStatuses } from '@countersign/contract/enums.ts'
import { type GuardianshipMove, guardianshipMoves } from '@countersign/contract/moves.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { newUuid, typedId, uuidOf } from '../../../../lib/ids.ts'

let server: TestServer
let mailbox: Mailbox
/** Two centers, each with an ADMIN and an INSTRUCTOR; the parent is a PARENT of both. */
let one: Place
let two: Place
let parent: Person
let parentToken: string

interface Place extends Center {
  readonly admin: string
  readonly instructor: Person
}

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
  parent = await server.world.person()
  one = await place()
  two = await place()
  parentToken = await tokenOf(parent)
}, 60_000)
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const tokenOf = async (person: Person) => (await server.signIn(person)).accessToken

async function place(): Promise<Place> {
  const { world } = server
  const [center, admin, instructor] = [await world.center(), await world.person(), await world.person()]
  await world.member(admin, center, 'ADMIN')
  await world.member(instructor, center, 'INSTRUCTOR')
  await world.member(parent, center, 'PARENT')
  const { accessToken } = await server.signIn(admin, center.domain)
  const always = [{ from: '00:00', to: '24:00' }]
  const booking = { slotMinutes: 60, openingHours: { mon: always, tue: always, wed: always, thu: always, fri: always } }
  await call('PATCH', `/centers/${center.id}/settings`, accessToken, { booking })
  return { ...center, admin: accessToken, instructor }
}

const call = (method: string, path: string, token: string | undefined, body?: unknown) =>
  server.call(method, `/api${path}`, { ...(token && { token }), ...(body !== undefined && { body }) })
const children = ({ id }: Center) => `/centers/${id}/children`
const said = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]

/** Of fifty contenders all others are refused; an overloaded machine answers 503 to some of them. */
function expectOne(success: number, answers: readonly { readonly status: number }[]): void {
  const others = answers.map(({ status }) => status).filter((status) => status !== success)
  expect(others).toHaveLength(49)
  expect(others.filter((status) => status !== 409 && status !== 503)).toEqual([])
}

async function newChild(at: Place, token = at.admin, name = '이미나') {
  const { body } = await call('POST', children(at), token, { name })
  return body.data as { actorId: string; membership: { id: string; status: string }; guardians: { id: string }[] }
}

/** An ACTIVE child of the parent. */
async function ownChild(at: Place) {
  const child = await newChild(at)
  await server.world.guardian(parent, child, at)
  return child.actorId
}

// Each appointment has an hour of its own, in a week of 2030 that begins on a Monday.
let booked = 0
const slot = () => new Date(Date.parse('2030-01-07T00:00:00Z') + booked++ * 3_600_000).toISOString()
const book = (at: Place, bookedFor: string, startsAt = slot(), token = parentToken) =>
  call('POST', `/centers/${at.id}/bookings`, token, { instructorId: at.instructor.actorId, startsAt, bookedFor })

const entries = async (action: string, target: string) =>
  server.world.query(
    `select from directory.audit_entries where details ->> 'action' = $1 and target_id = $2 and type = 'membership.transitioned'`,
    [action, target],
  )

describe('POST /centers/{center}/children', () => {
  it('201 for an ADMIN: an ACTIVE member without an address or a credential', async () => {
    const child = await newChild(one)
    expect(child).toMatchObject({ name: '이미나', guardians: [], membership: { role: 'CHILD', status: 'ACTIVE' } })
    const [actor] = await server.world.query('select email, role from directory.actors where id = $1', [child.actorId])
    expect(actor).toEqual({ email: null, role: 'CHILD' })
    expect(await entries('child_added', child.membership.id)).toHaveLength(1)
    expect(await entries('approve', child.membership.id)).toHaveLength(1)
  })

  it('201 for a PARENT: PENDING until an ADMIN approves, and the parent is its guardian', async () => {
    const child = await newChild(one, parentToken)
    expect(child).toMatchObject({
      membership: { status: 'PENDING' },
      guardians: [{ parentId: parent.actorId, status: 'ACTIVE' }],
    })
    expect(await entries('guardianship_added', (child.guardians[0] as { id: string }).id)).toHaveLength(1)
    expect(said(await book(one, child.actorId))).toEqual([409, 'CONFLICT'])
    expect((await call('POST', `/memberships/${child.membership.id}/approve`, one.admin)).status).toBe(200)
    expect((await book(one, child.actorId)).status).toBe(201)
  })

  it('201 enrolls a child of the parent in another center, and starts an ended membership again', async () => {
    const childId = await ownChild(one)
    const enrolled = await call('POST', children(two), parentToken, { childId })
    expect([enrolled.status, enrolled.body.data.name]).toEqual([201, '이미나'])
    expect(said(await call('POST', children(two), parentToken, { childId }))).toEqual([409, 'CONFLICT'])
    await server.world.query(
      `update directory.memberships set status = 'ENDED' where center_id = $1 and actor_id = $2`,
      [two.id, childId],
    )
    const again = await call('POST', children(two), two.admin, { childId })
    expect([again.status, again.body.data.membership.status]).toEqual([201, 'ACTIVE'])
  })

  it('404 for a child of others, 400 without or with both, 403 for a CHILD, an INSTRUCTOR and a stranger, 401', async () => {
    const [theirs, foreign] = [await newChild(one), await newChild(two)]
    expect(said(await call('POST', children(two), parentToken, { childId: theirs.actorId }))).toEqual([
      404,
      'NOT_FOUND',
    ])
    expect(said(await call('POST', children(one), one.admin, { childId: foreign.actorId }))).toEqual([404, 'NOT_FOUND'])
    for (const body of [{}, { name: 'A', childId: newUuid() }, { name: 'A\nB' }, { childId: 'x' }]) {
      expect((await call('POST', children(one), one.admin, body)).status).toBe(400)
    }
    const instructor = await tokenOf(one.instructor)
    expect(said(await call('POST', children(one), instructor, { name: 'A' }))).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect(said(await call('POST', children(two), one.admin, { name: 'A' }))).toEqual([403, 'NO_MEMBERSHIP'])
    expect((await call('POST', children(one), undefined, { name: 'A' })).status).toBe(401)
  })

  it('409 for all but the last seat of fifty, and for the twenty-first child of a parent', async () => {
    const full = await place()
    await server.world.query(
      `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit, seat_used)
       values ($1, 'center-starter', 'ACTIVE', 'YEARLY', now() + interval '1 year', 4, 3)`,
      [full.id],
    )
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST', children(full), full.admin, { name: 'A' })),
    )
    expectOne(201, answers)
    const own = []
    for (let n = 0; n <= 20; n++) own.push((await call('POST', children(full), parentToken, { name: `C ${n}` })).status)
    expect(own).toEqual([...Array(20).fill(201), 409])
  })
})

describe('every move of a guardianship from every state', () => {
  const pairs = (Object.keys(guardianshipMoves) as GuardianshipMove[]).flatMap((move) =>
    guardianshipStatuses.flatMap((from) =>
      (move === 'end' ? ['parent', 'center'] : ['']).map((by) => ({ move, from, by })),
    ),
  )
  async function standing(from: GuardianshipStatus, child: string) {
    const id = newUuid()
    await server.world.query(
      'insert into directory.guardianships (center_id, id, parent_id, child_id, status) values ($1, $2, $3, $4, $5)',
      [one.id, id, parent.actorId, child, from],
    )
    return typedId('guardianship', id)
  }

  it.each(pairs)('$move a guardianship that is $from $by', async ({ move, from, by }) => {
    const child = await newChild(one)
    const id = await standing(from, child.actorId)
    const answer = await (move === 'invite'
      ? call('POST', `${children(one)}/${child.actorId}/guardians`, one.admin, { email: parent.email })
      : by === 'center'
        ? call('POST', `/centers/${one.id}/guardianships/${id}/end`, one.admin)
        : call('POST', `/auth/guardianships/${id}/${move}`, parentToken))
    const { to } = guardianshipMoves[move]
    const allowed = (guardianshipMoves[move].from as readonly string[]).includes(from)
    expect([answer.status, answer.body.data?.status]).toEqual(
      allowed ? [move === 'invite' ? 201 : 200, to] : [409, undefined],
    )
    const [row] = await server.world.query('select status from directory.guardianships where id = $1', [
      uuidOf('guardianship', id),
    ])
    expect(row).toEqual({ status: allowed ? to : from })
    expect(await entries(`guardianship_${move}`, id)).toHaveLength(allowed ? 1 : 0)
  })

  it('of fifty who accept at once one succeeds', async () => {
    const id = await standing('INVITED', (await newChild(one)).actorId)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST', `/auth/guardianships/${id}/accept`, parentToken)),
    )
    expectOne(200, answers)
  })

  it('404 for another person, another center and an unknown id, 403 for a role too low, 401', async () => {
    const id = await standing('INVITED', (await newChild(one)).actorId)
    const stranger = await tokenOf(await server.world.person())
    for (const move of ['accept', 'end']) {
      expect(said(await call('POST', `/auth/guardianships/${id}/${move}`, stranger))).toEqual([404, 'NOT_FOUND'])
      expect(said(await call('POST', `/auth/guardianships/grd_x/${move}`, parentToken))).toEqual([404, 'NOT_FOUND'])
      expect((await call('POST', `/auth/guardianships/${id}/${move}`, undefined)).status).toBe(401)
    }
    expect(said(await call('POST', `/centers/${two.id}/guardianships/${id}/end`, two.admin))).toEqual([
      404,
      'NOT_FOUND',
    ])
    expect(said(await call('POST', `/centers/${one.id}/guardianships/${id}/end`, parentToken))).toEqual([
      403,
      'INSUFFICIENT_ROLE',
    ])
  })
})

it('a membership that comes back as a child has no other role', async () => {
  const person = await server.world.person()
  await server.world.member(person, one, 'CHILD')
  await server.world.query(
    `update directory.memberships set roles = '{INSTRUCTOR,CHILD}', role = 'INSTRUCTOR', status = 'ENDED', ended_at = now()
     where actor_id = $1`,
    [person.actorId],
  )
  const { status, body } = await call('POST', children(one), one.admin, { childId: person.actorId })
  expect([status, body.data.membership]).toMatchObject([201, { role: 'CHILD', roles: ['CHILD'], status: 'ACTIVE' }])
})

describe('POST /centers/{center}/children/{childId}/guardians', () => {
  const password = 'a password of a parent'
  const invite = (at: Place, child: string, email: string) =>
    call('POST', `${children(at)}/${child}/guardians`, at.admin, { email })
  const linkTo = (email: string) => mailbox.token(email, 'csi')
  const accept = (token: string) => call('POST', '/auth/invitations/accept', undefined, { token, password })

  it('201 for an unknown address: one link makes a PARENT and guardian of both children', async () => {
    const [email, first, second] = [`new-${newUuid()}@people.example`, await newChild(one), await newChild(one)]
    const offered = await invite(one, first.actorId, email)
    expect(offered.body.data).toMatchObject({ status: 'INVITED', parentId: null, email, childId: first.actorId })
    const replaced = await linkTo(email)
    await invite(one, second.actorId, email)
    await expect.poll(() => linkTo(email)).not.toBe(replaced)
    expect(mailbox.messages.map(({ text }) => text).join()).not.toContain('이미나')
    for (const { text } of mailbox.messages.filter(({ to }) => to.includes(email))) {
      expect(text).toContain('수강생의 학부모로 초대했습니다')
    }
    expect((await accept(replaced)).status).toBe(401)
    expect((await accept(await linkTo(email))).body.data).toMatchObject({ status: 'ACTIVE' })
    const { accessToken } = (await call('POST', '/auth/login', undefined, { email, password })).body.data
    const family = (await call('GET', '/family', accessToken)).body.data
    expect(family.children.map(({ actorId }: { actorId: string }) => actorId).sort()).toEqual(
      [first.actorId, second.actorId].sort(),
    )
    expect(family.children[0].centers[0]).toMatchObject({ centerId: one.id, canBook: true })
  })

  it('201 for a member, who keeps the membership and sees no name until they accept', async () => {
    const [person, child] = [await server.world.person(), await newChild(one, one.admin, '비밀 이름')]
    await server.world.member(person, one, 'INSTRUCTOR')
    const offered = await invite(one, child.actorId, person.email)
    expect([offered.status, offered.body.data.status]).toEqual([201, 'INVITED'])
    const token = await tokenOf(person)
    const before = await call('GET', '/family', token)
    expect([before.body.data.children, before.body.data.invitations.length]).toEqual([[], 1])
    expect(before.text).not.toContain('비밀 이름')
    expect((await accept(await linkTo(person.email))).body.data).toMatchObject({ status: 'ACTIVE' })
    expect((await call('GET', '/family', token)).body.data.children).toMatchObject([{ name: '비밀 이름' }])
    expect((await call('GET', '/auth/me/children', token)).body.data).toMatchObject([
      { actorId: child.actorId, memberships: [{ centerId: one.id, role: 'CHILD' }] },
    ])
  })

  it('404 for a child of another center or a member who is none, 409 for an ended one and a suspended parent, 400', async () => {
    const [child, foreign, suspended] = [await newChild(one), await newChild(two), await server.world.person()]
    await server.world.member(suspended, one, 'PARENT', 'SUSPENDED')
    const email = 'someone@people.example'
    for (const id of [foreign.actorId, one.instructor.actorId, newUuid(), 'x']) {
      expect(said(await invite(one, id, email))).toEqual([404, 'NOT_FOUND'])
    }
    expect(said(await invite(one, child.actorId, suspended.email))).toEqual([409, 'CONFLICT'])
    expect((await invite(one, child.actorId, 'nowhere')).status).toBe(400)
    await server.world.query(`update directory.memberships set status = 'ENDED' where actor_id = $1`, [child.actorId])
    expect(said(await invite(one, child.actorId, email))).toEqual([409, 'CONFLICT'])
  })
})

describe('a guardian', () => {
  it('books, lists, moves and cancels for a child', async () => {
    const childId = await ownChild(one)
    const made = await book(one, childId)
    expect([made.status, made.body.data.bookedFor]).toEqual([201, childId])
    const { id } = made.body.data
    const path = `/centers/${one.id}/bookings`
    expect((await call('GET', `${path}?clientId=${childId}`, parentToken)).body.data).toHaveLength(1)
    expect((await call('POST', `${path}/${id}/move`, parentToken, { startsAt: slot() })).status).toBe(200)
    expect((await call('POST', `${path}/${id}/cancel`, parentToken, { reason: '감기' })).body.data.status).toBe(
      'canceled',
    )
    const changes = await server.world.query(
      `select details ->> 'action' as action from cell.audit_entries where target_id = $1 and actor_id = $2 order by id`,
      [id, parent.actorId],
    )
    expect(changes.map(({ action }) => action)).toEqual(['booking_created', 'booking_moved', 'booking_canceled'])
  })

  it('has no part in other children, also of the same center, of another center, and after the end', async () => {
    const [other, former] = [(await newChild(one)).actorId, await ownChild(one)]
    const path = `/centers/${one.id}/bookings`
    const theirs = (await book(one, other, slot(), one.admin)).body.data.id
    const mine = (await book(one, former)).body.data.id
    const [row] = (await call('GET', `${children(one)}?limit=100`, one.admin)).body.data
      .flatMap((each: { guardians: object[] }) => each.guardians)
      .filter((each: { childId: string }) => each.childId === former)
    expect((await call('POST', `/centers/${one.id}/guardianships/${row.id}/end`, one.admin)).status).toBe(200)
    for (const [child, id] of [
      [other, theirs],
      [former, mine],
    ]) {
      expect(said(await book(one, child))).toEqual([403, 'INSUFFICIENT_ROLE'])
      expect(said(await call('GET', `${path}?clientId=${child}`, parentToken))).toEqual([403, 'INSUFFICIENT_ROLE'])
      expect(said(await call('POST', `${path}/${id}/move`, parentToken, { startsAt: slot() }))).toEqual([
        404,
        'NOT_FOUND',
      ])
      expect(said(await call('POST', `${path}/${id}/cancel`, parentToken, { reason: 'x' }))).toEqual([404, 'NOT_FOUND'])
      expect(said(await call('DELETE', `${path}/${id}`, parentToken))).toEqual([404, 'NOT_FOUND'])
      for (const what of ['appointments', 'attendance']) {
        expect(said(await call('GET', `/family/${what}?childId=${child}`, parentToken))).toEqual([404, 'NOT_FOUND'])
      }
    }
    // A guardianship in one center gives nothing in another where the child is a member too.
    const both = await ownChild(one)
    await server.world.member({ actorId: both } as Person, two, 'CHILD')
    expect(said(await book(two, both))).toEqual([403, 'INSUFFICIENT_ROLE'])
  })

  it.each(['slot', 'client'] as const)('of fifty who book the same %s one succeeds', async (same) => {
    const startsAt = slot()
    const kids = same === 'slot' ? await Promise.all([ownChild(one), ownChild(one)]) : [await ownChild(one)]
    const colleague = await server.world.person()
    await server.world.member(colleague, one, 'INSTRUCTOR')
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const instructor = same === 'client' && n % 2 ? colleague : one.instructor
        return book({ ...one, instructor }, kids[n % kids.length] as string, startsAt, n % 3 ? parentToken : one.admin)
      }),
    )
    expectOne(201, answers)
  })
})

describe('GET /family/…', () => {
  it('200 with the own appointments in all centers for the own ID, and nobody else gets them', async () => {
    const person = await server.world.person()
    for (const at of [one, two]) await server.world.member(person, at, 'PARENT')
    const token = await tokenOf(person)
    const own = () =>
      call(
        'GET',
        `/family/appointments?childId=${person.actorId}&from=2030-01-01T00:00:00Z&to=2030-12-31T00:00:00Z`,
        token,
      )
    const [first, second] = [
      (await book(one, person.actorId, undefined, token)).body.data,
      (await book(two, person.actorId, undefined, token)).body.data,
    ]
    const ids = async () => (await own()).body.data.appointments.map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual([first.id, second.id])
    for (const stranger of [parentToken, one.admin])
      expect(said(await call('GET', `/family/appointments?childId=${person.actorId}`, stranger))).toEqual([
        404,
        'NOT_FOUND',
      ])
    await server.world.setMembership(person, two, { status: 'ENDED' })
    expect(await ids()).toEqual([first.id])
    await server.world.setMembership(person, one, { status: 'SUSPENDED' })
    expect(await ids()).toEqual([])
  })

  it('200 with canBook only where the center takes appointments', async () => {
    const [parent, child] = [await server.world.person(), await newChild(one)]
    await server.world.member(parent, one, 'PARENT')
    await server.world.guardian(parent, { actorId: child.actorId } as Person, one)
    const token = await tokenOf(parent)
    const canBook = async () => (await call('GET', '/family', token)).body.data.children[0].centers[0].canBook
    expect(await canBook()).toBe(true)
    const switched = (booking: boolean) =>
      call('PATCH', `/centers/${one.id}/settings`, one.admin, { features: { booking } })
    await switched(false)
    expect(await canBook()).toBe(false)
    await switched(true)
    expect(await canBook()).toBe(true)
  })

  it('200 with appointments and attendance over two centers, and of no other child', async () => {
    const own = await server.world.person()
    const token = await tokenOf(own)
    const kids: string[] = []
    for (const at of [one, two]) {
      await server.world.member(own, at, 'PARENT')
      const child = await newChild(at)
      await server.world.guardian(own, child, at)
      kids.push(child.actorId)
      await book(at, child.actorId, slot(), token)
      await book(at, (await newChild(at)).actorId, slot(), at.admin)
      await server.world.query(
        `insert into cell.attendance (center_id, id, kind, source, client_id, instructor_id, at, recorded_at)
         select $1, gen_random_uuid(), 'no_show', 'booking', client, $3, now() - interval '1 day', now()
         from unnest(array[$2::uuid, gen_random_uuid()]) client`,
        [at.id, child.actorId, at.instructor.actorId],
      )
    }
    const range = 'from=2030-01-01T00:00:00Z&to=2030-12-01T00:00:00Z'
    const { appointments, more, unavailable } = (await call('GET', `/family/appointments?${range}`, token)).body.data
    const seen = appointments.map((each: Record<string, unknown>) => [each.centerId, each.childId, each.childName])
    expect(seen).toEqual([
      [one.id, kids[0], '이미나'],
      [two.id, kids[1], '이미나'],
    ])
    expect(appointments[0].instructorName).toMatch(/^Person/)
    expect([more, unavailable]).toEqual([false, []])
    const attendance = (await call('GET', '/family/attendance', token)).body.data
    expect(attendance.attendance).toHaveLength(2)
    expect(attendance.counts).toEqual(kids.map((childId) => ({ childId, attended: 0, noShow: 1 })))
    const ofOne = (await call('GET', `/family/attendance?childId=${kids[1]}`, token)).body.data.attendance
    expect(ofOne).toMatchObject([{ centerId: two.id, kind: 'no_show', childId: kids[1] }])
    await server.world.setMembership(own, two, { status: 'SUSPENDED' })
    const rest = (await call('GET', `/family/appointments?${range}`, token)).body.data.appointments
    expect(rest.map(({ centerId }: { centerId: number }) => centerId)).toEqual([one.id])
  })

  it('400 for a span of more than a year or that ends before it begins, 401 without a token', async () => {
    for (const query of [
      'from=2026-01-01T00:00:00Z&to=2028-01-01T00:00:00Z',
      'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
      'who=1',
    ]) {
      expect((await call('GET', `/family/appointments?${query}`, parentToken)).status).toBe(400)
    }
    for (const what of ['', '/appointments', '/attendance'])
      expect((await call('GET', `/family${what}`, undefined)).status).toBe(401)
  })

  it('GET /centers/{center}/children lists children with guardians to an ADMIN of the center, and not of another', async () => {
    const { status, body } = await call('GET', `${children(one)}?limit=100`, one.admin)
    expect([status, body.pagination.total]).toEqual([200, body.data.length])
    expect(body.data.every((each: { membership: { centerId: number } }) => each.membership.centerId === one.id)).toBe(
      true,
    )
    expect(said(await call('GET', children(one), two.admin))).toEqual([403, 'NO_MEMBERSHIP'])
    expect(said(await call('GET', children(one), parentToken))).toEqual([403, 'INSUFFICIENT_ROLE'])
  })
})
