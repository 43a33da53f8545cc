/** A member edits, sends or refuses a draft. All three and a review lock the record: of many at once, one wins. */
import { digestOfText } from '@countersign/proof/policy-text.ts'
import type { DpuRow } from '../../../governance/rows.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SealItem } from '../../../sealing/batch.ts'
import { type DraftPerson, reviewOf, type StoredReview, storedReview } from './draft-review.ts'
import { requireNewest, requireNotRefused, requireUnsealed } from './judge-change.ts'
import { dpuRows, needDpu, unknownDpu } from './stored.ts'
import { type Applying, applyChange } from './update.ts'

export type DraftChange =
  | { readonly action: 'draft_edited'; readonly text: string }
  | { readonly action: 'draft_sent'; readonly to: DraftPerson }
  | { readonly action: 'draft_refused'; readonly reason: string }

export const draftItem = (
  dpuId: string,
  change: DraftChange & { readonly previous: string },
  applying: Applying,
): Pick<SealItem<ReturnType<typeof reviewOf>>, 'holds' | 'judge' | 'bytes'> => ({
  holds: { chains: ['history'], rows: [needDpu(dpuId)] },
  bytes: 'text' in change ? change.text.length : 0,
  judge(batch) {
    const dpu = batch.rows(dpuRows).find(dpuId)
    if (!dpu) throw unknownDpu()
    requireOpen(dpu)
    requireNewest(dpu, change.previous)
    const { actorId: id, name } = applying.person
    const review = changed(dpu, change, { id, name }, batch.at)
    const metadata = { ...dpu.metadata, review }
    return reviewOf(applyChange(batch, dpu, applying, 'metadata', { metadata }, change.action))
  },
})

/** A reviewed text is no longer edited: the review covers it. */
function requireOpen(dpu: DpuRow): void {
  requireUnsealed(dpu)
  if (dpu.domain !== 'dpu' || dpu.content === null || dpu.content === '') {
    throw new Problem('CONFLICT', 'This record has no text that people could edit or refuse. Choose a draft.', {
      details: { reason: 'noText' },
    })
  }
  if (dpu.evidence_level !== 'DRAFT') {
    throw new Problem(
      'CONFLICT',
      'This draft has been reviewed, and the review covers its text. Run the workflow again for a new draft.',
      { details: { reason: 'reviewed' } },
    )
  }
}

function changed(dpu: DpuRow, change: DraftChange, by: DraftPerson, at: string): StoredReview {
  const review = storedReview(dpu)
  const { refused: _, text: __, ...others } = review
  if (change.action === 'draft_edited') {
    const { text } = change
    const isOwn = text === dpu.content
    return isOwn ? others : { ...others, text: { value: text, of: digestOfText(dpu.content ?? ''), by, at } }
  }
  requireNotRefused(dpu)
  if (change.action === 'draft_sent') return { ...review, sent: { to: change.to, by, at } }
  const wroteOrSent = review.sent?.by.id ?? review.text?.by.id
  const tell = wroteOrSent !== undefined && wroteOrSent !== by.id && { tell: wroteOrSent }
  return { ...review, refused: { reason: change.reason, by, at, ...tell } }
}
