/** An agent's decision: refused by a policy, sealed at once, or recorded until a person approves it. */
import type { decide } from '@countersign/contract/agents.ts'
import type { decisionOutcomes } from '@countersign/contract/enums.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { requireNotFrozen } from '../../../governance/freezes.ts'
import { type Applied, named } from '../../../governance/policies.ts'
import { judgeDecision } from '../../../governance/requirements.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'
import { fingerprintOf } from '../../../idempotency/idempotency.ts'
import { typedIds } from '../../../lib/ids.ts'
import { Problem, refusedField } from '../../../lib/problem.ts'
import type { Batch, Entry, SealItem } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import {
  type ApprovalAddress,
  approvalRows,
  collectEvidence,
  commitAhead,
  type Deciding,
  decisionName,
  type EventFacts,
  eventRows,
  hashActionAhead,
  makeAuditReady,
  matchingPolicies,
  needsOfOpen,
  needsOfSealing,
  newEvent,
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

/** Of a gateway or a member who asks for an approval: nothing else is an answer, and for a gateway none after this time. */
export interface Asking {
  readonly deadline: string | null
}

/** The decision is open already: what it waits for has to be read with it. */
export class KnownOpen extends Problem {
  readonly eventId: string
  constructor(eventId: string) {
    super('CONFLICT', 'The same decision was sent twice at the same moment. Send it again.', { passing: true })
    this.eventId = eventId
  }
}

/** The decision as an event, before its key is looked up. */
export async function draftEvent(
  body: NewDecision,
  idempotencyKey: string | null,
  facts: Omit<EventFacts, 'key'>,
  bytes: number,
): Promise<EventRow> {
  const { agent, ...said } = body
  const key = idempotencyKey === null ? null : { name: idempotencyKey, fingerprint: fingerprintOf({ decide: body }) }
  const decision = { ...said, type: 'agent_execution', actor: { ...agent, type: 'ai_agent' } } as const
  const event = newEvent(decision, { ...facts, key }, await hashActionAhead(decision, bytes))
  await commitAhead(event, bytes)
  return event
}

export function decisionItem(
  draft: EventRow,
  center: CenterProfile,
  caller: Caller,
  approvalUrl: ApprovalAddress,
  knownId: string | null = null,
  asking: Asking | null = null,
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
    judge: (batch) => judge(batch, draft, center, caller, approvalUrl, knownId, asking),
  }
}

function judge(
  batch: Batch,
  draft: EventRow,
  center: CenterProfile,
  caller: Caller,
  approvalUrl: ApprovalAddress,
  knownId: string | null,
  asking: Asking | null,
): Decided {
  const known = batch.rows(eventRows).find(decisionName(draft.decision_id))
  if (known) refuseOther(known.fingerprint, draft)
  if (known && known.status !== 'recorded') {
    // The route answers with what the database says of it.
    return { event: known, isNew: false, outcome: 'pending', policies: [], entry: null }
  }
  if (known && known.id !== knownId) throw new KnownOpen(known.id)
  const event = known ?? draft
  const { actor, action, recorded_by } = event
  requireNotFrozen(batch, {
    actorId: actor.id,
    keyIds: [recorded_by, ...(caller.keyLine ?? [])],
    actionType: action.type,
  })
  const old = known ? null : replaceable(batch, draft, center)
  const deciding: Deciding = { center, caller, event, approval: null, prior: [] }
  const evidence = collectEvidence(deciding)
  const policies = known ? policiesOver(batch, deciding).all : matchingPolicies(batch, deciding)
  const outcome = outcomeOf(policies, evidence, event.risk_score)
  if (asking) requireWaiting(asking, outcome, event, { isNew: known === undefined, at: batch.at })
  if (old) refuseOpen(batch, old, { center, caller, reason: 'replaced' })
  if (outcome === 'approval_required' && !known) requireReadable(event)
  if (outcome instanceof Problem) return refuse(batch, deciding, policies, outcome, known === undefined)
  const entry = outcome === 'completed' ? seal(batch, deciding, policies, known === undefined) : null
  if (!known && !entry) batch.rows(eventRows).insert(draft)
  // Also for a known decision that needs no approval: it is still open only because sealing it failed.
  if (outcome === 'approval_required') requestApproval(batch, deciding, policies, approvalUrl, asking?.deadline)
  return { event, isNew: known === undefined, outcome, policies: named(policies), entry }
}

/** Without a policy that asks, nobody would approve it, and its seal would look like an approval. */
function requireWaiting(
  { deadline }: Asking,
  outcome: ReturnType<typeof outcomeOf>,
  { action }: EventRow,
  { isNew, at }: { readonly isNew: boolean; readonly at: string },
): void {
  if (isNew && deadline !== null && deadline <= at)
    throw refusedField('expires_at', "is in the past. Send the time until which you'll accept an answer")
  if (outcome !== 'completed') return
  throw new Problem(
    'CONFLICT',
    `No policy of this center asks for an approval of "${action.type}", so nobody would be asked. Create a policy that matches this action type, then send the request again.`,
    { details: { reason: 'noPolicy' } },
  )
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
  return new Problem('POLICY_VIOLATION', reason ?? 'A policy refused this decision. See "details" for the policy.', {
    details: { reason: 'refused', policyId: approver.id, rule, guard: rule.split(':')[0], eventId: id },
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

export function refuseOther(fingerprint: string | null, draft: EventRow): void {
  if (fingerprint === draft.fingerprint) return
  throw new Problem(
    'CONFLICT',
    `The Idempotency-Key "${draft.decision_id}" was already used for another decision. Use a new key for a new decision.`,
  )
}
