/** The pages of the people who run the platform. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../support/server.ts'
import type { Sample } from './sample.ts'

/** A center of its own: what an operator does to it stays. */
async function subscribed({ world }: TestServer): Promise<{ centerId: string }> {
  const { id } = await world.center()
  await world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
     values ($1, 'center-starter', 'SUSPENDED', 'MONTHLY', now(), 20)`,
    [id],
  )
  return { centerId: String(id) }
}

/** Nothing can be sealed onto a broken chain. */
async function broken({ world }: TestServer) {
  const { id } = await world.center()
  await world.query(`insert into cell.chain_heads (center_id, domain, broken_at) values ($1, 'proof', 0)`, [id])
  return { centerId: String(id), domain: 'proof' }
}

const elsewhere = { centerId: '2000000000' }
const version = {
  ...{ name: 'Growth', price: 149_000, currency: 'KRW', billingCycle: 'MONTHLY', seatLimit: 100, trialDays: 14 },
  ...{ webhooks: 50, features: ['booking'] },
}

const plain: Sample = { call: () => ({}), status: 200 }

export const operatorSamples: Readonly<Record<string, Sample>> = {
  'admin.getOverview': plain,
  'admin.listPartners': plain,
  'admin.listCenters': plain,
  'admin.getAlarm': {
    call: async (server) => ({ params: await broken(server) }),
    status: 200,
    nowhere: () => ({ params: { ...elsewhere, domain: 'proof' } }),
  },
  'admin.acknowledgeAlarm': {
    call: async (server) => ({ params: await broken(server), body: { note: 'Comparing with the backup' } }),
    status: 200,
    nowhere: () => ({ params: { ...elsewhere, domain: 'proof' }, body: { note: 'Comparing with the backup' } }),
  },
  'admin.getCenter': {
    call: async (server) => ({ params: await subscribed(server) }),
    status: 200,
    nowhere: () => ({ params: elsewhere }),
  },
  'admin.setCenterStatus': {
    call: async (server) => ({ params: await subscribed(server), body: { status: 'SUSPENDED', reason: 'A test' } }),
    status: 200,
    nowhere: () => ({ params: elsewhere, body: { status: 'SUSPENDED', reason: 'A test' } }),
  },
  'admin.updateSubscription': {
    call: async (server) => ({
      params: await subscribed(server),
      body: { status: 'ACTIVE', reason: 'Paid by transfer' },
    }),
    status: 200,
    nowhere: () => ({ params: elsewhere, body: { status: 'ACTIVE', reason: 'Paid by transfer' } }),
  },
  'admin.listPlans': plain,
  'admin.addPlan': {
    call: () => ({ body: { id: `plan-${newUuid().slice(-12)}`, ...version, offered: false } }),
    status: 201,
  },
  'admin.addPlanVersion': {
    async call(server, { operator }) {
      const { accessToken: token } = await server.signIn(operator)
      const id = `plan-${newUuid().slice(-12)}`
      await server.call('POST', '/api/admin/plans', { token, body: { id, ...version, offered: false } })
      return { params: { id }, body: { ...version, offered: false } }
    },
    status: 201,
    nowhere: () => ({ params: { id: 'center-nowhere' }, body: version }),
  },
}
