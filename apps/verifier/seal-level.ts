/** Which seal the page draws for an approval: never a stronger one than the verdict on the file allows. */
import type { SealLevel } from '@countersign/design/seal.ts'
import type { ApprovalFacts } from '@countersign/proof/decision-facts.ts'
import type { Standing } from '@countersign/proof/verify-proof.ts'

/**
 * What nobody vouches for is a claim, whatever level the file states. `passkeyHolds`: the signature of the passkey, its
 * binding to the person and what was signed were all verified; without it the level `passkey` is a claim too.
 */
export function sealLevelOf(
  { level }: ApprovalFacts,
  standing: Standing,
  passkeyHolds: boolean,
): Exclude<SealLevel, 'empty'> {
  if (level === 'system') return 'system'
  if (standing !== 'holds') return 'claim'
  return level === 'passkey' && !passkeyHolds ? 'claim' : level
}

/** The name to carve: facts show an approver as `Name (id)`. */
export const nameToCarve = (approver: string | null): string => approver?.replace(/(.) \([^()]*\)$/su, '$1') ?? ''
