import { useClock } from '@countersign/server/lib/clock.ts'
import { newUuid, typedId } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { memberOf, openPartner, type PartnerFixture, subscribe } from './fixture.ts'

let server: TestServer
let partner: PartnerFixture

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const figures = async (fixture = partner) => {
  const { status, body } = await fixture.call('GET', '/partner/stats/dashboard')
  expect(status).toBe(200)
  return body.data
}

/** The same figures, counted over rows. */
const counted = async (fixture = partner) => {
  const [row] = await server.world.query(
    `select (select count(*)::int from directory.centers c where c.partner_id = $1) as centers,
       (select count(*)::int from directory.memberships m join directory.centers c on c.id = m.center_id
         where c.partner_id = $1 and m.status = 'ACTIVE') as members,
       (select count(*)::int from directory.memberships m join directory.centers c on c.id = m.center_id
         where c.partner_id = $1) as memberships`,
    [fixture.id],
  )
  return row
}

describe('200', () => {
  it('is all zero for a new partner', async () => {
    partner = await openPartner(server)
    expect(await figures()).toEqual({
      totalCenters: 0,
      totalMembers: 0,
      activeToday: 0,
      revenue: { currency: 'KRW', monthlyRecurring: 0, byPlan: [] },
      waiting: [],
    })
  })

  it('counts centers and ACTIVE members through every change', async () => {
    partner = await openPartner(server)
    const center = await partner.center()
    const person = await memberOf(server, center)
    await memberOf(server, center, 'PARENT', 'INVITED')
    expect(await figures()).toMatchObject({ totalCenters: 1, totalMembers: 1 })
    const admin = await memberOf(server, center, 'ADMIN')
    const { accessToken: token } = await server.signIn(admin, center.domain)
    const [row] = await server.world.query<{ id: string }>('select id from directory.memberships where actor_id = $1', [
      person.actorId,
    ])
    const move = (name: string) =>
      server.call('POST', `/api/memberships/${typedId('membership', row?.id as string)}/${name}`, { token })
    expect((await move('suspend')).status).toBe(200)
    expect((await figures()).totalMembers).toBe(1)
    expect((await move('reinstate')).status).toBe(200)
    expect((await figures()).totalMembers).toBe(2)
    await server.call('POST', `/api/centers/${center.id}/members`, {
      token,
      body: { email: 'new@people.example', role: 'PARENT' },
    })
    const members = await partner.call('GET', '/partner/members?limit=1')
    expect(members.body.pagination.total).toBe(4)
    expect(await counted()).toEqual({ centers: 1, members: 2, memberships: 4 })
  })

  it('follows a center that joins a partner, changes partners and leaves', async () => {
    const [from, to] = [await openPartner(server), await openPartner(server)]
    const center = await server.world.center()
    await memberOf(server, center)
    await memberOf(server, center, 'PARENT', 'PENDING')
    await subscribe(server, center, 'center-growth', 'ACTIVE')
    const give = (partnerId: string | null) =>
      server.world.query('update directory.centers set partner_id = $2 where id = $1', [center.id, partnerId], false)
    const [none, all] = [
      { totalCenters: 0, totalMembers: 0, revenue: { monthlyRecurring: 0 } },
      { totalCenters: 1, totalMembers: 1, revenue: { monthlyRecurring: 149_000 } },
    ]
    await give(from.id)
    expect([await figures(from), await figures(to)]).toMatchObject([all, none])
    await give(to.id)
    expect([await figures(from), await figures(to)]).toMatchObject([none, all])
    expect((await to.call('GET', '/partner/members')).body.pagination.total).toBe(2)
    await give(null)
    expect([await figures(from), await figures(to)]).toMatchObject([none, none])
    expect((await to.call('GET', '/partner/members')).body).toMatchObject({ data: [], pagination: { total: 0 } })
  })

  it('adds the monthly revenue of subscriptions, by plan; those that do not pay add nothing', async () => {
    partner = await openPartner(server)
    const plans: [string, string][] = [
      ['center-starter', 'ACTIVE'],
      ['center-starter', 'PAST_DUE'],
      ['center-starter', 'TRIAL'],
      ['center-growth', 'SUSPENDED'],
      ['center-growth', 'CANCELED'],
      ['center-scale', 'ACTIVE'],
    ]
    const centers: { id: number }[] = []
    for (const [plan, status] of plans) {
      const center = await partner.center()
      centers.push(center)
      await subscribe(server, center, plan, status)
    }
    const scale = {
      planId: 'center-scale',
      planName: 'Scale',
      planVersion: 1,
      subscriptions: 1,
      monthlyRecurring: 124_167,
    }
    const starter = {
      planId: 'center-starter',
      planName: 'Starter',
      planVersion: 1,
      subscriptions: 2,
      monthlyRecurring: 98_000,
    }
    expect((await figures()).revenue).toEqual({
      currency: 'KRW',
      monthlyRecurring: 98_000 + 124_167,
      byPlan: [starter, scale],
    })
    const move = (index: number, change: string) =>
      server.world.query(
        `update directory.subscriptions set ${change} where center_id = $1`,
        [centers[index]?.id],
        false,
      )
    await move(2, `status = 'ACTIVE'`)
    await move(0, `status = 'CANCELED'`)
    await move(1, `plan_id = 'center-growth'`)
    expect((await figures()).revenue.byPlan).toEqual([
      { ...starter, subscriptions: 1, monthlyRecurring: 49_000 },
      { planId: 'center-growth', planName: 'Growth', planVersion: 1, subscriptions: 1, monthlyRecurring: 149_000 },
      scale,
    ])
  })

  it('counts each person who was active today once, and omits other days', async () => {
    partner = await openPartner(server)
    const other = await openPartner(server)
    const [first, second] = [await partner.center(), await partner.center()]
    const person = await memberOf(server, first)
    await server.world.member(person, second, 'PARENT')
    await memberOf(server, first)
    const { refreshToken } = await server.signIn(person, first.domain)
    await server.signIn(person, second.domain)
    await server.signIn(person)
    expect((await figures()).activeToday).toBe(1)
    await server.signIn(await memberOf(server, second))
    expect((await figures()).activeToday).toBe(2)
    expect((await figures(other)).activeToday).toBe(0)

    const restore = useClock(() => Date.now() + 86_400_000)
    try {
      const { admin } = partner
      const { accessToken: token } = await server.signIn(admin)
      const tomorrow = async () => (await server.call('GET', '/api/partner/stats/dashboard', { token })).body.data
      expect((await tomorrow()).activeToday).toBe(0)
      expect((await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })).status).toBe(200)
      expect((await tomorrow()).activeToday).toBe(1)
    } finally {
      restore()
    }
  })

  it('omits former and future members', async () => {
    partner = await openPartner(server)
    const center = await partner.center()
    for (const status of ['INVITED', 'SUSPENDED', 'ENDED']) {
      await server.signIn(await memberOf(server, center, 'PARENT', status))
    }
    expect((await figures()).activeToday).toBe(0)
  })

  it('lists late payments and domains that are not proved, of its own centers and itself', async () => {
    const [one, other] = [await openPartner(server), await openPartner(server)]
    const center = await one.center()
    await subscribe(server, center, 'center-growth', 'PAST_DUE')
    await subscribe(server, await one.center(), 'center-growth', 'ACTIVE')
    const add = (owner: object, domain: string, proven = false) =>
      server.world.query(
        `insert into directory.domains (id, center_id, partner_id, purpose, domain, token, created_at, proven_at, next_check_at)
         values ($1, $2, $3, 'email', $4, 't', now(), case when $5 then now() end, case when $5 then now() end)`,
        [
          newUuid(),
          ...['centerId', 'partnerId'].map((name) => new Map(Object.entries(owner)).get(name) ?? null),
          domain,
          proven,
        ],
      )
    await add({ centerId: center.id }, 'center.example')
    await add({ partnerId: one.id }, 'partner.example')
    await add({ partnerId: one.id }, 'proved.example', true)
    const { waiting } = await figures(one)
    expect(
      waiting.map(({ kind, centerId, domain }: Record<string, unknown>) => [kind, centerId, domain]).sort(),
    ).toEqual(
      [
        ['DOMAIN', center.id, 'center.example'],
        ['DOMAIN', null, 'partner.example'],
        ['PAST_DUE', center.id, null],
      ].sort(),
    )
    expect((await figures(other)).waiting).toEqual([])
  })

  it('is the same for an operator of the partner', async () => {
    const { body } = await partner.asOperator('GET', '/partner/stats/dashboard')
    expect(body.data).toEqual(await figures())
  })
})
