/** A DPU as the platform answers it. Pure. */
import type { createDemoDpu } from '@countersign/contract/dpu.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import { bareHash } from '@countersign/proof/chain.ts'
import type { DpuRow, EventRow } from '../../../governance/rows.ts'
import { typedId } from '../../../lib/ids.ts'
import type { Linked } from '../../../sealing/batch.ts'

export type Dpu = PayloadOf<(typeof createDemoDpu)['spec'], 201>

const iso = (time: string): string => new Date(time).toISOString()

export function dpuOf(dpu: DpuRow, entry: Linked, event: EventRow | null, redacted: readonly string[] = []): Dpu {
  return {
    id: typedId('dpu', dpu.id),
    content: dpu.content ?? event?.action.description ?? event?.action.type ?? '',
    evidenceLevel: dpu.evidence_level as Dpu['evidenceLevel'],
    chainHash: bareHash(entry.hash),
    metadata: dpu.metadata,
    status: dpu.evidence_level === 'AUDIT_READY' ? 'sealed' : 'pending',
    centerId: dpu.center_id,
    domain: dpu.domain,
    chainIndex: dpu.chain_index,
    previousHash: entry.previousHash && bareHash(entry.previousHash),
    referenceType: dpu.reference_type as Dpu['referenceType'],
    referenceId: dpu.reference_id,
    tags: [...(dpu.tags ?? event?.tags ?? [])],
    vertical: dpu.vertical as Dpu['vertical'],
    createdBy: dpu.created_by?.id ?? event?.actor.id ?? null,
    createdAt: event ? iso(event.created_at) : entry.sealedAt,
    updatedAt: iso(dpu.updated_at),
    sealedAt: dpu.sealed_at && iso(dpu.sealed_at),
    timestamp: entry.sealedAt,
    ...(redacted.length > 0 && { redacted: [...redacted] }),
  }
}
