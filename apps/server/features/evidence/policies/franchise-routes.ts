/** The partner of a franchise reads and changes what its centers inherited and cannot change themselves. */
import * as contract from '@countersign/contract/partner-policies.ts'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { PartnerPrincipal } from '../../../access/principal.ts'
import { type Route, route } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { holds, standing, waking } from './changing.ts'
import { addVersion, bodyText, changedBody, policyOf } from './policy.ts'
import { centerOfPartner, standingPolicies } from './queries.ts'
import type { PolicyNeeds } from './routes.ts'
import { requireNoGroups } from './sound.ts'

const notInherited = () =>
  new Problem(
    'NOT_FOUND',
    "This center hasn't inherited a policy with this ID. List its inherited policies to find the ID.",
  )

export function franchiseRoutes({ directory, centers, cells, sequencer, jobs }: PolicyNeeds): Route[] {
  /** The center, if it is one of the partner's, with its inherited policies written. */
  async function enter({ actorId, partner }: PartnerPrincipal, requestId: string, centerId: number) {
    const outside = { requestId, actorId, centerId: 0 }
    const found = await directory.asPartner(outside, partner.id, (tx) => centerOfPartner(tx, centerId), 'read')
    if (!found)
      throw new Problem(
        'CENTER_NOT_FOUND',
        "This partner has no center with this ID. List the partner's centers to find the ID.",
      )
    const center = await centers.profile(centerId)
    await sequencer.ensure(center)
    return { center, caller: { ...outside, centerId }, hasEnded: found.status === 'INACTIVE' }
  }

  return [
    route(contract.listInheritedPolicies, async ({ principal, requestId, params }, reply) => {
      const { center, caller } = await enter(principal, requestId, params.centerId)
      const rows = await cells.of(center.cell).inTenant(caller, standingPolicies, 'read')
      return reply(
        200,
        rows.map((row) => policyOf(center, row)).filter(({ inherited }) => inherited),
      )
    }),

    route(contract.updateInheritedPolicy, async ({ principal, requestId, params, body }, reply) => {
      const { center, caller, hasEnded } = await enter(principal, requestId, params.centerId)
      const id = uuidOf('policy', params.id)
      if (id === null || !center.inherited?.ids.includes(id)) throw notInherited()
      if (!center.inherited.isFixed) {
        throw new Problem(
          'FORBIDDEN',
          'This center manages its inherited policies itself. Ask an administrator of the center.',
          { details: { reason: 'ownPolicies' } },
        )
      }
      if (hasEnded)
        throw new Problem('CONFLICT', "This center has been closed and can't be changed. Use another center.", {
          details: { reason: 'closedCenter' },
        })
      const details = { partner: typedId('partner', principal.partner.id) }
      const outcome = await sequencer.seal({
        center,
        caller,
        holds,
        judge(batch) {
          const old = standing(batch, id)
          const changed: PolicyBody = changedBody(old.body, body)
          requireNoGroups(changed)
          // There is no idempotency key here: a repeated request must not make another version.
          if (bodyText(changed) === bodyText(old.body)) return null
          return addVersion(batch, { center, caller, action: 'updated', details }, id, old.version + 1, changed)
        },
      })
      if ('replay' in outcome) throw new Error('a change by the partner has no idempotency key')
      const rows = outcome.result ? [] : await cells.of(center.cell).inTenant(caller, standingPolicies, 'read')
      const row = outcome.result ?? rows.find((each) => each.id === id)
      if (!row) throw notInherited()
      return waking(jobs, center)(reply(200, policyOf(center, row)))
    }),
  ]
}
