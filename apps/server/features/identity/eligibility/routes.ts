import * as contract from '@countersign/contract/eligibility.ts'
import type { ActorRole } from '@countersign/contract/enums.ts'
import { isPartnersCenter } from '../../../access/queries.ts'
import type { Cells } from '../../../data/cells.ts'
import { type Route, route } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { accountsOf, asAdmin, type ConfirmNeeds, confirmFromOutside, confirmItem, isOwnMatter } from './confirm.ts'
import { waitingMembers } from './queries.ts'
import type { EligibilityRow } from './seal.ts'
import { hasBegun, type RoleStanding, standingAs, standingsOf } from './standings.ts'

const shown = (row: EligibilityRow, { role, countsFrom, confirmedBy }: Omit<RoleStanding, 'since' | 'makers'>) => ({
  membershipId: typedId('membership', row.id),
  actorId: row.actor_id,
  role: role as ActorRole,
  countsFrom,
  confirmedBy,
})

/** The named role, or the highest one. */
function shownAs(row: EligibilityRow, role?: string) {
  const standing = (role === undefined ? undefined : standingAs(row, role)) ?? (standingsOf(row)[0] as RoleStanding)
  return shown(row, standing)
}

const mostWaiting = 100

export const eligibilityRoutes = (needs: ConfirmNeeds & { readonly cells: Cells }): Route[] => [
  route(contract.listWaitingMembers, async ({ principal: { actorId, entered }, requestId }, reply) => {
    const caller = { requestId, actorId, centerId: entered.centerId }
    const person = await accountsOf(needs, caller, actorId)
    const at = now()
    const rows = await needs.cells
      .of(entered.cell)
      .inTenant(caller, (tx) => waitingMembers(tx, entered.membershipId, at, mostWaiting), 'read')
    const own = rows.find((row) => row.id === entered.membershipId)
    const admin = own && standingAs(own, 'ADMIN')
    const mayConfirm = admin !== undefined && hasBegun(admin, at.toISOString())
    const waiting = rows.flatMap((row) =>
      standingsOf(row)
        .filter((standing) => !hasBegun(standing, at.toISOString()))
        .map((standing) => ({
          ...shown(row, standing),
          mayConfirm: mayConfirm && !isOwnMatter(row, standing, person),
        })),
    )
    return reply(
      200,
      waiting.toSorted((one, other) => Date.parse(one.countsFrom) - Date.parse(other.countsFrom)),
    )
  }),

  route(contract.confirmMembership, async ({ params, body, principal, center, caller, sequence }, reply) => {
    const given = { ...(await asAdmin(needs, principal, caller)), role: body.role }
    return sequence(confirmItem(center, caller, uuidOf('membership', params.id), given), (row) =>
      reply(200, shownAs(row, body.role)),
    )
  }),

  // The cell commits first. A repetition finds the role confirmed and gets the same answer.
  route(contract.confirmMembershipAsPartner, async ({ params, principal, requestId, tx }, reply) => {
    const caller = { requestId, actorId: principal.actorId, centerId: params.centerId }
    if (!(await isPartnersCenter(tx, params.centerId))) {
      throw new Problem(
        'CENTER_NOT_FOUND',
        "This partner has no center with this ID. List the partner's centers to find the ID.",
      )
    }
    const given = { by: principal.actorId, person: await accountsOf(needs, caller, principal.actorId) }
    return reply(200, shownAs(await confirmFromOutside(needs, caller, uuidOf('membership', params.id), given)))
  }),
]
