import { type CenterPlanId, promisesOf } from '@countersign/contract/promises.ts'
import * as contract from '@countersign/contract/provisioning.ts'
import { type DirectoryTx, withinCenter } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { readCenter } from '../centers/api.ts'
import { ownSubscription } from '../subscription/api.ts'
import { administratorOf } from './founding.ts'
import { type ProvisioningNeeds, provision } from './provision.ts'
import { findProvisioned, isTaken, type PlanRow, plansOf } from './queries.ts'
import { reservedReason } from './subdomain.ts'

const planOf = (row: PlanRow) => ({
  id: row.id,
  name: row.name,
  price: row.price,
  currency: row.currency,
  billingCycle: row.billing_cycle,
  seatLimit: row.seat_limit,
  // This server enforces nothing of a plan of the learning application.
  features: row.kind === 'center' ? promisesOf(row.id as CenterPlanId, row.seat_limit) : [],
})

/** Runs as the center itself. */
async function describe(own: DirectoryTx) {
  const { centerId } = own.caller
  const center = await readCenter(own)
  const { lms_tenant_id: lmsTenantId } = await findProvisioned(own, centerId)
  const subscription = await ownSubscription(own, centerId)
  return {
    center,
    membership: await administratorOf(own, center),
    subscription,
    tenantMapping: { centerId, lmsTenantId },
    settings: center.settings,
  }
}

export const provisioningRoutes = (needs: ProvisioningNeeds): Route[] => [
  route(contract.provisionCenter, async (context, reply) => {
    const { centerId, created } = await provision(needs, context)
    const answer = await withinCenter(context.tx, centerId, describe)
    context.tx.afterCommit(() => failpoint('provisioning: after commit'))
    return created ? reply(201, answer) : reply(200, answer)
  }),

  route(contract.checkSubdomain, async ({ body, identity }, reply) => {
    const reason =
      reservedReason(body.subdomain) ??
      ((await identity((tx) => isTaken(tx, body.subdomain))) ? 'This name is taken.' : null)
    const available = reason === null
    return reply(200, { success: true, available, data: { available, reason } })
  }),

  route(contract.listCenterPlans, async ({ identity }, reply) =>
    reply(200, (await identity((tx) => plansOf(tx, 'center'))).map(planOf)),
  ),

  route(contract.listLmsPlans, async ({ identity }, reply) =>
    reply(200, (await identity((tx) => plansOf(tx, 'lms'))).map(planOf)),
  ),
]
