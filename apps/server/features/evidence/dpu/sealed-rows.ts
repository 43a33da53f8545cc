/** DPUs and redactions in a batch. */
import type { DpuRow } from '../../../governance/rows.ts'
import { typedIds } from '../../../lib/ids.ts'
import { type Need, need, type RowKind } from '../../../sealing/sealed-rows.ts'

interface DpuKey {
  readonly id: string
  /** Its names in the chain `history`. */
  readonly targets: readonly string[]
}

export const dpuRows: RowKind<DpuRow, DpuKey> = {
  name: 'dpus',
  order: 40,
  load: 'hold_dpus',
  write: 'write_dpus',
  namesOf: ({ id }) => [id],
  updated: ({ center_id, id, vertical, evidence_level, metadata, sealed_at, updated_at, ...row }, loaded) => ({
    ...{ center_id, id, vertical, evidence_level, metadata, sealed_at, updated_at },
    last_change: row.last_change,
    metadata_commitment: row.metadata_commitment,
    was_level: loaded.evidence_level,
  }),
}

export const needDpu = (id: string): Need => need(dpuRows, { id, targets: typedIds(id, 'dpu', 'evidence') })

/** Records that lose values. It is written last: the history names the values, and the rows have their final state. */
export const redactionRows: RowKind<Pick<DpuRow, 'center_id' | 'id'>, { readonly id: string }> = {
  name: 'redactions',
  order: 90,
  load: 'hold_redacted',
  write: 'write_redactions',
  namesOf: ({ id }) => [id],
}
