/** Plans as data of the operator: versions, what keeps them, and the limit of administrators and instructors. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { becomeOperator } from '../../../../data/directory.ts'
import { typedId } from '../../../../lib/ids.ts'
import { addPlan } from '../plans.ts'

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startServer()
  token = (await server.signIn(await server.world.person({ operator: true }))).accessToken
})
afterAll(() => server.close())

const version = {
  ...{ name: 'Clinic', price: 99_000, currency: 'KRW', billingCycle: 'MONTHLY', seatLimit: 3, trialDays: 0 },
  ...{ webhooks: 20, features: ['booking'] },
}
const post = (path: string, body: object, as = token) =>
  server.call('POST', `/api/admin/plans${path}`, { token: as, body })
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]
const listed = async (id: string) =>
  (await server.call('GET', '/api/provisioning/center-plans')).body.data.find((each: { id: string }) => each.id === id)

async function found(planId: string) {
  const person = await server.world.person()
  const { accessToken } = await server.signIn(person)
  const { body } = await server.call('POST', '/api/provisioning/center-tenant', {
    token: accessToken,
    body: {
      centerName: 'Clinic',
      subdomain: `p-${person.actorId.slice(-12)}`,
      planId,
      orderId: 'one',
      adminActorId: person.actorId,
    },
  })
  const center: Center = { id: body.data.center.id, domain: body.data.center.centerDomain }
  const own = (await server.signIn(person, center.domain)).accessToken
  return { center, token: own, subscription: body.data.subscription }
}

describe('a plan', () => {
  it('is added, listed with what it includes, and subscribed to', async () => {
    expect((await post('', { id: 'clinic', ...version, staffLimit: 5 })).body.data).toEqual({
      id: 'clinic',
      version: 1,
    })
    expect(await listed('clinic')).toMatchObject({
      ...{ version: 1, name: 'Clinic', price: 99_000, seatLimit: 3, staffLimit: 5 },
      features: ['5 administrators and instructors', '20 webhooks', 'Bookings'],
    })
    const { subscription } = await found('clinic')
    expect(subscription).toMatchObject({
      planId: 'clinic',
      planVersion: 1,
      status: 'ACTIVE',
      staffLimit: 5,
      staffUsed: 1,
    })
  })

  it('in a new version leaves subscriptions as they are', async () => {
    await post('', { id: 'kept', ...version })
    const first = await found('kept')
    const added = await post('/kept/versions', { ...version, name: 'Clinic 2027', price: 120_000, features: [] })
    expect(added.body.data).toEqual({ id: 'kept', version: 2 })
    const get = async () => (await server.call('GET', '/api/center/subscription', { token: first.token })).body.data
    expect(await get()).toMatchObject({ planVersion: 1, planName: 'Clinic' })
    expect((await get()).standing.works).toContain('Bookings')
    expect((await found('kept')).subscription).toMatchObject({ planVersion: 2, planName: 'Clinic 2027' })
    const { body } = await server.call('GET', '/api/admin/plans', { token })
    const own = body.data.filter(({ id }: { id: string }) => id === 'kept')
    expect(own).toMatchObject([
      { version: 2, price: 120_000, subscriptions: 1 },
      { version: 1, price: 99_000, subscriptions: 1 },
    ])
    const path = `/api/admin/centers/${first.center.id}/subscription`
    const moved = await server.call('PATCH', path, { token, body: { planId: 'kept', reason: 'Agreed' } })
    expect(moved.body.data.subscription).toMatchObject({ planVersion: 2, planName: 'Clinic 2027' })
  })

  it('that is no longer offered is in no list and gets no subscription', async () => {
    await post('', { id: 'gone', ...version })
    const first = await found('gone')
    await post('/gone/versions', { ...version, offered: false })
    expect(await listed('gone')).toBeUndefined()
    const { status } = await server.call('GET', '/api/center/subscription', { token: first.token })
    expect(status).toBe(200)
    const { body } = await server.call('PATCH', `/api/admin/centers/${first.center.id}/subscription`, {
      token,
      body: { planId: 'gone', reason: 'A try' },
    })
    expect(body.error.code).toBe('VALIDATION_ERROR')
  })

  it('keeps every version: the database changes none', async () => {
    for (const change of ['update directory.plan_versions set price = 0', 'delete from directory.plan_versions']) {
      await expect(server.world.query(change)).rejects.toThrow()
    }
  })

  it('gets versions 2 to 21 from twenty who add one at once', async () => {
    await post('', { id: 'raced', ...version })
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/raced/versions', version)))
    const versions = answers.map(({ body }) => body.data?.version).toSorted((a, b) => a - b)
    expect(versions).toEqual(Array.from({ length: 20 }, (_, at) => at + 2))
  })
})

describe('refused', () => {
  it.each([
    [{}, 'MISSING_REQUIRED_FIELD'],
    [{ id: 'Bad Id', ...version }, 'VALIDATION_ERROR'],
    [{ id: 'bad', ...version, webhooks: 19 }, 'VALIDATION_ERROR'],
    [{ id: 'bad', ...version, features: ['everything'] }, 'VALIDATION_ERROR'],
    [{ id: 'bad', ...version, staffLimit: 0 }, 'VALIDATION_ERROR'],
  ])('%j', async (body, code) => {
    expect(codeOf(await post('', body))).toEqual([400, code])
  })

  it('an ID that exists, a plan that does not, and everybody who is no operator', async () => {
    expect(codeOf(await post('', { id: 'center-growth', ...version }))).toEqual([409, 'CONFLICT'])
    for (const id of ['nowhere', 'lms-basic']) {
      expect(codeOf(await post(`/${id}/versions`, version))).toEqual([404, 'NOT_FOUND'])
    }
    const { accessToken } = await server.signIn(await server.world.person())
    expect(codeOf(await post('', { id: 'mine', ...version }, accessToken))).toEqual([403, 'FORBIDDEN'])
    expect(codeOf(await server.call('POST', '/api/admin/plans', { body: version }))).toEqual([401, 'UNAUTHORIZED'])
  })

  it('in the database, whoever says to be an operator without being one', async () => {
    const person = await server.world.person()
    const caller = { requestId: 'forged', actorId: person.actorId, centerId: 0 }
    const forged = server.services.directory.asCenter(caller, async (tx) => {
      await becomeOperator(tx, person.actorId)
      return addPlan(tx, { id: 'forged', ...version, billingCycle: 'MONTHLY', features: [] } as never)
    })
    await expect(forged).rejects.toMatchObject({ code: 'DATABASE_ERROR' })
    expect(await server.world.query(`select from directory.plans where id = 'forged'`)).toEqual([])
  })
})

describe('the limit of administrators and instructors', () => {
  it('alone refuses activation: clients are without limit, and of fifty instructors as many become active as fit', {
    timeout: 60_000,
  }, async () => {
    await post('', { id: 'staffed', ...version, staffLimit: 5 })
    const { center, token: own } = await found('staffed')
    const pending = async (role: string) => {
      const person = await server.world.person()
      await server.world.member(person, center, role, 'PENDING')
      const [row] = await server.world.query<{ id: string }>(
        'select id from directory.memberships where center_id = $1 and actor_id = $2',
        [center.id, person.actorId],
      )
      return typedId('membership', row?.id ?? '')
    }
    const approve = (id: string) => server.call('POST', `/api/memberships/${id}/approve`, { token: own })
    for (let clients = 0; clients < 6; clients++) expect((await approve(await pending('CHILD'))).status).toBe(200)
    const instructors: string[] = []
    while (instructors.length < 50) instructors.push(await pending('INSTRUCTOR'))
    const answers = await Promise.all(instructors.map(approve))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.every(({ status, body }) => status === 409 && body.error.details.reason === 'seats')).toBe(true)
    const { body } = await server.call('GET', '/api/center/subscription', { token: own })
    expect(body.data).toMatchObject({ seatLimit: 3, seatUsed: 11, staffLimit: 5, staffUsed: 5 })
    // A plan that counts only staff has no limit for all members, so the list of members shows none.
    const members = await server.call('GET', `/api/centers/${center.id}/members`, { token: own })
    expect(members.body.counts.seats).toBeNull()
  })
})
