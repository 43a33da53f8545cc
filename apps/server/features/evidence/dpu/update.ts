/** Raises the level and replaces the metadata; each change is an entry of the chain `history`. */
import type { updateDpu } from '@countersign/contract/dpu.ts'
import { type EvidenceLevel, evidenceLevels } from '@countersign/contract/enums.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { bareHash } from '@countersign/proof/chain.ts'
import { historyStatic, unitState } from '@countersign/proof/history-entry.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Caller } from '../../../data/directory.ts'
import { judgeRaise } from '../../../governance/guards.ts'
import { matchPolicies, named } from '../../../governance/policies.ts'
import type { DpuRow } from '../../../governance/rows.ts'
import { sixWOfDpu } from '../../../governance/six-w.ts'
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
function judgeChange(batch: Batch, dpu: DpuRow, change: DpuChange, { center, person, createdAt }: Changing) {
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
  const facts = {
    eventType: dpu.origin === null ? null : 'workflow_step',
    actionType: dpu.reference_type,
    actorType: dpu.created_by?.type ?? null,
    values: dpu.tags?.length ? { tags: dpu.tags } : {},
  }
  const policies = matchPolicies(policiesInForce(batch), facts, center)
  const present = { ...dpu, metadata: change.metadata ?? dpu.metadata }
  judgeRaise(policies, sixWOfDpu(present, center, createdAt, to), {
    to,
    by: person.actorId,
    // Only people sign in; this operation accepts neither API keys nor jobs.
    byType: 'human',
    raisedBy: dpu.raised_by ?? null,
  })
  return named(policies)
}

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
