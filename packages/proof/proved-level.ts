/** How strong an approval may be shown: never stronger than the verdict on the file allows. Pure. */
import type { ApprovalFacts } from './decision-facts.ts'
import type { Standing } from './standing.ts'

export interface ShownApproval {
  readonly level: ApprovalFacts['level']
  /** `holds`: a passkey that is bound to this person signed exactly this approval. */
  readonly passkey?: { readonly status: string } | null
  readonly void?: string | null
  readonly hidden?: boolean
}

/**
 * What nobody vouches for is a claim, whatever level the file states, and so is a passkey whose signature is not verified. What did
 * not count and what is not shown are `empty`.
 */
export function provedLevel(
  { level, passkey, hidden, void: reason }: ShownApproval,
  standing: Standing,
): ApprovalFacts['level'] | 'empty' {
  if (hidden || (reason ?? null) !== null) return 'empty'
  if (level === 'system') return 'system'
  if (standing !== 'holds') return 'claim'
  return level === 'passkey' && passkey?.status !== 'holds' ? 'claim' : level
}
