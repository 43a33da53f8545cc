/**
 * An approval that a passkey signs: the statement, which is made in a batch from the same rows as the seal, and what the
 * batch of the approval requires of it. The signature itself is verified before that batch opens. Pure.
 */
import type { ApprovalStatement } from '@countersign/proof/passkey.ts'
import type { SignedByPasskey } from '@countersign/proof/proof-entry.ts'
import type { MemberVoucher, Voucher } from '../../../governance/approvals.ts'
import type { ChallengeRow } from '../../../governance/rows.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { requireChallenge, requireKey, requirePolicies, type Signed } from '../../identity/passkeys/api.ts'
import { isPrefix, type Judging } from './open-decision.ts'

export type SignedApproval = Signed<ApprovalStatement>

/** What is sealed of a signed approval, and the row that it uses up. It throws before it writes. */
export function requireSigned(
  batch: Batch,
  { event, policies, prior }: Judging,
  signed: SignedApproval,
): { readonly passkey: SignedByPasskey; readonly row: ChallengeRow } {
  const row = requireChallenge(batch, signed, ({ event_id }) => event_id === event.id)
  if (signed.statement.actionDigest !== event.action_digest) {
    throw new Problem('CONFLICT', 'This is not the action that you signed; read the decision again.')
  }
  requirePolicies(signed.statement, policies)
  if (!isPrefix(signed.statement.prior, prior)) {
    throw new Problem('CONFLICT', 'The approvals before yours have changed since you signed; read the decision again.')
  }
  return { passkey: requireKey(batch, signed), row }
}

/** A member who signs with a passkey. */
export const asSigner = (voucher: MemberVoucher): MemberVoucher => ({ ...voucher, level: 'passkey' })

/** The one who signed, in the place of the member whom the statement names. An absence may have ended since. */
export function signedVouchers(
  vouchers: readonly Voucher[],
  { onBehalfOf }: ApprovalStatement,
): readonly [MemberVoucher, ...MemberVoucher[]] {
  const isNamed = (each: Voucher): each is MemberVoucher =>
    each.level !== 'claim' && (each.onBehalfOf?.actorId ?? null) === onBehalfOf
  const [first, ...others] = vouchers.filter(isNamed).map(asSigner)
  if (first) return [first, ...others]
  throw new Problem('CONFLICT', 'You no longer stand in for the member whom you signed for. Read the decision again.')
}
