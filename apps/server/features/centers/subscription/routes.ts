import * as contract from '@countersign/contract/provisioning.ts'
import { type Route, route } from '../../../http/route.ts'
import { ownSubscription } from './api.ts'

export const subscriptionRoutes: Route[] = [
  route(contract.getSubscription, async ({ tx }, reply) => reply(200, await ownSubscription(tx, tx.caller.centerId))),
]
