/** The demo data: centers of every vertical, with every kind of object that a center has. */
import { actorRoles, membershipStatuses, subscriptionStatuses, tenantTypes } from '@countersign/contract/enums.ts'
import { defaultSettings } from '@countersign/server/verticals/defaults.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, seedDemo } from '../../tools/demo-data.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let demo: Demo

beforeAll(async () => {
  server = await startServer()
  demo = await seedDemo(server.services.config)
})
afterAll(() => server.close())

const account = (name: string) => demo.accounts[name] as Demo['accounts'][string]
const signIn = async ({ email, password }: { email: string; password: string }): Promise<string> =>
  (await server.call('POST', '/api/auth/login', { body: { email, password } })).body.data.accessToken
const tokenOf = (name: string) => signIn(account(name))

describe('the demo centers', () => {
  const adminOf = async (index: number) => {
    const domain = demo.centers[index]?.domain as string
    if (index < 2) return tokenOf(index === 0 ? 'admin' : 'otherAdmin')
    return signIn({ email: `admin@${domain}.example`, password: account('admin').password })
  }

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'have the defaults of their vertical, a subscription, instructors and bookings: number %i',
    async (index) => {
      const { id, name, vertical } = demo.centers[index] as Demo['centers'][number]
      const token = await adminOf(index)
      const get = async (path: string) => (await server.call('GET', path, { token })).body.data
      const { booking, features } = defaultSettings(vertical)
      expect(await get(`/api/centers/${id}`)).toMatchObject({ name, vertical, settings: { booking, features } })
      const { seatUsed, planId } = await get('/api/center/subscription')
      const members = await server.world.query(
        `select count(*)::int as active from directory.memberships where center_id = $1 and status = 'ACTIVE'`,
        [id],
      )
      expect([seatUsed, typeof planId]).toEqual([members[0]?.active, 'string'])
      const instructors: { id: string; specialties: string[] }[] = await get(`/api/centers/${id}/instructors`)
      expect(instructors.length).toBeGreaterThan(0)
      for (const { specialties } of instructors) expect(specialties.length).toBeGreaterThan(0)
      const booked = await server.world.query<{ instructor_id: string; starts_at: Date }>(
        'select distinct instructor_id, min(starts_at) over (partition by instructor_id) as starts_at from cell.bookings where center_id = $1',
        [id],
      )
      expect(booked.map((row) => row.instructor_id).toSorted()).toEqual(instructors.map((each) => each.id).toSorted())
      for (const { starts_at } of booked) expect(starts_at.getTime()).toBeGreaterThan(Date.now())
    },
  )

  it('include every role, membership state, subscription state and tenant type', async () => {
    const seen = async (column: string, table: string) =>
      (await server.world.query(`select distinct ${column} as value from directory.${table}`)).map(({ value }) => value)
    expect((await seen('role', 'memberships')).toSorted()).toEqual([...actorRoles].toSorted())
    expect((await seen('status', 'memberships')).toSorted()).toEqual([...membershipStatuses].toSorted())
    expect((await seen('status', 'subscriptions')).toSorted()).toEqual([...subscriptionStatuses].toSorted())
    expect((await seen('tenant_type', 'centers')).toSorted()).toEqual([...tenantTypes].toSorted())
  })

  it('include instructors with their own hours, and are found by their Korean names', async () => {
    const own = await server.world.query('select actor_id from directory.instructor_profiles where hours is not null')
    expect(own.length).toBeGreaterThan(2)
    const { body } = await server.call('POST', '/api/centers/search', { body: { query: '푸른약국' } })
    expect(body.data[0]).toMatchObject({ centerDomain: 'pureun' })
  })

  it('have a family: the parent finds the child', async () => {
    const token = await tokenOf('parent')
    const { body } = await server.call('GET', '/api/auth/me/children', { token })
    expect(body.data).toMatchObject([{ actorId: account('child').actorId }])
  })

  it('belong to two partners, who see only their own, or to none', async () => {
    const seen = async (name: string) => {
      const { body } = await server.call('GET', '/api/partner/centers', { token: await tokenOf(name) })
      return body.data.map((center: { centerDomain: string }) => center.centerDomain).toSorted()
    }
    expect(await seen('partnerAdmin')).toEqual(['badaro', 'haneul'])
    expect(await seen('partnerOperator')).toEqual(['badaro', 'haneul'])
    expect(await seen('otherPartnerAdmin')).toEqual(['dalbit', 'nuri', 'pureun'])
  })
})
