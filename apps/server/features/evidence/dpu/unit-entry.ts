/** An entry of the chain `history` about a sealed unit that leaves its state as it is. */
import type { Json } from '@countersign/proof/canonical.ts'
import type { Prepared } from '@countersign/proof/chain.ts'
import { type HistoryType, historyStatic, unitState } from '@countersign/proof/history-entry.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import type { Batch, Entry } from '../../../sealing/batch.ts'
import { brokenRecord, dpuRows, lastHash, sealedName } from './stored.ts'

export function appendToUnit(
  batch: Batch,
  dpuId: string,
  type: HistoryType,
  disclosed: Readonly<Record<string, Json>>,
): { readonly entry: Entry; readonly prepared: Prepared } {
  const dpu = batch.rows(dpuRows).find(dpuId)
  if (!dpu) throw brokenRecord("it's sealed but has no proof unit")
  const id = newUuid()
  const prepared = historyStatic(
    { id: typedId('history', id), type, target: sealedName(dpu), previous: lastHash(dpu), values: disclosed },
    () => unitState({ evidenceLevel: dpu.evidence_level, metadata: dpu.metadata_commitment }),
    newSalt,
  )
  const entry = batch.appendHistory(id, prepared, disclosed)
  batch.rows(dpuRows).replace({ ...dpu, updated_at: entry.sealedAt, last_change: entry.hash })
  return { entry, prepared }
}
