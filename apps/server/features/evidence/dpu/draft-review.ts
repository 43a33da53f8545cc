/**
 * What people have done with a draft: `review` of its metadata. Each change of it is an entry of the chain `history`, so that a
 * review, with or without a passkey, covers the text that the reviewer saw. Pure.
 */
import type { getDpu } from '@countersign/contract/dpu.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import { digestOfText } from '@countersign/proof/policy-text.ts'
import type { DpuRow } from '../../../governance/rows.ts'
import { lastHash } from './stored.ts'

type Shown = NonNullable<PayloadOf<(typeof getDpu)['spec'], 200>['draft']>
export type DraftPerson = NonNullable<Shown['sentTo']>

/** As it is stored, under `review`. */
export interface StoredReview {
  readonly text?: { readonly value: string; readonly of: string; readonly by: DraftPerson; readonly at: string }
  readonly sent?: { readonly to: DraftPerson; readonly by: DraftPerson; readonly at: string }
  readonly refused?: NonNullable<Shown['refused']> & { readonly tell?: string }
}

const isReview = (value: unknown): value is StoredReview =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const storedReview = ({ metadata }: Pick<DpuRow, 'metadata'>): StoredReview =>
  isReview(metadata.review) ? metadata.review : {}

/** Metadata that a caller sends never change what people did with the draft. */
export function withReview(dpu: DpuRow, metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { review: _, ...others } = metadata
  if (dpu.domain !== 'dpu') return { ...metadata }
  return { ...others, ...(dpu.metadata.review !== undefined && { review: dpu.metadata.review }) }
}

export function reviewOf(dpu: DpuRow): Shown {
  const { text, sent, refused } = storedReview(dpu)
  return {
    previous: lastHash(dpu),
    contentDigest: digestOfText(dpu.content ?? ''),
    text: text?.value ?? null,
    editedBy: text?.by ?? null,
    editedAt: text?.at ?? null,
    sentTo: sent?.to ?? null,
    sentBy: sent?.by ?? null,
    sentAt: sent?.at ?? null,
    refused: refused ? { reason: refused.reason, by: refused.by, at: refused.at } : null,
  }
}
