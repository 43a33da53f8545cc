/** An agent's decision: refused by a policy, sealed at once, or recorded until a person approves it. */
import type { decide } from '@countersign/contract/agents.ts'
import type { decisionOutcomes } from '@countersign/contract/enums.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { Caller } from '../../../data/directory.ts'
import { judgeDecision } from '../../../governance/guards.ts'
import { type Applied, named } from '../../../governance/policies.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { fingerprintOf } from '../../../http/idempotency.ts'
import { newUuid, typedIds } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, Entry } from '../../../sealing/batch.ts'
import type { CenterProfile, SealItem } from '../../../sealing/item.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import {
  type approvalAddress,
  collectEvidence,
  type Deciding,
  decisionName,
  eventRows,
  makeAuditReady,
  matchingPolicies,
  needsOfSealing,
  requestApproval,
  sealInChain,
} from '../decision-events/api.ts'

type NewDecision = BodyOf<(typeof decide)['spec']>

export interface Decided {
  readonly event: Pick<EventRow, 'id' | 'decision_id' | 'status'>
  readonly isNew: boolean
  readonly outcome: (typeof decisionOutcomes)[number]
  readonly policies: ReturnType<typeof named>
  /** Null while the decision waits, and for one that was closed before, which is then read from the database. */
  readonly entry: (Pick<Entry, 'hash'> & Partial<Pick<Entry, 'receipt'>>) | null
}

/** The decision as an event, before its key is looked up. */
export function draftEvent(body: NewDecision, center: CenterProfile, key: string | null, at: string): EventRow {
  const id = newUuid(Date.parse(at))
  const [ownDecisionId] = typedIds(id, 'decision')
  return {
    center_id: center.centerId,
    id,
    decision_id: key ?? ownDecisionId,
    type: 'agent_execution',
    status: 'recorded',
    actor: { ...body.agent, type: 'ai_agent' } as EventRow['actor'],
    action: body.action as EventRow['action'],
    ai_context: (body.aiContext ?? null) as EventRow['ai_context'],
    tags: body.tags ?? [],
    occurred_at: at,
    fingerprint: key === null ? null : fingerprintOf({ decide: body }).toString('hex'),
    reason: body.reason ?? null,
    risk_score: body.riskScore ?? null,
    created_at: at,
  }
}

export function decisionItem(
  draft: EventRow,
  center: CenterProfile,
  caller: Caller,
  approvalUrl: ApprovalAddress,
): Pick<SealItem<Decided>, 'holds' | 'judge'> {
  return {
    holds: { chains: ['proof'], rows: [need(eventRows, { decision_id: draft.decision_id }), ...needsOfSealing] },
    judge: (batch) => judge(batch, draft, center, caller, approvalUrl),
  }
}

type ApprovalAddress = ReturnType<typeof approvalAddress>

function judge(
  batch: Batch,
  draft: EventRow,
  center: CenterProfile,
  caller: Caller,
  approvalUrl: ApprovalAddress,
): Decided {
  const known = batch.rows(eventRows).find(decisionName(draft.decision_id))
  if (known) refuseOther(known.fingerprint, draft)
  if (known && known.status !== 'recorded') {
    return { event: known, isNew: false, outcome: 'completed', policies: [], entry: null }
  }
  const event = known ?? draft
  const deciding: Deciding = { center, caller, event, approval: null, prior: [] }
  const evidence = collectEvidence(deciding)
  const policies = matchingPolicies(batch, deciding)
  const outcome = judgeDecision(policies, evidence, event.risk_score)
  const entry = outcome === 'completed' ? seal(batch, deciding, policies, known === undefined) : null
  if (!known && !entry) batch.rows(eventRows).insert(draft)
  // Also for a known decision that needs no approval: it is still open only because sealing it failed.
  if (outcome === 'approval_required') requestApproval(batch, deciding, policies, approvalUrl)
  return { event, isNew: known === undefined, outcome, policies: named(policies), entry }
}

function seal(batch: Batch, deciding: Deciding, policies: readonly Applied[], isNew: boolean): Entry {
  const { event } = deciding
  const entry = sealInChain(batch, deciding, policies)
  const sealed = { ...event, status: 'sealed', updated_at: entry.sealedAt }
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
