import { membershipStatuses } from '@countersign/contract/enums.ts'
import { type MembershipMove, membershipMoves } from '@countersign/contract/moves.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { typedId } from '../../../../lib/ids.ts'

let server: TestServer
let center: Center
let adminToken: string

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  const admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  adminToken = (await server.signIn(admin)).accessToken
})
afterAll(() => server.close())

async function newMember(status: string): Promise<{ person: Person; id: string }> {
  const person = await server.world.person()
  await server.world.member(person, center, 'INSTRUCTOR', status)
  const [row] = await server.world.query<{ id: string }>('select id from directory.memberships where actor_id = $1', [
    person.actorId,
  ])
  return { person, id: typedId('membership', row?.id ?? '') }
}

const call = (id: string, move: string, token: string) =>
  server.call('POST', `/api/memberships/${id}/${move}`, { token })
const stateOf = async (person: Person) =>
  (
    await server.world.query<{ status: string }>('select status from directory.memberships where actor_id = $1', [
      person.actorId,
    ])
  )[0]?.status
const entriesOf = (id: string) =>
  server.world.query<{ details: object; center_id: number }>(
    `select details, center_id from directory.audit_entries where type = 'membership.transitioned' and target_id = $1`,
    [id],
  )
const tokenFor = async (move: MembershipMove, person: Person) =>
  membershipMoves[move].by === 'the member' ? (await server.signIn(person)).accessToken : adminToken

const pairs = (Object.keys(membershipMoves) as MembershipMove[]).flatMap((move) =>
  membershipStatuses.map((from) => ({ move, from })),
)

describe('every move from every state', () => {
  it.each(pairs)('$move a membership that is $from', async ({ move, from }) => {
    const { person, id } = await newMember(from)
    const token = await tokenFor(move, person)
    const isAgain = move === 'reinvite'
    const allowed = (membershipMoves[move].from as readonly string[]).includes(from)
    const answer = await call(id, move, token)
    if (allowed) {
      expect(answer.status).toBe(200)
      expect(answer.body.data).toMatchObject({
        id,
        actorId: person.actorId,
        status: membershipMoves[move].to,
        email: person.email,
      })
      expect(await stateOf(person)).toBe(membershipMoves[move].to)
      expect(await entriesOf(id)).toEqual([
        {
          center_id: center.id,
          details: { action: move, from, to: membershipMoves[move].to, ...(isAgain && { role: 'INSTRUCTOR' }) },
        },
      ])
      expect((await call(id, move, token)).status).toBe(isAgain ? 200 : 409)
    } else {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
      expect(await stateOf(person)).toBe(from)
      expect(await entriesOf(id)).toEqual([])
    }
  })
})

describe('authorization', () => {
  it('403 for another role, 401 without a token and with an API key', async () => {
    const { id } = await newMember('PENDING')
    const { person } = await newMember('ACTIVE')
    const lower = await call(id, 'approve', (await server.signIn(person)).accessToken)
    expect([lower.status, lower.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect((await server.call('POST', `/api/memberships/${id}/approve`)).status).toBe(401)
    expect((await call(id, 'approve', await server.world.key(center))).status).toBe(401)
  })

  it("404 with the same body for another center's membership, an unknown id and a malformed id", async () => {
    const elsewhere = await server.world.center()
    const theirs = await server.world.person()
    await server.world.member(theirs, elsewhere, 'INSTRUCTOR', 'PENDING')
    const [row] = await server.world.query<{ id: string }>('select id from directory.memberships where actor_id = $1', [
      theirs.actorId,
    ])
    const answers = await Promise.all(
      [typedId('membership', row?.id ?? ''), 'mbr_01kz9x4q8hfx5r3v7t2b6n0m1c', 'nonsense'].map((id) =>
        call(id, 'approve', adminToken),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await stateOf(theirs)).toBe('PENDING')
  })

  it("404 for accepting another person's invitation", async () => {
    const { id, person } = await newMember('INVITED')
    expect((await call(id, 'accept', adminToken)).status).toBe(404)
    expect(await stateOf(person)).toBe('INVITED')
  })

  it('refuses the suspended member on the next request, and admits them after reinstatement', async () => {
    const { person, id } = await newMember('ACTIVE')
    const { accessToken } = await server.signIn(person)
    expect((await server.call('GET', `/api/centers/${center.id}`, { token: accessToken })).status).toBe(200)
    await call(id, 'suspend', adminToken)
    const refused = await server.call('GET', `/api/centers/${center.id}`, { token: accessToken })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'MEMBERSHIP_SUSPENDED'])
    await call(id, 'reinstate', adminToken)
    expect((await server.call('GET', `/api/centers/${center.id}`, { token: accessToken })).status).toBe(200)
  })
})

describe('concurrent requests', () => {
  it('the same move by fifty has one winner and one audit entry', async () => {
    const { id } = await newMember('PENDING')
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(id, 'approve', adminToken)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await entriesOf(id)).toHaveLength(1)
  })

  it('the last seat has one winner among fifty', async () => {
    const small = await server.world.center()
    const admin = await server.world.person()
    await server.world.member(admin, small, 'ADMIN')
    await server.world.query(
      `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit, seat_used)
       values ($1, 'center-starter', 'ACTIVE', 'MONTHLY', now() + interval '30 days', 2, 1)`,
      [small.id],
    )
    const { accessToken } = await server.signIn(admin)
    const waiting = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const person = await server.world.person({ login: false })
        await server.world.member(person, small, 'CHILD', 'PENDING')
        const [row] = await server.world.query<{ id: string }>(
          'select id from directory.memberships where actor_id = $1',
          [person.actorId],
        )
        return typedId('membership', row?.id ?? '')
      }),
    )
    const answers = await Promise.all(waiting.map((id) => call(id, 'approve', accessToken)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && /seats/.test(body.error.message))).toHaveLength(49)
    const [seats] = await server.world.query(
      'select seat_used, seat_limit from directory.subscriptions where center_id = $1',
      [small.id],
    )
    expect(seats).toEqual({ seat_used: 2, seat_limit: 2 })
  })
})

describe('leaving a center', () => {
  it('409 for its last administrator, and leaves one of two who leave at once', async () => {
    const own = await server.world.center()
    const people = [await server.world.person(), await server.world.person()]
    const rows: { id: string; token: string }[] = []
    for (const person of people) {
      await server.world.member(person, own, 'ADMIN')
      const [row] = await server.world.query<{ id: string }>(
        'select id from directory.memberships where actor_id = $1',
        [person.actorId],
      )
      rows.push({ id: typedId('membership', row?.id ?? ''), token: (await server.signIn(person)).accessToken })
    }
    const answers = await Promise.all(
      Array.from({ length: 25 }).flatMap(() => rows.map(({ id, token }) => call(id, 'leave', token))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const states = await server.world.query('select status from directory.memberships where center_id = $1', [own.id])
    expect(states.map((row) => (row as { status: string }).status).toSorted()).toEqual(['ACTIVE', 'ENDED'])
  })

  it('ends the access at once, and the center keeps the name', async () => {
    const { person, id } = await newMember('ACTIVE')
    const { accessToken: token } = await server.signIn(person)
    expect((await server.call('GET', `/api/centers/${center.domain}`, { token })).status).toBe(200)
    expect((await call(id, 'leave', token)).status).toBe(200)
    const bookings = await server.call('GET', `/api/centers/${center.domain}/bookings`, { token })
    expect(bookings.status).toBe(403)
    const members = await server.call('GET', `/api/centers/${center.domain}/members?status=ENDED`, {
      token: adminToken,
    })
    expect(JSON.stringify(members.body.data)).toContain(person.actorId)
  })

  it('404 for the membership of somebody else, also for an administrator', async () => {
    const { id, person } = await newMember('ACTIVE')
    expect((await call(id, 'leave', adminToken)).status).toBe(404)
    expect(await stateOf(person)).toBe('ACTIVE')
  })

  it('a declined invitation cannot be accepted any more, even if it was approved in advance', async () => {
    const { person, id } = await newMember('INVITED')
    await server.world.query(
      `insert into directory.invitations (hash, center_id, membership_id, approved, expires_at)
       select sha256($1::text::bytea), center_id, id, true, now() + interval '1 day' from directory.memberships
       where actor_id = $2`,
      [id, person.actorId],
    )
    const { accessToken: token } = await server.signIn(person)
    expect((await call(id, 'decline', token)).body.data.status).toBe('REJECTED')
    expect((await call(id, 'accept', token)).status).toBe(409)
    expect(await stateOf(person)).toBe('REJECTED')
  })
})
