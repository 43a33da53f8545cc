/** What a decision waits for before it is sealed: the approvals that its policies ask for. Pure. */
import type { Responsibility } from '@countersign/contract/dpu-responsibility.ts'
import {
  type EvidenceLevel,
  evidenceLevels,
  type RequiredIdentity,
  requiredIdentities,
} from '@countersign/contract/enums.ts'
import type { PolicyGuards } from '@countersign/contract/policy-body.ts'
import { type Line, lineOf, placesIn } from '@countersign/proof/line.ts'
import type { Static } from 'typebox'
import type { CenterProfile } from '../data/center-profile.ts'
import { Problem } from '../lib/problem.ts'
import type { Applied } from './policies.ts'
import type { DpuRow, EventRow } from './rows.ts'

/** Evidence collection: who decided what, when, where, why and how. Pure. */
export type SixW = Static<typeof Responsibility>

type DecidingCenter = Pick<CenterProfile, 'centerId' | 'name' | 'vertical'>

const whereOf = ({ centerId, name, vertical }: DecidingCenter, domain: SixW['where']['domain']): SixW['where'] => ({
  centerId,
  centerName: name,
  vertical: vertical as SixW['where']['vertical'],
  domain,
})

interface Sealing {
  readonly reason?: string | null | undefined
  readonly sealedAt?: string | null
  readonly policies?: SixW['why']['policies']
  readonly evidenceLevel: EvidenceLevel
}

/** The approver's reason takes precedence over the actor's. */
export function sixWOfEvent(
  event: Pick<EventRow, 'type' | 'actor' | 'action' | 'ai_context' | 'reason' | 'occurred_at'>,
  center: DecidingCenter,
  { reason, sealedAt = null, policies = [], evidenceLevel }: Sealing,
): SixW {
  const { actor, action, ai_context: ai } = event
  return {
    // A redacted id is absent at runtime, although the type of the row requires it.
    who: { id: actor.id ?? null, name: actor.name ?? null, role: null, type: actor.type },
    what: {
      summary: action.description ?? action.type,
      action: action.type,
      output: (action.output as Record<string, unknown> | undefined) ?? null,
    },
    when: { decidedAt: new Date(event.occurred_at).toISOString(), sealedAt },
    where: whereOf(center, 'proof'),
    why: { reason: reason ?? event.reason ?? ai?.reasoning ?? null, policies },
    how: {
      method: event.type,
      workflowId: null,
      model: ai?.model ?? null,
      confidence: ai?.confidence ?? null,
      evidenceLevel,
      provider: ai?.provider ?? null,
      promptHash: null,
    },
  }
}

/** What a workflow or a model adds to a DPU. */
export interface Origin {
  readonly method?: string
  readonly workflowId?: string
  readonly model?: string | null
  readonly provider?: string | null
  readonly confidence?: number | null
  readonly promptHash?: string | null
  readonly [member: string]: unknown
}

export function sixWOfDpu(
  dpu: Pick<DpuRow, 'content' | 'created_by' | 'origin' | 'metadata' | 'reference_type' | 'sealed_at'>,
  center: DecidingCenter,
  createdAt: string,
  evidenceLevel: EvidenceLevel,
  policies: SixW['why']['policies'] = [],
): SixW {
  const origin = (dpu.origin ?? {}) as Origin
  const { reason } = dpu.metadata
  return {
    who: dpu.created_by ?? { id: null, name: null, role: null, type: null },
    what: { summary: dpu.content || null, action: dpu.reference_type, output: null },
    when: { decidedAt: createdAt, sealedAt: dpu.sealed_at && new Date(dpu.sealed_at).toISOString() },
    where: whereOf(center, 'dpu'),
    why: { reason: typeof reason === 'string' ? reason : null, policies },
    how: {
      method: origin.method ?? 'manual',
      workflowId: origin.workflowId ?? null,
      model: origin.model ?? null,
      confidence: origin.confidence ?? null,
      evidenceLevel,
      provider: origin.provider ?? null,
      promptHash: origin.promptHash ?? null,
    },
  }
}

/** The questions without an answer; a decision that answers all six is DOCUMENTED. */
export function missing({ who, what, when, why, how }: SixW): readonly string[] {
  const answered = {
    who: Boolean(who.id && who.type),
    what: Boolean(what.summary || what.action),
    when: when.decidedAt !== null,
    where: true,
    why: Boolean(why.reason),
    how: Boolean(how.method) && (who.type !== 'ai_agent' || Boolean(how.model)),
  }
  return Object.entries(answered).flatMap(([name, given]) => (given ? [] : [name]))
}

/** The evidence level of a decision before it is sealed. */
export const levelBeforeSealing = (sixW: SixW): EvidenceLevel => (missing(sixW).length === 0 ? 'DOCUMENTED' : 'DRAFT')

/** A guard that asks for an approval, and the policy that has it. */
export interface Reason {
  readonly guard: keyof PolicyGuards
  /** The guard and its value, as refusals name it. */
  readonly rule: string
  readonly policyId: string
  readonly policyName: string
  readonly identity: RequiredIdentity
}

export interface Requirements {
  /** The highest level that a policy asks for. */
  readonly identity: RequiredIdentity
  /** How many different people it takes at least: the places of the longest line. */
  readonly approvals: number
  /** One line per policy that asks, side by side. */
  readonly lines: readonly Line[]
  /** The shortest time of all policies that ask; null if none has one. */
  readonly expiresAfterSeconds: number | null
  /** The shortest of all policies that ask: how long after the approval the decision can be consumed. */
  readonly usableForSeconds: number
  /** Never empty. */
  readonly reasons: readonly [Reason, ...Reason[]]
}

/** How long an approval can be used if its policy doesn't say: seven days. */
export const usualUse = 604_800

/** Of a level that no policy can ask for: below all of them. */
export const rank = (level: string): number => (requiredIdentities as readonly string[]).indexOf(level)

/** The guards of one policy that ask for an approval. An unstated risk exceeds every threshold. */
function askingGuards({ guards }: Applied['body'], riskScore: number | null): readonly (keyof PolicyGuards)[] {
  const { humanReview, riskThreshold, dualApproval, minimumEvidenceLevel } = guards
  const asking: (keyof PolicyGuards)[] = []
  if (humanReview) asking.push('humanReview')
  if (riskThreshold !== undefined && (riskScore === null || riskScore > riskThreshold)) asking.push('riskThreshold')
  if (dualApproval) asking.push('dualApproval')
  if (minimumEvidenceLevel === 'AUDIT_READY') asking.push('minimumEvidenceLevel')
  return asking
}

export const ruleText = (guard: string, value: unknown): string => `${guard}: ${JSON.stringify(value)}`

/**
 * What the given policies, all of which match the decision, ask for; null if none asks for an approval. The `approval`
 * member of a policy counts only if a guard of the same policy asks: a `riskThreshold` that is not exceeded asks for nothing.
 * It does not say whether the decision is refused outright; `judgeDecision` does.
 */
export function requirementsOf(policies: readonly Applied[], riskScore: number | null): Requirements | null {
  const asking = policies.flatMap((policy) => {
    const guards = askingGuards(policy.body, riskScore)
    return guards.length === 0 ? [] : [{ policy, guards }]
  })
  const [first, ...others] = asking.flatMap(({ policy, guards }) => guards.map((guard) => reasonOf(policy, guard)))
  if (!first) return null
  const reasons = [first, ...others] as const
  const times = asking.flatMap(({ policy }) => policy.body.approval?.expiresAfterSeconds ?? [])
  const lines = asking.map(({ policy }) => lineOf(policy))
  return {
    identity: reasons.reduce(
      (highest, { identity }) => (rank(identity) > rank(highest) ? identity : highest),
      first.identity,
    ),
    approvals: Math.max(...lines.map(placesIn)),
    lines,
    expiresAfterSeconds: times.length > 0 ? Math.min(...times) : null,
    usableForSeconds: Math.min(...asking.map(({ policy }) => policy.body.approval?.usableForSeconds ?? usualUse)),
    reasons,
  }
}

const reasonOf = ({ id, body }: Applied, guard: keyof PolicyGuards): Reason => ({
  guard,
  rule: ruleText(guard, body.guards[guard]),
  policyId: id,
  policyName: body.name,
  identity: body.approval?.identity ?? 'session',
})

/** When a decision that waits since then is refused, in milliseconds; null if it waits forever. */
export const expiryOf = ({ expiresAfterSeconds }: Requirements, since: number): number | null =>
  expiresAfterSeconds === null ? null : since + expiresAfterSeconds * 1000

/** Guard validation: the strictest value of each guard among the policies that apply, and its requirements. Pure. */
type Guard = keyof PolicyGuards
/** A guard's strictest value and the policy that sets it. */
type Rules = { readonly [G in Guard]?: { readonly value: NonNullable<PolicyGuards[G]>; readonly policy: Applied } }

const levelOf = (level: EvidenceLevel): number => evidenceLevels.indexOf(level)

const stricter: {
  readonly [G in Guard]: (a: NonNullable<PolicyGuards[G]>, b: NonNullable<PolicyGuards[G]>) => boolean
} = {
  policyRequired: (a) => a,
  minimumEvidenceLevel: (a, b) => levelOf(a) > levelOf(b),
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
    details: { reason: guard, policyId: policy.id, rule: ruleText(guard, value), guard },
  })
}

/** Before sealing: a policy must cover the decision, and its evidence must reach the required level. */
export function requireEvidence(rules: Rules, policies: readonly Applied[], sixW: SixW, approved: boolean): void {
  const { policyRequired, minimumEvidenceLevel } = rules
  if (policyRequired && policies.every(({ body }) => body.guards.policyRequired)) {
    refuse(
      'policyRequired',
      policyRequired,
      'no other policy covers this kind of decision. Ask an administrator to create one that does.',
    )
  }
  if (!minimumEvidenceLevel) return
  const absent = missing(sixW)
  const reached: EvidenceLevel = absent.length > 0 ? 'DRAFT' : approved ? 'AUDIT_READY' : 'DOCUMENTED'
  if (levelOf(reached) >= levelOf(minimumEvidenceLevel.value)) return
  const lacking =
    absent.length > 0
      ? `the decision is missing ${absent.map((name) => `"${name}"`).join(' and ')}. Add what's missing, and record the decision again.`
      : 'nobody has approved the decision. Ask a person to approve it.'
  refuse('minimumEvidenceLevel', minimumEvidenceLevel, `the evidence level is only ${reached}, because ${lacking}`)
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
