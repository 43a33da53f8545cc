/** The entry point of this feature: creates DPUs, and assembles stored ones with their proofs. */
import { dpuStatic } from '@countersign/proof/dpu-entry.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { DpuRow } from '../../../governance/rows.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import type { Batch, Entry } from '../../../sealing/batch.ts'
import { dpuRows, dpuValues, needDpu } from './stored.ts'

export { bindingsOf } from './bindings.ts'
export { anchoredExport, type ExportConfig, type ExportNeeds, exportOf, findWhole } from './exporting.ts'
export { packSalts } from './packed-salts.ts'
export { type HistoryRow, policyTexts } from './queries.ts'
export {
  approvalForProof,
  brokenRecord,
  type DpuInChain,
  eventForProof,
  findDpuInChain,
  findStored,
  givenForProof,
  isoOf,
  lastHash,
  priorForProof,
  type StoredDpu,
  sealedName,
  storedDpu,
  unknownDpu,
  valuesIn,
} from './stored.ts'
export { appendToUnit } from './unit-entry.ts'
export { dpuRows, needDpu }

export interface NewDpu {
  /** Set where the id was chosen before, so that retries create the DPU once. */
  readonly id?: string
  readonly content: string
  readonly referenceType: string
  readonly referenceId: string | null
  readonly tags: readonly string[]
  readonly createdBy: NonNullable<DpuRow['created_by']>
  /** Its origin, where a workflow or a model created it. */
  readonly origin: object | null
  readonly metadata: Record<string, unknown>
}

/** Adds the DPU to the chain as a DRAFT. Each later change is an entry of the chain `history`. */
export function createDpu(batch: Batch, center: CenterProfile, dpu: NewDpu): { row: DpuRow; entry: Entry } {
  const uuid = dpu.id ?? newUuid()
  const drafted = {
    center_id: center.centerId,
    id: uuid,
    domain: 'dpu',
    vertical: center.vertical,
    country: center.country,
    region: center.region,
    content: dpu.content,
    reference_type: dpu.referenceType,
    reference_id: dpu.referenceId,
    tags: dpu.tags,
    created_by: dpu.createdBy,
    origin: dpu.origin,
    evidence_level: 'DRAFT',
    metadata: dpu.metadata,
    policies: null,
    sealed_at: null,
  } as const
  const prepared = dpuStatic(
    {
      id: typedId('dpu', uuid),
      referenceType: dpu.referenceType,
      vertical: center.vertical,
      country: center.country ?? undefined,
      region: center.region ?? undefined,
      values: dpuValues(drafted, new Set()),
    },
    newSalt,
  )
  const entry = batch.append('dpu', uuid, prepared)
  const row = {
    ...drafted,
    chain_index: entry.index,
    salts: prepared.salts,
    packed_salts: null,
    updated_at: entry.sealedAt,
    metadata_commitment: prepared.commitments.metadata ?? null,
    chain_hash: entry.hash,
  }
  batch.rows(dpuRows).insert(row)
  return { row, entry }
}
