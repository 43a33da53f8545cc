import * as planContract from '@countersign/contract/plans.ts'
import * as contract from '@countersign/contract/provisioning.ts'
import type { Config } from '../../../config/config.ts'
import { becomeOperator } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { noticeOf, ownSubscription } from './api.ts'
import { pageOfInvoices } from './invoice-queries.ts'
import { addPlan, addVersion, listVersions } from './plans.ts'

interface SubscriptionNeeds {
  readonly config: Pick<Config, 'billingUrl' | 'billingKeys'>
}

export const subscriptionRoutes = ({ config }: SubscriptionNeeds): Route[] => [
  route(contract.getSubscription, async ({ tx }, reply) =>
    reply(200, await ownSubscription(tx, tx.caller.centerId, config)),
  ),

  route(contract.getSubscriptionNotice, async ({ tx, principal }, reply) =>
    reply(200, await noticeOf(tx, config, principal.role === 'ADMIN')),
  ),

  route(contract.listInvoices, async ({ tx, query: { page, limit } }, reply) => {
    const { rows, total } = await pageOfInvoices(tx, limit, (page - 1) * limit)
    const items = rows.map(({ stated_at, ...row }) => ({ ...row, statedAt: stated_at.toISOString() }))
    return reply(200, { items, total })
  }),

  route(planContract.listPlanVersions, async ({ identity }, reply) => reply(200, await identity(listVersions, 'read'))),

  route(planContract.addPlan, async ({ tx, body, principal }, reply) => {
    await becomeOperator(tx, principal.actorId)
    return reply(201, await addPlan(tx, body))
  }),

  route(planContract.addPlanVersion, async ({ tx, body, params, principal }, reply) => {
    await becomeOperator(tx, principal.actorId)
    return reply(201, await addVersion(tx, params.id, body))
  }),
]
