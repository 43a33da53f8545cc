/** Raises the level and replaces the metadata; each change is an entry of the chain `history`. */
import type { updateDpu } from '@countersign/contract/dpu.ts'
import { type EvidenceLevel, evidenceLevels } from '@countersign/contract/enums.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { bareHash } from '@countersign/proof/chain.ts'
import { historyStatic, unitState } from '@countersign/proof/history-entry.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Caller } from '../../../data/directory.ts'
import type { VouchedMember } from '../../../governance/approvals.ts'
import { factsOfEvent, matchPolicies, named, type PolicyFacts } from '../../../governance/policies.ts'
import { judgeRaise } from '../../../governance/raising.ts'
import type { DpuRow, EventRow } from '../../../governance/rows.ts'
import { sixWOfDpu, sixWOfEvent } from '../../../governance/six-w.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { CenterProfile, SealItem } from '../../../sealing/item.ts'
import { needWebhooks, publishInBatch } from '../../automation/webhooks/api.ts'
import { needPolicies, policiesInForce } from '../policies/api.ts'
import { brokenRecord, lastHash, sealedName, unknownDpu } from './api.ts'
import { dpuRows, needDpu } from './sealed-rows.ts'

type DpuChange = BodyOf<(typeof updateDpu)['spec']>

const rank = (level: string): number => evidenceLevels.indexOf(level as EvidenceLevel)

interface Changing {
  readonly center: CenterProfile
  readonly caller: Caller
  readonly person: MemberPrincipal
  readonly reviewer: VouchedMember
  /** The decision of the record, with the facts that policies match; null where no decision made it. */
  readonly event: EventRow | null
  /** The time of its entry, for the evidence. */
  readonly createdAt: string
}

export function changeItem(
  dpuId: string,
  change: DpuChange,
  changing: Changing,
): Pick<SealItem<DpuRow>, 'holds' | 'judge'> {
  return {
    holds: { chains: ['history'], rows: [needDpu(dpuId), needPolicies, needWebhooks] },
    judge(batch) {
      const dpu = batch.rows(dpuRows).find(dpuId)
      if (!dpu) throw unknownDpu()
      const policies = judgeChange(batch, dpu, change, changing)
      let changed = dpu
      if (change.metadata !== undefined) {
        changed = apply(batch, changed, changing, 'metadata', { metadata: change.metadata as Json })
      }
      if (change.evidenceLevel !== undefined) {
        changed = apply(batch, changed, changing, 'level', {
          evidenceLevel: change.evidenceLevel,
          ...(policies.length > 0 && { policies }),
        })
      }
      return changed
    },
  }
}

/** Checks everything that can be refused, before the first write. Returns the policies that applied. */
function judgeChange(batch: Batch, dpu: DpuRow, change: DpuChange, changing: Changing) {
  const { center, person, reviewer, createdAt, event } = changing
  if (dpu.evidence_level === 'AUDIT_READY') {
    throw new Problem('DPU_SEALED', 'This record is AUDIT_READY and sealed; it cannot change any more.')
  }
  // Every change names the entry before it.
  if (!dpu.chain_hash) throw brokenRecord('its chain entry is missing')
  const to = change.evidenceLevel
  if (to === undefined) return []
  if (rank(to) <= rank(dpu.evidence_level)) {
    throw new Problem(
      'INVALID_EVIDENCE_LEVEL',
      `The level is ${dpu.evidence_level} and can only rise, not become ${to}.`,
    )
  }
  if (to === 'AUDIT_READY' && person.entered.role !== 'ADMIN') {
    throw new Problem('INSUFFICIENT_ROLE', 'Only an ADMIN of the center can make a record AUDIT_READY.')
  }
  const policies = matchPolicies(policiesInForce(batch), event ? factsOfEvent(event) : factsOfDpu(dpu), center)
  const present = { ...dpu, metadata: change.metadata ?? dpu.metadata }
  const { reason } = present.metadata
  const sixW = event
    ? sixWOfEvent(event, center, { evidenceLevel: to, ...(typeof reason === 'string' && { reason }) })
    : sixWOfDpu(present, center, createdAt, to)
  judgeRaise(policies, sixW, {
    to,
    by: reviewer,
    raisedBy: dpu.raised_by ?? null,
    riskScore: event?.risk_score ?? null,
    actorId: event?.actor.id ?? null,
    waited: (Date.parse(batch.at) - Date.parse(createdAt)) / 1000,
  })
  return named(policies)
}

const factsOfDpu = (dpu: DpuRow): PolicyFacts => ({
  eventType: dpu.origin === null ? null : 'workflow_step',
  actionType: dpu.reference_type,
  actorType: dpu.created_by?.type ?? null,
  values: dpu.tags?.length ? { tags: dpu.tags } : {},
})

function apply(
  batch: Batch,
  dpu: DpuRow,
  { center: { centerId }, caller, person }: Changing,
  type: 'level' | 'metadata',
  now: Record<string, Json>,
): DpuRow {
  const id = newUuid()
  const target = typedId('dpu', dpu.id)
  const level = type === 'level' ? (now.evidenceLevel as string) : dpu.evidence_level
  const by = { id: person.actorId, name: person.name, role: person.role }
  const disclosed = { ...now, by }
  let commitment = dpu.metadata_commitment
  const prepared = historyStatic(
    { id: typedId('history', id), type, target: sealedName(dpu), previous: lastHash(dpu), values: disclosed },
    (commitments) => {
      commitment = commitments.metadata ?? commitment
      return unitState({ evidenceLevel: level, metadata: commitment })
    },
    newSalt,
  )
  const entry = batch.appendHistory(id, prepared, disclosed)
  const change = {
    evidence_level: level,
    metadata: type === 'metadata' ? (now.metadata as Record<string, unknown>) : dpu.metadata,
    sealed_at: level === 'AUDIT_READY' ? entry.sealedAt : null,
    updated_at: entry.sealedAt,
    last_change: entry.hash,
    metadata_commitment: commitment,
    ...(type === 'level' && { raised_by: person.actorId }),
  }
  batch.rows(dpuRows).update({ ...dpu, ...change })
  batch.audit(caller, {
    type: 'dpu.changed',
    action: type,
    target: { type: 'dpu', id: target },
    details: { ...(type === 'level' && { from: dpu.evidence_level, to: level }), historyIndex: entry.index },
  })
  if (level === 'AUDIT_READY') {
    publishInBatch(batch, centerId, 'dpu.sealed', () => ({
      dpuId: target,
      eventId: null,
      decisionId: null,
      chainHash: bareHash(dpu.chain_hash as string),
      domain: dpu.domain,
      actorId: dpu.created_by?.id ?? person.actorId,
      chainIndex: dpu.chain_index,
      sealedAt: entry.sealedAt,
      checkpoint: entry.checkpoint(),
    }))
  }
  return { ...dpu, ...change }
}
