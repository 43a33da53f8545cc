import * as contract from '@countersign/contract/governance.ts'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { needPolicies } from '../../../governance/rules.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { newUuid, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Need } from '../../../sealing/sealed-rows.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { needWebhooks } from '../../automation/webhooks/api.ts'
import { needGroups } from '../../identity/groups/api.ts'
import { approvalAddress } from '../decision-events/api.ts'
import {
  changedBody,
  peopleFor,
  policyOf,
  requireConfirmable,
  requireOwn,
  requireRoom,
  requireSound,
  standing,
  unknownPolicy,
  type VersionRow,
  waking,
} from '../policies/api.ts'
import { changeRules } from './change.ts'
import { ruleChangeRows } from './sealed-rows.ts'

interface RuleNeeds {
  readonly cells: Cells
  readonly config: Pick<Config, 'authUrl' | 'perCenter'>
  readonly directory: Directory
  readonly jobs: Jobs
}

/** Nothing is sealed while the policies change, so that a seal names the version in force when it was made. */
const holding = (id: string) => ({
  chains: ['history', 'proof'] as const,
  rows: [needPolicies, needGroups, needWebhooks, need(ruleChangeRows, { policy_id: id })] as readonly Need[],
})

export const ruleChangeRoutes = (
  needs: RuleNeeds,
  { config, jobs } = needs,
  approvalUrl = approvalAddress(config),
  pendingOf = (eventId: string) => ({ eventId, approvalUrl: approvalUrl(eventId) }),
): Route[] => [
  route(contract.createPolicy, async ({ body, principal: person, center, caller, sequence }, reply) => {
    if (body.scope !== undefined && body.scope !== 'center') {
      throw new Problem(
        'FORBIDDEN',
        `Only the operator can create policies with the ${body.scope} scope. Send "center" as the scope.`,
        { details: { reason: 'operatorsPolicy' } },
      )
    }
    const id = newUuid()
    const created: PolicyBody = { ...body, scope: 'center' }
    requireSound(created)
    requireConfirmable(created, await peopleFor(needs, created, center, caller))
    return sequence(
      {
        holds: holding(id),
        judge(batch) {
          requireRoom(batch, config.perCenter.maxPolicies)
          return changeRules(batch, { center, caller, person, approvalUrl }, [{ id, old: null, body: created }])
        },
      },
      (changed) =>
        'rows' in changed
          ? reply(201, policyOf(center, changed.rows[0] as VersionRow))
          : reply(202, { pending: pendingOf(changed.pending), policy: null }),
    ).then(waking(jobs, center))
  }),

  route(contract.updatePolicy, async ({ params, body, principal: person, center, caller, sequence }, reply) => {
    const id = uuidOf('policy', params.id)
    if (id === null) throw unknownPolicy()
    requireOwn(center, id)
    const people = await peopleFor(needs, body, center, caller)
    return sequence(
      {
        holds: holding(id),
        judge(batch) {
          const old = standing(batch, id)
          const changed = changedBody(old.body, body)
          requireConfirmable(changed, people)
          return { old, ...changeRules(batch, { center, caller, person, approvalUrl }, [{ id, old, body: changed }]) }
        },
      },
      (changed) =>
        'rows' in changed
          ? reply(200, policyOf(center, changed.rows[0] as VersionRow))
          : reply(202, {
              pending: pendingOf(changed.pending),
              policy: policyOf(center, { ...changed.old, created_at: null }),
            }),
    ).then(waking(jobs, center))
  }),

  route(contract.deletePolicy, ({ params, principal: person, center, caller, sequence }, reply) => {
    const id = uuidOf('policy', params.id)
    if (id === null) throw unknownPolicy()
    requireOwn(center, id)
    return sequence(
      {
        holds: holding(id),
        judge(batch) {
          const old = standing(batch, id)
          return { old, ...changeRules(batch, { center, caller, person, approvalUrl }, [{ id, old, body: null }]) }
        },
      },
      (changed) =>
        'rows' in changed
          ? reply(204, null)
          : reply(202, {
              pending: pendingOf(changed.pending),
              policy: policyOf(center, { ...changed.old, created_at: null }),
            }),
    ).then(waking(jobs, center))
  }),
]
