/** What was sealed of a decision, from a record that was verified. */
import type { TenantTx } from '../../../data/cells.ts'
import { type ExportConfig, findWhole, policyTexts } from '../dpu/api.ts'
import { type SealedAction, type SealedText, sealedAction } from './right.ts'

/** Undefined for a decision without an entry. Throws if the record doesn't hold. */
export async function readSealed(
  tx: TenantTx,
  eventId: string,
  config: ExportConfig,
): Promise<SealedAction | undefined> {
  const stored = await findWhole(tx, eventId, config)
  if (!stored) return undefined
  const text = JSON.parse(stored.proof.content) as SealedText
  return sealedAction(text, stored.record, await policyTexts(tx, text.policies ?? []))
}
