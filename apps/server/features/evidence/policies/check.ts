/** What the policies would say about a decision, and whether enough people can approve it. Pure. */
import { approverRoles } from '@countersign/contract/enums.ts'
import type { BodyOf, PayloadOf } from '@countersign/contract/operation.ts'
import type { checkPolicies } from '@countersign/contract/policy-check.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { type Applied, factsOfEvent, matchPolicies, named } from '../../../governance/policies.ts'
import {
  judgeDecision,
  mayApprove,
  type Requirements,
  requirementsOf,
  sixWOfEvent,
} from '../../../governance/requirements.ts'
import type { EventRow, PolicyRow } from '../../../governance/rows.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Approvable } from './check-queries.ts'

type Check = PayloadOf<(typeof checkPolicies)['spec'], 200>
type Decision = BodyOf<(typeof checkPolicies)['spec']>

type CheckedEvent = Pick<
  EventRow,
  'type' | 'actor' | 'action' | 'ai_context' | 'tags' | 'risk_score' | 'reason' | 'occurred_at'
>

/** The members of the decision that policies and evidence read. */
const asEvent = ({ agent, action, aiContext, tags, riskScore, reason }: Decision, at: string) =>
  ({
    type: 'agent_execution',
    actor: { ...agent, type: 'ai_agent' },
    action,
    ai_context: aiContext ?? null,
    tags: tags ?? [],
    risk_score: riskScore ?? null,
    reason: reason ?? null,
    occurred_at: at,
  }) as CheckedEvent

export function checkDecision(
  decision: Decision,
  rows: readonly PolicyRow[],
  center: CenterProfile,
  approvable: Approvable,
  at: string,
): Check {
  const event = asEvent(decision, at)
  const policies = matchPolicies(rows, factsOfEvent(event), center)
  const asked = requirementsOf(policies, event.risk_score)
  return {
    ...judged(policies, event, center),
    policies: policies.map((policy) => ({
      ...(named([policy])[0] as { id: string; version: number; digest: string }),
      name: policy.body.name,
      asks: (asked?.reasons ?? []).flatMap(({ policyId, guard }) =>
        policyId === policy.id && guard !== 'policyRequired' ? [guard] : [],
      ),
      approval: policy.body.approval ?? null,
    })),
    approval: asked && approvalOf(asked, event, approvable),
  }
}

function judged(
  policies: readonly Applied[],
  event: CheckedEvent,
  center: CenterProfile,
): Pick<Check, 'outcome' | 'refusal'> {
  try {
    const sixW = sixWOfEvent(event, center, { evidenceLevel: 'DRAFT' })
    return { outcome: judgeDecision(policies, sixW, event.risk_score), refusal: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const details = error.details as { policyId: string; rule: string; guard: string }
    return { outcome: 'refused', refusal: { ...details, message: error.message } }
  }
}

/** What `decide` would have answered about a decision that was recorded. */
export const outcomeOf = (rows: readonly PolicyRow[], event: CheckedEvent, center: CenterProfile): Check['outcome'] =>
  judged(matchPolicies(rows, factsOfEvent(event), center), event, center).outcome

/** Long enough for every escalation. */
const atLast = Number.POSITIVE_INFINITY

function approvalOf(
  asked: Requirements,
  event: CheckedEvent,
  { members, keys }: Approvable,
): NonNullable<Check['approval']> {
  const { identity, approvals, approvers, expiresAfterSeconds, usableForSeconds } = asked
  const actor = comparableId(event.actor.id)
  const able = members.filter(
    ({ actorId, role }) => comparableId(actorId) !== actor && mayApprove(asked, { actorId, role }, atLast),
  )
  const restricted = approvers.filter(({ roles, actorIds }) => roles || actorIds)
  const roles = approverRoles.filter((role) =>
    restricted.every((policy) => (policy.roles ?? []).some((each) => each === role)),
  )
  // Accounts of one person count once.
  const people = new Set(able.map(({ person }) => person)).size
  const claims = identity === 'claim' && restricted.length === 0 ? keys : 0
  return {
    identity,
    approvals,
    roles: roles.length > 0 ? roles : null,
    actorIds: able.map(({ actorId }) => actorId),
    expiresAfterSeconds,
    usableForSeconds,
    problem: problemOf(identity, approvals, people, claims),
  }
}

function problemOf(identity: Requirements['identity'], needed: number, people: number, keys: number): string | null {
  if (identity === 'passkey') return 'The policies ask for a passkey, which nobody can use yet. Ask for "session".'
  if (people >= needed || keys >= needed) return null
  if (people === 0 && identity !== 'claim') {
    return 'No ACTIVE member is allowed by every policy that asks. Change "approval.roles" or "approval.actorIds" of one.'
  }
  return identity === 'claim'
    ? `The policies ask for ${needed}, and neither enough members nor enough API keys with the scope proof:approve exist.`
    : `The policies ask for ${needed} people, and ${people} can approve. Allow more members.`
}
