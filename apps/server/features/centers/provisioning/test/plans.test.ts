import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

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

describe('POST /provisioning/check-subdomain', () => {
  const check = (body: object, as: string | null = token) =>
    server.call('POST', '/api/provisioning/check-subdomain', { body, ...(as && { token: as }) })

  it('200 with availability and reason, at the top level and in the envelope', async () => {
    expect((await check({ subdomain: 'a-free-name' })).body).toEqual({
      success: true,
      available: true,
      data: { available: true, reason: null },
    })
    for (const subdomain of [center.domain, 'www', '123', '-x-']) {
      const { body } = await check({ subdomain })
      expect([body.available, body.data.available]).toEqual([false, false])
      expect(body.data.reason).toMatch(/\w+ /)
    }
  })

  it('400 INVALID_SUBDOMAIN for a malformed name, MISSING_REQUIRED_FIELD without one', async () => {
    expect((await check({ subdomain: 'No!' })).body.error.code).toBe('INVALID_SUBDOMAIN')
    expect((await check({})).body.error.code).toBe('MISSING_REQUIRED_FIELD')
  })

  it('401 without a token', async () => expect((await check({ subdomain: 'abc' }, null)).status).toBe(401))
})

describe('plans', () => {
  it.each(['center-plans', 'lms-plans'])('200 without a credential: %s', async (list) => {
    const { status, body } = await server.call('GET', `/api/provisioning/${list}`)
    expect(status).toBe(200)
    expect(body.data.length).toBeGreaterThan(1)
    for (const plan of body.data) expect(plan.seatLimit).toBeGreaterThan(0)
  })
})

describe('GET /center/subscription', () => {
  const subscription = (as = token) => server.call('GET', '/api/center/subscription', { token: as })
  const set = (status: string) =>
    server.world.query('update directory.subscriptions set status = $2 where center_id = $1', [center.id, status])

  it('404 NOT_FOUND for a center without a subscription', async () => {
    const { status, body } = await subscription()
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('200 with seats, usage and what each state allows', async () => {
    await server.world.query(
      `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit, seat_used)
       values ($1, 'center-growth', 'ACTIVE', 'MONTHLY', now() + interval '30 days', 3, 1)`,
      [center.id],
    )
    const { status, body } = await subscription()
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      planId: 'center-growth',
      planName: 'Growth',
      status: 'ACTIVE',
      seatLimit: 3,
      seatUsed: 1,
      usage: { seats: { used: 1, limit: 3, free: 2 } },
    })
    expect(body.data.standing.stopped).toEqual([])
    for (const state of ['TRIAL', 'PAST_DUE', 'SUSPENDED', 'CANCELED']) {
      await set(state)
      const { standing } = (await subscription()).body.data
      expect(standing.message).toMatch(/\.$/)
      expect(standing.stopped.includes('Activating members')).toBe(['SUSPENDED', 'CANCELED'].includes(state))
    }
  })

  it.each(['SUSPENDED', 'CANCELED'])('refuses in %s what its answer lists as stopped', async (state) => {
    await set(state)
    const invited = await server.call('POST', `/api/centers/${center.id}/members`, {
      token,
      body: { email: `${state}@people.example`, role: 'CHILD' },
    })
    await server.world.query(`update directory.memberships set status = 'PENDING' where address = $1`, [
      invited.body.data.email,
    ])
    const { status, body } = await server.call('POST', `/api/memberships/${invited.body.data.id}/approve`, { token })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    await set('ACTIVE')
    expect((await server.call('POST', `/api/memberships/${invited.body.data.id}/approve`, { token })).status).toBe(200)
  })

  it('403 INSUFFICIENT_ROLE for every role but ADMIN, 401 with an API key', async () => {
    const instructor = await server.world.person()
    await server.world.member(instructor, center, 'INSTRUCTOR', 'PENDING')
    await server.world.query(`update directory.subscriptions set seat_limit = 50 where center_id = $1`, [center.id])
    await server.world.setMembership(instructor, center, { status: 'ACTIVE' })
    const { status, body } = await subscription((await server.signIn(instructor)).accessToken)
    expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect((await subscription(await server.world.key(center))).status).toBe(401)
  })
})
