/** Guard validation: the strictest value of each guard among the policies that apply, and its requirements. Pure. */
import { type EvidenceLevel, evidenceLevels } from '@countersign/contract/enums.ts'
import type { PolicyGuards } from '@countersign/contract/policy-body.ts'
import { Problem } from '../lib/problem.ts'
import type { Applied } from './policies.ts'
import { requirementsOf, ruleText } from './requirements.ts'
import { missing, type SixW } from './six-w.ts'

type Guard = keyof PolicyGuards
/** A guard's strictest value and the policy that sets it. */
type Rules = { readonly [G in Guard]?: { readonly value: NonNullable<PolicyGuards[G]>; readonly policy: Applied } }

const rank = (level: EvidenceLevel): number => evidenceLevels.indexOf(level)

const stricter: {
  readonly [G in Guard]: (a: NonNullable<PolicyGuards[G]>, b: NonNullable<PolicyGuards[G]>) => boolean
} = {
  policyRequired: (a) => a,
  minimumEvidenceLevel: (a, b) => rank(a) > rank(b),
  humanReview: (a) => a,
  riskThreshold: (a, b) => a < b,
  dualApproval: (a) => a,
}

export function strictest(policies: readonly Applied[]): Rules {
  const rules: Record<string, { value: unknown; policy: Applied }> = {}
  for (const policy of policies) {
    for (const [guard, value] of Object.entries(policy.body.guards)) {
      if (value === false) continue
      const held = rules[guard]
      const isStricter = stricter[guard as Guard] as (a: unknown, b: unknown) => boolean
      if (held === undefined || isStricter(value, held.value)) rules[guard] = { value, policy }
    }
  }
  return rules as Rules
}

export function refuse(guard: Guard, { value, policy }: { value: unknown; policy: Applied }, why: string): never {
  throw new Problem('POLICY_VIOLATION', `The policy "${policy.body.name}" refuses this: ${why}`, {
    details: { policyId: policy.id, rule: ruleText(guard, value), guard },
  })
}

/** Before sealing: a policy must cover the decision, and its evidence must reach the required level. */
export function requireEvidence(rules: Rules, policies: readonly Applied[], sixW: SixW, approved: boolean): void {
  const { policyRequired, minimumEvidenceLevel } = rules
  if (policyRequired && policies.every(({ body }) => body.guards.policyRequired)) {
    refuse('policyRequired', policyRequired, 'no other policy covers this kind of decision; make one that does.')
  }
  if (!minimumEvidenceLevel) return
  const absent = missing(sixW)
  const reached: EvidenceLevel = absent.length > 0 ? 'DRAFT' : approved ? 'AUDIT_READY' : 'DOCUMENTED'
  if (rank(reached) >= rank(minimumEvidenceLevel.value)) return
  const lacking = absent.length > 0 ? `it does not say ${absent.join(' and ')}` : 'no person has approved it'
  refuse('minimumEvidenceLevel', minimumEvidenceLevel, `its evidence is ${reached}, because ${lacking}.`)
}

/** An agent's decision: completed, held for approval, or refused. */
export function judgeDecision(
  policies: readonly Applied[],
  sixW: SixW,
  riskScore: number | null,
): 'completed' | 'approval_required' {
  const needsApproval = requirementsOf(policies, riskScore) !== null
  requireEvidence(strictest(policies), policies, sixW, needsApproval)
  return needsApproval ? 'approval_required' : 'completed'
}
