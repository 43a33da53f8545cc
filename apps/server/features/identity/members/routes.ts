import * as contract from '@countersign/contract/members.ts'
import type { MembershipMove } from '@countersign/contract/moves.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { type Route, route } from '../../../http/route.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { changeRoles, moveMembership, requireInvitable, requireMembership, rolesIn } from './api.ts'
import { type InvitationNeeds, inviteByMail, reinvite } from './invite.ts'
import { listPage, membersCsv } from './list.ts'
import { type MemberRow, memberOf, readMember } from './membership.ts'
import { renameMember } from './rename.ts'

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
    route(contract.listMembers, async (context, reply) => reply(200, await listPage(context))),

    route(contract.exportMembers, async ({ tx, query }, reply) =>
      reply(200, membersCsv(needs.directory, tx.caller, query)),
    ),

    route(contract.inviteMember, async ({ tx, body, principal }, reply) => {
      const { name: inviter, entered } = principal
      const { approved = false, role, roles: named, ...person } = body
      const roles = rolesIn({ ...(role && { role }), ...(named && { roles: named }) })
      await requireInvitable(tx, roles)
      const { membershipId } = await inviteByMail(needs, tx, {
        ...person,
        roles,
        approved,
        centerName: entered.centerName,
        inviter,
      })
      return reply(201, await readMember(tx, membershipId))
    }),

    route(contract.changeMemberRole, async ({ tx, params, body }, reply) => {
      const id = uuidOf('membership', params.id)
      const { name } = body
      const chosen = 'role' in body || 'roles' in body ? rolesIn(body) : null
      const renamed = name === undefined ? undefined : await renameMember(needs.authenticate, tx, id, name)
      const changed = chosen === null ? renamed : await changeRoles(needs.authenticate, tx, id, chosen)
      return reply(200, memberOf(changed as MemberRow))
    }),

    route(contract.reinviteMember, async ({ tx, params, principal }, reply) => {
      const locked = await requireMembership(tx, uuidOf('membership', params.id))
      await reinvite(needs, tx, locked, { centerName: principal.entered.centerName, inviter: principal.name })
      tx.afterCommit(() => needs.authenticate.forget(`center:${locked.center_id}`, `actor:${locked.actor_id}`))
      return reply(200, await readMember(tx, locked.id))
    }),

    move(contract.acceptMembership, 'accept'),
    move(contract.leaveCenter as never, 'leave'),
    move(contract.declineMembership as never, 'decline'),
    move(contract.approveMembership, 'approve'),
    move(contract.suspendMembership as never, 'suspend'),
    move(contract.reinstateMembership as never, 'reinstate'),
    move(contract.endMembership as never, 'end'),
    move(contract.rejectMembership as never, 'reject'),
  ]
}
