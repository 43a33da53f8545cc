/** A DPU as the platform answers it. Pure. */
import type { getDpu } from '@countersign/contract/dpu.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import { bareHash } from '@countersign/proof/chain.ts'
import { typedId } from '../../../lib/ids.ts'
import type { Linked } from '../../../sealing/batch.ts'
import type { EventRow, UnitRow } from '../../../sealing/rows.ts'

export type Dpu = PayloadOf<(typeof getDpu)['spec'], 200>

const iso = (time: string): string => new Date(time).toISOString()

export function dpuOf(unit: UnitRow, entry: Linked, event: EventRow | null, redacted: readonly string[] = []): Dpu {
  return {
    id: typedId('dpu', unit.id),
    content: unit.content ?? event?.action.description ?? event?.action.type ?? '',
    evidenceLevel: unit.evidence_level as Dpu['evidenceLevel'],
    chainHash: bareHash(entry.hash),
    metadata: unit.metadata,
    status: unit.evidence_level === 'AUDIT_READY' ? 'sealed' : 'pending',
    centerId: unit.center_id,
    domain: unit.domain,
    chainIndex: unit.chain_index,
    previousHash: entry.previousHash && bareHash(entry.previousHash),
    referenceType: unit.reference_type as Dpu['referenceType'],
    referenceId: unit.reference_id,
    tags: [...(unit.tags ?? event?.tags ?? [])],
    vertical: unit.vertical as Dpu['vertical'],
    createdBy: unit.created_by?.id ?? event?.actor.id ?? null,
    createdAt: event ? iso(event.created_at) : entry.sealedAt,
    updatedAt: iso(unit.updated_at),
    sealedAt: unit.sealed_at && iso(unit.sealed_at),
    timestamp: entry.sealedAt,
    ...(redacted.length > 0 && { redacted: [...redacted] }),
  }
}
