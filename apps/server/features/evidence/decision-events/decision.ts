/**
 * A decision as a batch holds it: its rows, the five stages of the proof pipeline that seal it, and how it is closed.
 */

import type { EvidenceLevel } from '@countersign/contract/enums.ts'
import { approvalOutcomes } from '@countersign/contract/webhook-events.ts'
import { bareHash } from '@countersign/proof/chain.ts'
import type { ApprovalControl, Control, Rules } from '@countersign/proof/control.ts'
import { proofStatic } from '@countersign/proof/proof-entry.ts'
import { auditSealInBatch } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import type { Counted } from '../../../governance/counting.ts'
import { placesSince } from '../../../governance/line.ts'
import { type Applied, factsOfEvent, isOwn, matchPolicies, named, ownLine } from '../../../governance/policies.ts'
import {
  expiryOf,
  levelBeforeSealing,
  type Requirements,
  requirementsOf,
  type SixW,
  sixWOfEvent,
} from '../../../governance/requirements.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'
import { digestOfPolicy, needPolicies, policiesInForce, rulesOf } from '../../../governance/rules.ts'
import { newSalt, typedIds } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, Entry } from '../../../sealing/batch.ts'
import { type Need, need, type RowKind } from '../../../sealing/sealed-rows.ts'
import { needWebhooks, publishInBatch } from '../../automation/webhooks/api.ts'
import { approvalForProof, dpuRows, eventForProof, packSalts, priorForProof } from '../dpu/api.ts'
import { emergencyOf, emergencyRows, fillings, newEmergency } from './emergency.ts'
import { committedAhead } from './hash-ahead.ts'
import { type StoredEventRow as FoundEvent, findByDecisionId, findEvent } from './queries.ts'
import { type ApprovalAddress, approvalRequest, overOpen, type WaitingRow, waitingUnder } from './waiting.ts'

/** Found by id, or by decisionId with the name `decision <id>`. */
export const eventRows: RowKind<EventRow, { readonly id: string } | { readonly decision_id: string }> = {
  name: 'events',
  order: 20,
  load: 'hold_events',
  write: 'write_events',
  namesOf: ({ id, decision_id }) => [id, decisionName(decision_id)],
  // `was`: the status that the count of the event is under.
  updated: ({ center_id, id, status, updated_at }, { status: was }) => ({ center_id, id, was, status, updated_at }),
  // Same keys in the same order as the recorder, which prevents deadlocks between the two.
  inOrder: (a, b) => a.center_id - b.center_id || (a.decision_id < b.decision_id ? -1 : 1),
}

export const decisionName = (decisionId: string): string => `decision ${decisionId}`

export const approvalRows: RowKind<ApprovalRow, { readonly event_id: string }> = {
  name: 'approvals',
  order: 30,
  load: 'load_approvals',
  write: 'write_approvals',
  namesOf: ({ id }) => [id],
}

/** A row that exists already stays as it is; the seal of its decision deletes it. */
export const waitingRows: RowKind<WaitingRow, { readonly event_id: string }> = {
  name: 'waiting',
  order: 25,
  load: 'load_waiting',
  write: 'write_waiting',
  namesOf: ({ event_id }) => [event_id],
}

/** What every item needs that seals a decision. */
export const needsOfSealing: readonly Need[] = [needPolicies, needWebhooks]

export interface Deciding {
  readonly center: CenterProfile
  readonly caller: Caller
  readonly event: EventRow
  readonly approval: ApprovalRow | null
  /** Earlier approvals, where more than one is required. */
  readonly prior: readonly ApprovalRow[]
  /** How each of them counts now; absent where nobody judged them again. */
  readonly counted?: readonly Counted[]
}

/** 1. Evidence collection: the six Ws with this approval. */
export const collectEvidence = ({ event, approval, center }: Pick<Deciding, 'event' | 'approval' | 'center'>): SixW =>
  sixWWith(event, center, approval?.reason)

/** The same with the reason of an approval that is not yet judged. */
export const sixWWith = (event: EventRow, center: CenterProfile, reason: string | null | undefined): SixW =>
  sixWOfEvent(event, center, { reason, evidenceLevel: 'DRAFT' })

/** 2. Policy matching: all policies in force that reach this center and match this decision. */
export function matchingPolicies(
  batch: Batch,
  { event, center }: Pick<Deciding, 'event' | 'center'>,
): readonly Applied[] {
  const standing = policiesInForce(batch, center)
  return standing.length === 0 ? [] : matchPolicies(standing, factsOfEvent(event), center)
}

/**
 * The policies over an open decision. For a decision of the service itself the lines that it began to wait for are all: no other
 * policy could ask for less or for more.
 */
export function policiesOver(
  batch: Batch,
  { event, center }: Pick<Deciding, 'event' | 'center'>,
): { readonly all: readonly Applied[]; readonly present: readonly Applied[] } {
  const row = batch.rows(waitingRows).find(event.id)
  if (row?.lines?.some(({ policy, digest }) => !policy || digest !== digestOfPolicy(policy))) {
    throw new Problem(
      'CHAIN_BROKEN',
      'A policy that asked for this approval has been altered, so nothing was sealed. Contact the operator.',
    )
  }
  if (isOwn(event.action.type)) {
    rulesOf(batch, center)
    const lines = overOpen([], row)
    const all = lines.length > 0 ? lines : [ownLine]
    return { all, present: all }
  }
  const present = matchingPolicies(batch, { event, center })
  return { all: overOpen(present, row), present }
}

/** 3. Guard validation is in governance/guards.ts: it throws, requires an approval, or permits the seal. */

/**
 * Without a person who approved or refused it, a decision never becomes AUDIT_READY: its level says how complete its
 * evidence is.
 */
function levelOf(deciding: Deciding): EvidenceLevel {
  const { approval } = deciding
  const answered = approval !== null && approval.identity_level !== 'system'
  return answered ? 'AUDIT_READY' : levelBeforeSealing(collectEvidence(deciding))
}

/** 4. Hash-chain sealing. */
export function sealInChain(
  batch: Batch,
  deciding: Deciding,
  policies: readonly Applied[],
  until: string | null = null,
): Entry {
  const { center, event, approval, prior } = deciding
  const [evidenceId] = typedIds(event.id, 'evidence')
  const evidenceLevel = levelOf(deciding)
  const applied = named(policies)
  const emergency = emergencyIn(batch, deciding, policies)
  const control = controlOf(rulesOf(batch, center), deciding, policies, until, emergency)
  const priorControls = prior.map((given, at) => priorControl(given, deciding.counted?.[at] ?? null))
  const prepared = proofStatic(
    {
      id: evidenceId,
      decisionId: event.decision_id,
      evidenceLevel,
      event: eventForProof(event),
      approval: approval ? approvalForProof(approval) : undefined,
      prior: priorForProof(prior, priorControls),
      control,
      statement: approval?.passkey_statement ?? undefined,
      policies: applied,
      vertical: center.vertical,
      country: center.country ?? undefined,
      region: center.region ?? undefined,
      actionDigest: event.action_digest,
      actionSalt: event.action_salt ?? undefined,
    },
    newSalt,
    committedAhead(event),
  )
  const entry = batch.append('proof', event.id, prepared)
  if (emergency) batch.rows(emergencyRows).insert(newEmergency(event, filledIn(deciding), emergency))
  batch.rows(dpuRows).insert({
    center_id: center.centerId,
    id: event.id,
    domain: 'proof',
    chain_index: entry.index,
    vertical: center.vertical,
    country: center.country,
    region: center.region,
    content: null,
    reference_type: null,
    reference_id: null,
    tags: null,
    created_by: null,
    origin: null,
    evidence_level: evidenceLevel,
    metadata: {},
    policies: applied.length > 0 ? applied : null,
    ...packSalts(prepared.salts),
    sealed_at: evidenceLevel === 'AUDIT_READY' ? entry.sealedAt : null,
    updated_at: entry.sealedAt,
    metadata_commitment: null,
    control,
    prior_controls: priorControls.length > 0 ? priorControls : null,
    event_status: approval?.result === 'rejected' ? 'rejected' : 'sealed',
  })
  return entry
}

const filledIn = ({ prior, counted, approval }: Deciding) => fillings(prior, counted, approval)

/** What was refused needs nobody to confirm it. */
const emergencyIn = (batch: Batch, deciding: Deciding, policies: readonly Applied[]): Control['emergency'] =>
  deciding.approval?.result === 'approved' ? emergencyOf(filledIn(deciding), policies, batch.time('proof')) : undefined

/** A change of rules takes effect in the commit that seals it, so nobody uses it later. */
function usableUntil(batch: Batch, { event, approval }: Deciding, policies: readonly Applied[]): string | null {
  if (approval?.result !== 'approved' || isOwn(event.action.type)) return null
  const asked = requirementsOf(policies, event.risk_score)
  return asked && new Date(Date.parse(batch.time('proof')) + asked.usableForSeconds * 1000).toISOString()
}

/** What the seal says beside the decision. A verifier has to know the form of what was shown, and of lines, to judge it. */
function controlOf(
  rules: Rules,
  { approval, event }: Deciding,
  policies: readonly Applied[],
  until: string | null,
  emergency: Control['emergency'],
): Control {
  const { via, shown, fallback, admitted } = approval?.control ?? {}
  const lines = approval?.result === 'approved' ? (requirementsOf(policies, event.risk_score)?.lines ?? []) : []
  const needs = [
    ...(shown ? ['shown'] : []),
    ...(lines.some(({ isShort }) => !isShort) ? ['lines'] : []),
    ...(emergency ? ['emergency'] : []),
  ]
  return {
    rules,
    ...(until && { usableUntil: until }),
    ...(via && { via }),
    ...(admitted && { admitted }),
    ...(fallback && { fallback }),
    ...(shown && { shown }),
    ...(emergency && { emergency }),
    ...(needs.length > 0 && { needs }),
  }
}

/** With the places that the approval fills when the decision is sealed, which may be others than when it was given. */
function priorControl({ control }: ApprovalRow, counted: Counted | null): ApprovalControl {
  const { seen: _, roles: __, roleSince, admitted, ...given } = control ?? {}
  if (!counted) return { ...given, ...(admitted && { admitted }) }
  const since = roleSince ? Math.min(...Object.values(roleSince)) : admitted?.[0]?.since
  const places = since === undefined ? counted.places : placesSince(counted.places, since)
  return { ...given, ...(places.length > 0 && { admitted: places }), ...(counted.void && { void: counted.void }) }
}

/** 5. Audit-ready output: the audit entry and the webhook messages. */
export function makeAuditReady(batch: Batch, deciding: Deciding, entry: Entry): void {
  const { index, hash, sealedAt } = entry
  const { event, approval, caller } = deciding
  const action = (approval?.result ?? 'completed') as 'approved' | 'rejected' | 'completed'
  const [eventId, dpuId] = typedIds(event.id, 'decisionEvent', 'dpu')
  auditSealInBatch(batch, caller, {
    centerId: event.center_id,
    eventId: event.id,
    decisionId: event.decision_id,
    action,
    index,
    hash,
    sealedAt,
  })
  // Made only where a webhook listens.
  const news = () => ({
    dpuId,
    eventId,
    decisionId: event.decision_id,
    chainHash: bareHash(hash),
    actorId: event.actor.id,
    evidenceLevel: levelOf(deciding),
    sealedAt,
  })
  publishInBatch(batch, event.center_id, 'dpu.sealed', () => ({
    ...news(),
    domain: 'proof' as const,
    chainIndex: index,
    checkpoint: entry.checkpoint(),
  }))
  if (event.actor.type !== 'ai_agent') return
  publishInBatch(batch, event.center_id, 'agent.decision.completed', () => ({
    ...news(),
    agentId: event.actor.id,
    actionType: event.action.type,
    outcome: approval ? (approval.result as 'approved' | 'rejected') : 'autonomous',
  }))
}

/** Notes that a decision waits for a person and publishes it, both once, also when the same key is sent again. */
export function requestApproval(
  batch: Batch,
  { event }: Deciding,
  policies: readonly Applied[],
  approvalUrl: ApprovalAddress,
  deadline: string | null = null,
): void {
  const row = waitingUnder(policies, event, event.created_at, null, deadline)
  if (!row) throw new Error('a decision waits, and no policy asks for an approval')
  batch.rows(waitingRows).insert(row)
  const message = approvalRequest(event, row, batch.at, approvalUrl)
  publishInBatch(batch, event.center_id, 'agent.approval.requested', message, {
    uuid: event.id,
    createdAt: event.created_at,
  })
}

/** Any event with this decisionId: an agent's decision, or an event that was recorded with it as its idempotencyKey. */
export const decisionNamed = (tx: TenantTx, decisionId: string): Promise<FoundEvent | undefined> =>
  findByDecisionId(tx, decisionId)

/** A decision with this id, sealed or not, and its state before the seal. */
export async function decisionOf(tx: TenantTx, id: string, center: CenterProfile) {
  const event = await findEvent(tx, id)
  if (!event) return null
  const evidence = collectEvidence({ event, center, approval: null })
  return { event, evidenceLevel: levelBeforeSealing(evidence) }
}

/** The rows of an open decision that an item closes. */
export const needsOfOpen = (eventId: string): readonly Need[] => [
  need(eventRows, { id: eventId }),
  need(waitingRows, { event_id: eventId }),
  need(approvalRows, { event_id: eventId }),
]

export const isOpen = ({ status }: EventRow): boolean => status === 'recorded' || status === 'approved'

export const approvalsOf = (batch: Batch, eventId: string): readonly ApprovalRow[] =>
  batch
    .rows(approvalRows)
    .all()
    .filter(({ event_id }) => event_id === eventId)

/** The approval that seals has the time of the seal, the only time that can be proved. */
export function close(
  batch: Batch,
  deciding: Deciding & { readonly approval: ApprovalRow },
  policies: readonly Applied[],
  /** What is told of a withdrawal. */
  said: string | null = null,
): { readonly entry: Entry; readonly approval: ApprovalRow } {
  const { event, approval } = deciding
  const until = usableUntil(batch, deciding, policies)
  const entry = sealInChain(batch, deciding, policies, until)
  const sealing = { ...approval, created_at: entry.sealedAt }
  const status = approval.result === 'approved' ? 'sealed' : 'rejected'
  batch.rows(eventRows).update({ ...event, status, updated_at: entry.sealedAt })
  batch.rows(approvalRows).insert(sealing)
  makeAuditReady(batch, deciding, entry)
  if (batch.rows(waitingRows).find(event.id)) {
    publishInBatch(batch, event.center_id, 'agent.approval.decided', () => ({
      decisionId: event.decision_id,
      eventId: typedIds(event.id, 'decisionEvent')[0],
      agentId: event.actor.id,
      actionType: event.action.type,
      outcome: outcomeOf(approval),
      reason: approval.identity_level === 'system' ? said : approval.reason,
      usableUntil: until,
      decidedAt: entry.sealedAt,
    }))
  }
  return { entry, approval: sealing }
}

/** The service itself says why it refuses: the reason is the outcome. */
function outcomeOf({ result, reason, identity_level }: ApprovalRow): (typeof approvalOutcomes)[number] {
  if (result === 'approved') return 'approved'
  return (identity_level === 'system' && approvalOutcomes.find((each) => each === reason)) || 'refused'
}

/** Whether a decision that waits is refused by now. Without a row it does not wait, and does not expire. */
export function hasExpired(
  asked: Requirements | null,
  row: Pick<WaitingRow, 'since' | 'deadline'> | undefined,
  at: string,
): boolean {
  if (!row) return false
  const ends = [asked && expiryOf(asked, Date.parse(row.since)), row.deadline && Date.parse(row.deadline)]
  return ends.some((end) => typeof end === 'number' && end <= Date.parse(at))
}
