/** An agent's decision: refused by a policy, sealed at once, or recorded until a person approves it. */
import type { decide } from '@countersign/contract/agents.ts'
import type { decisionOutcomes } from '@countersign/contract/enums.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import { actionDigest } from '@countersign/proof/action-digest.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { type Applied, named } from '../../../governance/policies.ts'
import { judgeDecision } from '../../../governance/requirements.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'
import { fingerprintOf } from '../../../idempotency/idempotency.ts'
import { newActionSalt, newUuid, recordUuid, typedIds } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, Entry, SealItem } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import {
  type ApprovalAddress,
  approvalRows,
  collectEvidence,
  type Deciding,
  decisionName,
  eventRows,
  makeAuditReady,
  matchingPolicies,
  needsOfOpen,
  needsOfSealing,
  policiesOver,
  refuseOpen,
  replaceable,
  requestApproval,
  requireReadable,
  sealInChain,
  systemRefusal,
} from '../decision-events/api.ts'

type NewDecision = BodyOf<(typeof decide)['spec']>

export interface Decided {
  readonly event: Pick<EventRow, 'id' | 'decision_id' | 'status' | 'action_digest' | 'action_salt'>
  readonly isNew: boolean
  readonly outcome: (typeof decisionOutcomes)[number]
  readonly policies: ReturnType<typeof named>
  /** Null while the decision waits, and for one that was closed before, which is then read from the database. */
  readonly entry: (Pick<Entry, 'hash'> & Partial<Pick<Entry, 'receipt'>>) | null
  /** A guard refused it, and the refusal is sealed. */
  readonly refused?: Problem
}

interface Drafting {
  readonly recordedBy: string
  readonly key: string | null
  readonly at: string
  readonly traceparent: string | null
}

/** The decision is open already: what it waits for has to be read with it. */
export class KnownOpen extends Problem {
  readonly eventId: string
  constructor(eventId: string) {
    super('CONFLICT', 'This decision was sent at the same moment; send it again.', { passing: true })
    this.eventId = eventId
  }
}

/** The decision as an event, before its key is looked up. */
export function draftEvent(
  body: NewDecision,
  center: CenterProfile,
  { recordedBy, key, at, traceparent }: Drafting,
): EventRow {
  const actor = { ...body.agent, type: 'ai_agent' } as EventRow['actor']
  const { action, aiContext, riskScore, reason } = body
  const salt = newActionSalt()
  const id = newUuid(Date.parse(at))
  const [ownDecisionId] = typedIds(id, 'decision')
  return {
    center_id: center.centerId,
    id,
    decision_id: key ?? ownDecisionId,
    type: 'agent_execution',
    status: 'recorded',
    actor,
    action: action as EventRow['action'],
    ai_context: (aiContext ?? null) as EventRow['ai_context'],
    tags: body.tags ?? [],
    occurred_at: at,
    fingerprint: key === null ? null : fingerprintOf({ decide: body }).toString('hex'),
    reason: reason ?? null,
    risk_score: riskScore ?? null,
    recorded_by: recordedBy,
    action_digest: actionDigest(salt, { type: 'agent_execution', actor, action, aiContext, riskScore, reason }),
    action_salt: salt,
    replaces: body.replaces === undefined ? null : recordUuid(body.replaces),
    traceparent,
    created_at: at,
  }
}

export function decisionItem(
  draft: EventRow,
  center: CenterProfile,
  caller: Caller,
  approvalUrl: ApprovalAddress,
  knownId: string | null = null,
): Pick<SealItem<Decided>, 'holds' | 'judge'> {
  return {
    holds: {
      chains: ['proof'],
      rows: [
        need(eventRows, { decision_id: draft.decision_id }),
        ...(draft.replaces === null ? [] : needsOfOpen(draft.replaces)),
        ...(knownId === null ? [] : needsOfOpen(knownId)),
        ...needsOfSealing,
      ],
    },
    judge: (batch) => judge(batch, draft, center, caller, approvalUrl, knownId),
  }
}

function judge(
  batch: Batch,
  draft: EventRow,
  center: CenterProfile,
  caller: Caller,
  approvalUrl: ApprovalAddress,
  knownId: string | null,
): Decided {
  const known = batch.rows(eventRows).find(decisionName(draft.decision_id))
  if (known) refuseOther(known.fingerprint, draft)
  if (known && known.status !== 'recorded') {
    // The route answers with what the database says of it.
    return { event: known, isNew: false, outcome: 'pending', policies: [], entry: null }
  }
  if (known && known.id !== knownId) throw new KnownOpen(known.id)
  const event = known ?? draft
  const old = known ? null : replaceable(batch, draft, center)
  const deciding: Deciding = { center, caller, event, approval: null, prior: [] }
  const evidence = collectEvidence(deciding)
  const policies = known ? policiesOver(batch, deciding).all : matchingPolicies(batch, deciding)
  const outcome = outcomeOf(policies, evidence, event.risk_score)
  if (old) refuseOpen(batch, old, { center, caller, reason: 'replaced' })
  if (outcome === 'approval_required' && !known) requireReadable(event)
  if (outcome instanceof Problem) return refuse(batch, deciding, policies, outcome, known === undefined)
  const entry = outcome === 'completed' ? seal(batch, deciding, policies, known === undefined) : null
  if (!known && !entry) batch.rows(eventRows).insert(draft)
  // Also for a known decision that needs no approval: it is still open only because sealing it failed.
  if (outcome === 'approval_required') requestApproval(batch, deciding, policies, approvalUrl)
  return { event, isNew: known === undefined, outcome, policies: named(policies), entry }
}

function outcomeOf(...judged: Parameters<typeof judgeDecision>): ReturnType<typeof judgeDecision> | Problem {
  try {
    return judgeDecision(...judged)
  } catch (error) {
    if (error instanceof Problem && error.code === 'POLICY_VIOLATION') return error
    throw error
  }
}

/** The refusal of a guard is an outcome: it is sealed with the policy as the approver and its rule as the name. */
function refuse(
  batch: Batch,
  deciding: Deciding,
  policies: readonly Applied[],
  problem: Problem,
  isNew: boolean,
): Decided {
  const { event, caller } = deciding
  const { policyId, rule } = problem.details as { policyId: string; rule: string }
  const approver = { id: policyId, type: 'system', name: rule }
  const approval = systemRefusal(batch, event, caller, { approver, reason: problem.message, position: 0 })
  const entry = seal(batch, { ...deciding, approval }, policies, isNew)
  batch.rows(approvalRows).insert({ ...approval, created_at: entry.sealedAt })
  const refused = refusalOf(event.id, approval)
  return { event, isNew, outcome: 'completed', policies: named(policies), entry, refused }
}

/** The same answer whenever the same request is sent again. */
export function refusalOf(eventId: string, { approver, reason }: ApprovalRow): Problem {
  const [id] = typedIds(eventId, 'decisionEvent')
  const rule = approver.name ?? ''
  return new Problem('POLICY_VIOLATION', reason ?? 'A policy refused this decision.', {
    details: { policyId: approver.id, rule, guard: rule.split(':')[0], eventId: id },
  })
}

function seal(batch: Batch, deciding: Deciding, policies: readonly Applied[], isNew: boolean): Entry {
  const { event, approval } = deciding
  const entry = sealInChain(batch, deciding, policies)
  const status = approval?.result === 'rejected' ? 'rejected' : 'sealed'
  const sealed = { ...event, status, updated_at: entry.sealedAt }
  if (isNew) batch.rows(eventRows).insert(sealed)
  else batch.rows(eventRows).update(sealed)
  makeAuditReady(batch, deciding, entry)
  return entry
}

/** The database returns a stored fingerprint in hex with the prefix `\x`. */
export function refuseOther(fingerprint: string | null, draft: EventRow): void {
  if ((fingerprint?.replace('\\x', '') ?? null) === draft.fingerprint) return
  throw new Problem(
    'CONFLICT',
    `The Idempotency-Key "${draft.decision_id}" was used for another decision; use a new key for a new decision.`,
  )
}
