/** Raises the level and replaces the metadata; each change is an entry of the chain `history`. */
import type { updateDpu } from '@countersign/contract/dpu.ts'
import { type EvidenceLevel, evidenceLevels } from '@countersign/contract/enums.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { bareHash } from '@countersign/proof/chain.ts'
import { historyStatic } from '@countersign/proof/history-entry.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Caller } from '../../../data/directory.ts'
import { judgeRaise } from '../../../governance/guards.ts'
import { matchPolicies, named } from '../../../governance/policies.ts'
import { sixWOfDpu } from '../../../governance/six-w.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { CenterProfile, SealItem } from '../../../sealing/item.ts'
import type { UnitRow } from '../../../sealing/rows.ts'
import { publishInBatch } from '../../automation/webhooks/api.ts'
import { brokenRecord, unknownUnit } from './api.ts'

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
  unitId: string,
  change: DpuChange,
  changing: Changing,
): Pick<SealItem<UnitRow>, 'holds' | 'judge'> {
  return {
    holds: { unit: unitId, chains: ['history'] },
    judge(batch) {
      const unit = batch.unit(changing.center.centerId, unitId)
      if (!unit) throw unknownUnit()
      const policies = judgeChange(batch, unit, change, changing)
      let changed = unit
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
function judgeChange(batch: Batch, unit: UnitRow, change: DpuChange, { center, person, createdAt }: Changing) {
  if (unit.evidence_level === 'AUDIT_READY') {
    throw new Problem('DPU_SEALED', 'This record is AUDIT_READY and sealed; it cannot change any more.')
  }
  const to = change.evidenceLevel
  if (to === undefined) return []
  if (rank(to) <= rank(unit.evidence_level)) {
    throw new Problem(
      'INVALID_EVIDENCE_LEVEL',
      `The level is ${unit.evidence_level} and can only rise, not become ${to}.`,
    )
  }
  if (to === 'AUDIT_READY' && person.entered.role !== 'ADMIN') {
    throw new Problem('INSUFFICIENT_ROLE', 'Only an ADMIN of the center can make a record AUDIT_READY.')
  }
  // A record without its chain entry can neither be sealed nor have its hash published.
  if (to === 'AUDIT_READY' && !unit.chain_hash) throw brokenRecord('its chain entry is missing')
  const facts = {
    eventType: unit.origin === null ? null : 'workflow_step',
    actionType: unit.reference_type,
    actorType: unit.created_by?.type ?? null,
  }
  const policies = matchPolicies(batch.policies(center.centerId), facts, center)
  const present = { ...unit, metadata: change.metadata ?? unit.metadata }
  judgeRaise(policies, sixWOfDpu(present, center, createdAt, to), {
    to,
    by: person.actorId,
    // Only people sign in; this operation accepts neither API keys nor jobs.
    byType: 'human',
    raisedBy: unit.raised_by ?? null,
  })
  return named(policies)
}

function apply(
  batch: Batch,
  unit: UnitRow,
  { center: { centerId }, caller, person }: Changing,
  type: 'level' | 'metadata',
  now: Record<string, Json>,
): UnitRow {
  const id = newUuid()
  const target = typedId('dpu', unit.id)
  const by = { id: person.actorId, name: person.name, role: person.role }
  const disclosed = { ...now, by }
  const prepared = historyStatic({ id: typedId('history', id), type, target, values: disclosed }, newSalt)
  const entry = batch.append(centerId, 'history', id, prepared)
  batch.addHistory({ center_id: centerId, idx: entry.index, disclosed, salts: prepared.salts })
  const level = type === 'level' ? (now.evidenceLevel as string) : unit.evidence_level
  const change = {
    evidence_level: level,
    metadata: type === 'metadata' ? (now.metadata as Record<string, unknown>) : unit.metadata,
    sealed_at: level === 'AUDIT_READY' ? entry.sealedAt : null,
    updated_at: entry.sealedAt,
    ...(type === 'level' && { raised_by: person.actorId }),
  }
  batch.changeUnit(unit, change)
  batch.audit(caller, {
    type: 'dpu.changed',
    action: type,
    target: { type: 'dpu', id: target },
    details: { ...(type === 'level' && { from: unit.evidence_level, to: level }), historyIndex: entry.index },
  })
  if (level === 'AUDIT_READY') {
    publishInBatch(batch, centerId, 'dpu.sealed', () => ({
      dpuId: target,
      eventId: null,
      decisionId: null,
      chainHash: bareHash(unit.chain_hash as string),
      domain: unit.domain,
      actorId: unit.created_by?.id ?? person.actorId,
      chainIndex: unit.chain_index,
      sealedAt: entry.sealedAt,
      checkpoint: entry.checkpoint(),
    }))
  }
  return { ...unit, ...change }
}
