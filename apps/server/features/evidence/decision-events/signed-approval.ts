/**
 * An approval that a passkey signs: the statement, which is made in a batch from the same rows as the seal, and what the
 * batch of the approval requires of it. The signature itself is verified before that batch opens. Pure.
 */
import type { ApprovalStatement, PasskeyAssertion } from '@countersign/proof/passkey.ts'
import type { SignedByPasskey } from '@countersign/proof/proof-entry.ts'
import type { MemberVoucher, Voucher } from '../../../governance/approvals.ts'
import { type Applied, named } from '../../../governance/policies.ts'
import type { ChallengeRow, EventRow } from '../../../governance/rows.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { challengeGone, passkeyRows } from '../../identity/passkeys/api.ts'
import { challengeRows } from './sealed-rows.ts'

/** An assertion whose signature was verified against this statement. */
export interface SignedApproval {
  readonly challenge: string
  readonly statement: ApprovalStatement
  readonly passkeyId: string
  readonly assertion: PasskeyAssertion
}

export const needsOfSigned = ({ challenge, passkeyId }: SignedApproval): readonly Need[] => [
  need(challengeRows, { challenge }),
  need(passkeyRows, { id: passkeyId }),
]

/** How long a binding takes to reach a center at most, in the usual case. */
const bindingSeconds = 2

/** What is sealed of a signed approval, and the rows that it uses up. It throws before it writes. */
export function requireSigned(
  batch: Batch,
  event: EventRow,
  { challenge, statement, passkeyId, assertion }: SignedApproval,
  policies: readonly Applied[],
): { readonly passkey: SignedByPasskey; readonly row: ChallengeRow } {
  const row = batch.rows(challengeRows).find(challenge)
  const own = row?.event_id === event.id && row.actor_id === statement.approverId
  if (!row || !own || Date.parse(row.expires_at) <= Date.parse(batch.at)) throw challengeGone()
  if (statement.actionDigest !== event.action_digest) {
    throw new Problem('CONFLICT', 'This is not the action that you signed; read the decision again.')
  }
  if (!isSameList(statement.policies, named(policies))) {
    throw new Problem('CONFLICT', 'The policies over this decision have changed since you signed; read it again.')
  }
  const key = batch.rows(passkeyRows).find(passkeyId)
  if (!key) {
    throw new Problem('CONFLICT', 'This passkey is not yet known in this center. Try again in a moment.', {
      retryAfter: bindingSeconds,
      passing: true,
    })
  }
  if (key.removed || key.actor_id !== statement.approverId) {
    throw new Problem('CONFLICT', 'This passkey was removed. Approve with another one.')
  }
  if (!key.counts) {
    throw new Problem(
      'CONFLICT',
      'Only a mail confirms this passkey. Ask an ADMIN of this center to confirm it, then approve.',
    )
  }
  const { authenticatorData, clientDataJSON, signature } = assertion
  const passkey = {
    binding: key.last_entry,
    historySize: batch.size('history'),
    authenticatorData,
    clientDataJSON,
    signature,
  }
  return { passkey, row }
}

type NamedPolicies = ApprovalStatement['policies']

function isSameList(signed: NamedPolicies, present: NamedPolicies): boolean {
  const nameOf = ({ id, version, digest }: NamedPolicies[number]) => `${id} ${version} ${digest}`
  const names = new Set(present.map(nameOf))
  return signed.length === present.length && signed.every((policy) => names.has(nameOf(policy)))
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
