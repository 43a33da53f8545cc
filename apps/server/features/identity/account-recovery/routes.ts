import * as contract from '@countersign/contract/entry.ts'
import { familyMemberships } from '../../../access/queries.ts'
import { type Route, route } from '../../../http/route.ts'
import { membershipOf } from '../auth/api.ts'
import { childrenOf } from './queries.ts'
import { acceptInvitation, forgotPassword, type RecoveryNeeds, resetPassword } from './recovery.ts'

export const entryRoutes = (needs: RecoveryNeeds): Route[] => [
  route(contract.forgotPassword, async (context, reply) => {
    await forgotPassword(needs, context)
    return reply(202, { accepted: true })
  }),

  route(contract.resetPassword, async (context, reply) => {
    await resetPassword(needs, context)
    return reply(204, null)
  }),

  route(contract.acceptInvitation, async (context, reply) => reply(200, await acceptInvitation(needs, context))),

  route(contract.listChildren, async ({ principal, identity }, reply) => {
    const children = await identity(async (tx) => {
      const found = await childrenOf(tx, principal.actorId)
      return Promise.all(
        found.map(async ({ id, name }) => ({
          actorId: id,
          name,
          memberships: (await familyMemberships(tx, id)).map(membershipOf),
        })),
      )
    })
    return reply(200, children)
  }),
]
