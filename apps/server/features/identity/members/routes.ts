import * as contract from '@countersign/contract/members.ts'
import type { MembershipMove } from '@countersign/contract/moves.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { type Route, route } from '../../../http/route.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { type InvitationNeeds, moveMembership } from './api.ts'
import { invite } from './invite.ts'
import { memberOf } from './membership.ts'

interface MemberNeeds extends InvitationNeeds {
  readonly authenticate: Authenticator
}

export const memberRoutes = (needs: MemberNeeds): Route[] => {
  const move = (
    operation: typeof contract.acceptMembership | typeof contract.approveMembership,
    name: MembershipMove,
  ): Route =>
    route(operation as typeof contract.approveMembership, async ({ tx, params }, reply) =>
      reply(200, memberOf(await moveMembership(needs.authenticate, tx, uuidOf('membership', params.id), name))),
    )
  return [
    route(contract.inviteMember, async (context, reply) => reply(201, memberOf(await invite(needs, context)))),
    move(contract.acceptMembership, 'accept'),
    move(contract.approveMembership, 'approve'),
    move(contract.suspendMembership as never, 'suspend'),
    move(contract.reinstateMembership as never, 'reinstate'),
    move(contract.endMembership as never, 'end'),
    move(contract.rejectMembership as never, 'reject'),
  ]
}
