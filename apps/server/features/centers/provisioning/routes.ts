import * as contract from '@countersign/contract/provisioning.ts'
import type { Config } from '../../../config/config.ts'
import { type DirectoryTx, withinCenter } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { readCenter } from '../centers/api.ts'
import { listPlans, ownSubscription } from '../subscription/api.ts'
import { administratorOf } from './founding.ts'
import { type ProvisioningNeeds, provision } from './provision.ts'
import { findProvisioned, isTaken } from './queries.ts'
import { reservedReason } from './subdomain.ts'

/** Runs as the center itself. */
async function describe(config: Pick<Config, 'billingUrl'>, own: DirectoryTx) {
  const { centerId } = own.caller
  const center = await readCenter(own)
  const { lms_tenant_id: lmsTenantId } = await findProvisioned(own, centerId)
  const subscription = await ownSubscription(own, centerId, config)
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
    const answer = await withinCenter(context.tx, centerId, (own) => describe(needs.config, own))
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
    reply(200, await identity((tx) => listPlans(tx, 'center'))),
  ),

  route(contract.listLmsPlans, async ({ identity }, reply) => reply(200, await identity((tx) => listPlans(tx, 'lms')))),
]
