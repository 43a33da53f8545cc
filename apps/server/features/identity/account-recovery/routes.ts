import * as contract from '@countersign/contract/entry.ts'
import { type Route, route } from '../../../http/route.ts'
import { acceptInvitation, acceptOwnInvitation, readInvitation } from './invitations.ts'
import { forgotPassword, type RecoveryNeeds, resetPassword } from './recovery.ts'

export const entryRoutes = (needs: RecoveryNeeds): Route[] => [
  route(contract.forgotPassword, async (context, reply) => {
    await forgotPassword(needs, context)
    return reply(202, { accepted: true })
  }),

  route(contract.resetPassword, async (context, reply) => {
    await resetPassword(needs, context)
    return reply(204, null)
  }),

  route(contract.readInvitation, async (context, reply) => reply(200, await readInvitation(context))),

  route(contract.acceptInvitation, async (context, reply) => reply(200, await acceptInvitation(needs, context))),

  route(contract.acceptOwnInvitation, async (context, reply) => reply(200, await acceptOwnInvitation(needs, context))),
]
