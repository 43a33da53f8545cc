/** Who may raise the evidence level of a record. A person who raises it performs the review. Pure. */
import { type EvidenceLevel, type RequiredIdentity, requiredIdentities } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { Line } from '@countersign/proof/line.ts'
import { Problem } from '../lib/problem.ts'
import type { MemberVoucher, VouchedMember } from './approving.ts'
import { admission, type Candidate } from './line.ts'
import type { Applied } from './policies.ts'
import { refuse, requireEvidence, requirementsOf, type SixW, strictest } from './requirements.ts'

export interface Raising {
  readonly to: EvidenceLevel
  readonly by: VouchedMember
  /** `passkey`: a passkey of theirs has signed it. */
  readonly identity: MemberVoucher['level']
  /** The person who raised it before, or null. */
  readonly raisedBy: string | null
  readonly riskScore: number | null
  /** The actor of the decision; null for a record that no decision made. */
  readonly actorId: string | null
  /** For how many seconds the record exists. */
  readonly waited: number
}

const rank = (identity: RequiredIdentity): number => requiredIdentities.indexOf(identity)

export function judgeRaise(policies: readonly Applied[], sixW: SixW, raising: Raising): void {
  const { to, by, identity, raisedBy, actorId } = raising
  requireIdentity(policies, identity)
  requireReviewer(policies, raising)
  const rules = strictest(policies)
  // The person who raises it approves it, so an intermediate step satisfies the required level.
  requireEvidence(rules, policies, sixW, true)
  const { dualApproval } = rules
  if (to !== 'AUDIT_READY' || !dualApproval) return
  if (raisedBy === null) {
    const how = 'Raise it to DOCUMENTED first, then ask another person to raise it to AUDIT_READY.'
    const none = 'Nobody reviewed the first step, so the record stays DOCUMENTED.'
    refuse('dualApproval', dualApproval, `two people must review the record. ${actorId === null ? how : none}`)
  }
  if (by.family.includes(raisedBy)) {
    throw new Problem('CONFLICT', "You've already reviewed this record. Ask another person for the second review.", {
      details: { reason: 'reviewedByYou' },
    })
  }
}

/** Raising is done by a signed-in member; a policy that names a higher level asks for it here too. */
function requireIdentity(policies: readonly Applied[], known: RequiredIdentity): void {
  for (const { id, body } of policies) {
    const identity = body.approval?.identity
    if (identity === undefined || rank(identity) <= rank(known)) continue
    const [guard, value] = Object.entries(body.guards)[0] as [string, unknown]
    throw new Problem(
      'POLICY_VIOLATION',
      `The policy "${body.name}" refuses this: a passkey must sign the review. Get a challenge with POST /api/dpu/{id}/challenge and sign it.`,
      {
        details: { reason: 'identity', policyId: id, rule: `${guard}: ${JSON.stringify(value)}`, guard, identity },
      },
    )
  }
}

/** Whether every policy that asks allows this person: a review is one for all of them. */
export const mayReview = (lines: readonly Line[], who: Candidate, waited: number): boolean =>
  lines.every(({ steps, isShort }) => steps.every((step) => admission(step, who, waited, isShort) !== null))

function requireReviewer(policies: readonly Applied[], { by, riskScore, actorId, waited }: Raising): void {
  const asked = requirementsOf(policies, riskScore)
  if (!asked) return
  // One review is not the line: nobody gets past its steps by raising the record instead.
  if (asked.lines.some(({ isShort }) => !isShort)) {
    throw new Problem(
      'CONFLICT',
      "A policy with an approval line applies to this record, so its level can't be raised. Record a decision and have it approved instead.",
      { details: { reason: 'hasLine' } },
    )
  }
  const [{ policyName, policyId, rule, guard }] = asked.reasons
  const actor = actorId === null ? null : comparableId(actorId)
  const isActor = by.family.some((id) => comparableId(id) === actor)
  if (!isActor && mayReview(asked.lines, by, waited)) return
  const why = isActor
    ? "the reviewer can't be the decision's own actor. Ask someone else to review it."
    : "you aren't one of its approvers. Ask one of its approvers to review the record."
  throw new Problem('POLICY_VIOLATION', `The policy "${policyName}" refuses this: ${why}`, {
    details: { reason: isActor ? 'ownDecision' : 'notApprover', policyId, rule, guard },
  })
}
