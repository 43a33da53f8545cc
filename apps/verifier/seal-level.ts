/** Which seal the page draws for an approval: never a stronger one than the verdict on the file allows. */
import type { SealLevel } from '@countersign/design/seal.ts'
import type { ApprovalFacts } from '@countersign/proof/decision-facts.ts'
import { shown } from '@countersign/proof/shown.ts'
import type { Standing } from '@countersign/proof/verify-proof.ts'

export interface Sealed {
  readonly level: ApprovalFacts['level']
  /** `holds`: a passkey that is bound to this person signed exactly this approval. */
  readonly passkey?: { readonly status: string } | null
  readonly void?: string | null
  readonly hidden?: boolean
}

/**
 * What nobody vouches for is a claim, whatever level the file states, and so is a passkey whose signature is not verified. What did
 * not count and what is not shown get no seal.
 */
export function sealLevelOf({ level, passkey, hidden, void: reason }: Sealed, standing: Standing): SealLevel {
  if (hidden || (reason ?? null) !== null) return 'empty'
  if (level === 'system') return 'system'
  if (standing !== 'holds') return 'claim'
  return level === 'passkey' && passkey?.status !== 'holds' ? 'claim' : level
}

/** The name to carve, made safe to show: facts show an approver as `Name (id)`. */
export const nameToCarve = (approver: string | null): string =>
  shown(approver?.replace(/(.) \([^()]*\)$/su, '$1') ?? '')
