/** Raises the level and replaces the metadata; each change is an entry of the chain `history`. */

import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import type { EvidenceLevel } from '@countersign/contract/enums.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { bareHash } from '@countersign/proof/chain.ts'
import { historyStatic, unitState } from '@countersign/proof/history-entry.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import { named } from '../../../governance/policies.ts'
import type { DpuRow, EventRow } from '../../../governance/rows.ts'
import { needPolicies } from '../../../governance/rules.ts'
import { newSalt, newUuid, typedId, typedIds } from '../../../lib/ids.ts'
import type { Batch, Entry, SealItem } from '../../../sealing/batch.ts'
import { needWebhooks, publishInBatch } from '../../automation/webhooks/api.ts'
import { needsOfSigned } from '../../identity/passkeys/api.ts'
import { lastHash, sealedName, unknownDpu } from './api.ts'
import { withReview } from './draft-review.ts'
import { type Changing, type DpuChange, judgeChange } from './judge-change.ts'
import { type SignedRaise, spendChallenge } from './signed-raise.ts'
import { dpuRows, needDpu } from './stored.ts'

/** `signed`: a passkey signed the new level, of the record as it is, so metadata are not replaced with it. */
export function changeItem(
  dpuId: string,
  change: DpuChange,
  changing: Changing,
  signed?: SignedRaise,
): Pick<SealItem<DpuRow>, 'holds' | 'judge'> {
  return {
    holds: {
      chains: ['history'],
      rows: [needDpu(dpuId), needPolicies, needWebhooks, ...(signed ? needsOfSigned(signed) : [])],
    },
    judge(batch) {
      const dpu = batch.rows(dpuRows).find(dpuId)
      if (!dpu) throw unknownDpu()
      const applied = judgeChange(batch, dpu, change, changing, signed ? 'passkey' : 'session')
      const passkey = signed && spendChallenge(batch, dpu, signed, change.evidenceLevel, applied)
      const policies = named(applied)
      let changed = dpu
      if (change.metadata !== undefined) {
        const metadata = withReview(dpu, change.metadata) as Json
        changed = applyChange(batch, changed, changing, 'metadata', { metadata })
      }
      if (change.evidenceLevel !== undefined) {
        changed = applyChange(batch, changed, changing, 'level', {
          evidenceLevel: change.evidenceLevel,
          ...(policies.length > 0 && { policies }),
          ...(passkey && { passkey }),
        })
      }
      return changed
    },
  }
}

export type Applying = Pick<Changing, 'caller' | 'person' | 'event'>

export function applyChange(
  batch: Batch,
  dpu: DpuRow,
  { caller, person, event }: Applying,
  type: 'level' | 'metadata',
  now: Readonly<Record<string, unknown>>,
  action: AuditAction<'dpu.changed'> = type,
): DpuRow {
  const id = newUuid()
  const target = typedId('dpu', dpu.id)
  const level = type === 'level' ? (now.evidenceLevel as string) : dpu.evidence_level
  const by = { id: person.actorId, name: person.name, role: person.role }
  const disclosed = { ...now, by } as Record<string, Json>
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
  auditInBatch(batch, caller, {
    type: 'dpu.changed',
    action,
    target: { type: 'dpu', id: target },
    details: { ...(type === 'level' && { from: dpu.evidence_level, to: level }), historyIndex: entry.index },
  })
  if (type === 'level')
    announce(batch, dpu, { level: level as EvidenceLevel, entry, event, reviewerId: person.actorId })
  return { ...dpu, ...change }
}

interface Raised {
  readonly level: EvidenceLevel
  readonly entry: Entry
  readonly event: EventRow | null
  readonly reviewerId: string
}

/** A unit is announced once: that of a decision when it is chained, another one when it is AUDIT_READY. */
function announce(batch: Batch, dpu: DpuRow, { level, entry, event, reviewerId }: Raised): void {
  const [dpuId, eventId] = typedIds(dpu.id, 'dpu', 'decisionEvent')
  const news = {
    dpuId,
    chainHash: bareHash(dpu.chain_hash as string),
    domain: dpu.domain,
    actorId: dpu.created_by?.id || event?.actor.id || 'redacted',
    evidenceLevel: level,
    chainIndex: dpu.chain_index,
  }
  if (dpu.domain === 'proof') {
    publishInBatch(batch, dpu.center_id, 'dpu.raised', () => ({
      ...news,
      eventId,
      decisionId: event?.decision_id ?? null,
      previousLevel: dpu.evidence_level as EvidenceLevel,
      reviewerId,
      raisedAt: entry.sealedAt,
      checkpoint: entry.checkpoint(),
    }))
  } else if (level === 'AUDIT_READY') {
    publishInBatch(batch, dpu.center_id, 'dpu.sealed', () => ({
      ...news,
      eventId: null,
      decisionId: null,
      sealedAt: entry.sealedAt,
      checkpoint: entry.checkpoint(),
    }))
  }
}
