import * as contract from '@countersign/contract/site-sign-in.ts'
import { type Route, route } from '../../../http/route.ts'
import { type HandoffNeeds, issueCode, redeem, startHandoff } from './handoff.ts'

export const siteSignInRoutes = (needs: HandoffNeeds): Route[] => [
  route(contract.startHandoff, async (context, reply) => {
    const { payload, cookies } = await startHandoff(needs, context)
    return reply(200, payload, cookies)
  }),

  route(contract.issueHandoffCode, async (context, reply) => reply(200, await issueCode(context))),

  route(contract.redeemHandoff, async (context, reply) => {
    const { payload, cookies } = await redeem(needs, context)
    return reply(200, payload, cookies)
  }),
]
