/** Whether a member may change a record, as a batch reads it. Pure. */
import type { updateDpu } from '@countersign/contract/dpu.ts'
import { type EvidenceLevel, evidenceLevels } from '@countersign/contract/enums.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import type { VouchedMember } from '../../../governance/approving.ts'
import { type Applied, factsOfEvent, matchPolicies, type PolicyFacts } from '../../../governance/policies.ts'
import { judgeRaise, type Raising } from '../../../governance/raising.ts'
import { sixWOfDpu, sixWOfEvent } from '../../../governance/requirements.ts'
import type { DpuRow, EventRow } from '../../../governance/rows.ts'
import { policiesInForce } from '../../../governance/rules.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { brokenRecord, lastHash } from './api.ts'
import { storedReview } from './draft-review.ts'

export type DpuChange = Omit<BodyOf<(typeof updateDpu)['spec']>, 'assertion'>

const rank = (level: string): number => evidenceLevels.indexOf(level as EvidenceLevel)

export interface Changing {
  readonly center: CenterProfile
  readonly caller: Caller
  readonly person: MemberPrincipal
  readonly reviewer: VouchedMember
  /** The decision of the record, with the facts that policies match; null where no decision made it. */
  readonly event: EventRow | null
  /** The time of its entry, for the evidence. */
  readonly createdAt: string
}

/**
 * Checks everything that can be refused, before the first write; a signature is checked after it. Returns the policies that
 * applied.
 */
export function judgeChange(
  batch: Batch,
  dpu: DpuRow,
  change: DpuChange,
  changing: Changing,
  identity: Raising['identity'],
): readonly Applied[] {
  const { center, person, reviewer, createdAt, event } = changing
  requireUnsealed(dpu)
  // Every change names the entry before it.
  if (!dpu.chain_hash) throw brokenRecord('its chain entry is missing')
  if (change.previous !== undefined) requireNewest(dpu, change.previous)
  const to = change.evidenceLevel
  if (to === undefined) return []
  if (dpu.domain === 'dpu') requireNotRefused(dpu)
  if (rank(to) <= rank(dpu.evidence_level)) {
    throw new Problem(
      'INVALID_EVIDENCE_LEVEL',
      `The evidence level is ${dpu.evidence_level} and can't be changed to ${to}, because a level can only rise. Send a higher level.`,
    )
  }
  if (to === 'AUDIT_READY' && person.entered.role !== 'ADMIN') {
    throw new Problem(
      'INSUFFICIENT_ROLE',
      'Only an administrator of the center can make a record AUDIT_READY. Ask an administrator.',
      { details: { reason: 'auditReady' } },
    )
  }
  const policies = matchPolicies(policiesInForce(batch, center), event ? factsOfEvent(event) : factsOfDpu(dpu), center)
  const present = { ...dpu, metadata: change.metadata ?? dpu.metadata }
  const { reason } = present.metadata
  const sixW = event
    ? sixWOfEvent(event, center, { evidenceLevel: to, ...(typeof reason === 'string' && { reason }) })
    : sixWOfDpu(present, center, createdAt, to)
  judgeRaise(policies, sixW, {
    to,
    by: reviewer,
    identity,
    raisedBy: dpu.raised_by ?? null,
    riskScore: event?.risk_score ?? null,
    actorId: event?.actor.id ?? null,
    waited: (Date.parse(batch.at) - Date.parse(createdAt)) / 1000,
  })
  return policies
}

export function requireUnsealed(dpu: DpuRow): void {
  if (dpu.evidence_level !== 'AUDIT_READY') return
  throw new Problem(
    'DPU_SEALED',
    "This record is AUDIT_READY and sealed, so it can't be changed. Record a new decision instead.",
  )
}

export function requireNotRefused(dpu: DpuRow): void {
  if (!storedReview(dpu).refused) return
  throw new Problem('CONFLICT', 'This draft was refused. Edit its text to open it for review again.', {
    details: { reason: 'refused' },
  })
}

/** Of many who changed the same state, one finds it as they saw it. */
export function requireNewest(dpu: DpuRow, previous: string): void {
  if (previous === lastHash(dpu)) return
  throw new Problem(
    'CONFLICT',
    'Somebody has changed this record since you opened it. Read it again, then decide whether to repeat your change.',
    { details: { reason: 'changed' } },
  )
}

const factsOfDpu = (dpu: DpuRow): PolicyFacts => ({
  eventType: dpu.origin === null ? null : 'workflow_step',
  actionType: dpu.reference_type,
  actorType: dpu.created_by?.type ?? null,
  values: dpu.tags?.length ? { tags: dpu.tags } : {},
})
