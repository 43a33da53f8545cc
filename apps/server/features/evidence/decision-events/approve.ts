/** Approvals and refusals: either one seals, unless a policy asks for two approvers and this is the first. */

import type { addApproval } from '@countersign/contract/evidence.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import { type ApprovalControl, mostPrior } from '@countersign/proof/control.ts'
import type { ApprovalStatement } from '@countersign/proof/passkey.ts'
import type { SignedByPasskey } from '@countersign/proof/proof-entry.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { refuseReservedId } from '../../../governance/approvals.ts'
import { type MemberVoucher, type Voucher, vouchedBy } from '../../../governance/approving.ts'
import { isOwn } from '../../../governance/policies.ts'
import { levelBeforeSealing, type SixW } from '../../../governance/requirements.ts'
import type { ApprovalRow, ChallengeRow, EventRow, GivenControl } from '../../../governance/rows.ts'
import { newActionSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, Entry, SealItem } from '../../../sealing/batch.ts'
import type { Need } from '../../../sealing/sealed-rows.ts'
import {
  challengeRows,
  needsOfKeys,
  needsOfSigned,
  requireChallenge,
  requireKey,
  requirePolicies,
  type Signed,
} from '../../identity/passkeys/api.ts'
import { approvalRows, close, eventRows, needsOfOpen, needsOfSealing } from './decision.ts'
import { needEmergenciesOf, requireSettled } from './emergency.ts'
import {
  acceptedVoucher,
  admittedBy,
  aloneWith,
  byCountingRoles,
  type Fallback,
  isPrefix,
  type Judging,
  judgingOf,
  type KnownStanding,
  needsOfVouchers,
  requireMoving,
  requireSame,
  requireSeen,
  requireShowable,
  type Seen,
  standingIn,
} from './judging.ts'
import { refuseOpen } from './refuse.ts'
import { askingPolicies } from './waiting.ts'

/** An approval that a passkey signs. Its statement was made in a batch from the same rows; the signature is verified before. */
export type SignedApproval = Signed<ApprovalStatement>

/** What is sealed of a signed approval, and the row that it uses up. It throws before it writes. */
export function requireSigned(
  batch: Batch,
  { event, policies, prior }: Judging,
  signed: SignedApproval,
  emergency: boolean,
): { readonly passkey: SignedByPasskey; readonly row: ChallengeRow } {
  const row = requireChallenge(batch, signed, ({ event_id }) => event_id === event.id)
  if (signed.statement.type !== 'countersign-approval-v2' || (signed.statement.emergency ?? false) !== emergency) {
    throw new Problem('CONFLICT', 'Your passkey signed another kind of approval. Get a new challenge and sign it.', {
      details: { reason: 'otherSigned' },
    })
  }
  if (signed.statement.actionDigest !== event.action_digest) {
    throw new Problem('CONFLICT', "This isn't the action you signed. Review the decision and sign again.", {
      details: { reason: 'otherAction' },
    })
  }
  requirePolicies(signed.statement, policies)
  if (!isPrefix(signed.statement.prior, prior)) {
    throw new Problem(
      'CONFLICT',
      'The approvals before yours have changed since you signed. Review the decision and sign again.',
      { details: { reason: 'otherApprovals' } },
    )
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
  throw new Problem(
    'CONFLICT',
    "You're no longer the deputy of the member you signed for. Review the decision before you approve it in your own name.",
    { details: { reason: 'notDeputy' } },
  )
}

type NewApproval = BodyOf<(typeof addApproval)['spec']>

export interface GivenApproval extends NewApproval {
  readonly voucher: Voucher
  /** The same member in the place of others, tried where they may not approve in their own right. */
  readonly otherwise?: readonly Voucher[]
  readonly channel: NonNullable<ApprovalRow['channel']>
  /** When the member opened the decision, and when they decided; a program states neither. */
  readonly openedAt?: string | undefined
  readonly decidedAt?: string
  readonly seen?: Seen
  readonly signed?: SignedApproval
  /** Of a member only: what is known of those who approved before, and their keys. */
  readonly standing?: KnownStanding
  readonly earlierKeys?: readonly string[]
  readonly control?: ApprovalControl
  readonly effect?: Effect | null
  readonly fallback?: Fallback
  readonly emergency?: boolean
  /** By a test person, who is shown nothing: accepted in sandboxes only. */
  readonly isTest?: boolean
}

/** What a decision of the service itself changes in the commit that seals it. */
export interface Effect {
  readonly needs: readonly Need[]
  /** Whether what it would change is still as it was when the change was asked for. */
  isCurrent(batch: Batch, event: EventRow): boolean
  take(batch: Batch, event: EventRow): void
}

export interface Approved {
  readonly event: EventRow
  readonly approval: ApprovalRow
  readonly entry: Entry | null
  readonly evidence: SixW
  /** The service has refused it, because what it would change has changed meanwhile. */
  readonly replaced?: true
}

export function approvalItem(
  eventId: string,
  given: GivenApproval,
  center: CenterProfile,
  caller: Caller,
): Pick<SealItem<Approved>, 'holds' | 'judge'> {
  refuseReservedId(given.approver.id)
  return {
    holds: {
      // A signed approval names the size of the history in which its key was bound.
      // What the lines say of an earlier emergency approval is sealed there.
      chains: given.signed || given.effect || given.emergency ? ['proof', 'history'] : ['proof'],
      rows: [
        ...needsOfOpen(eventId),
        ...needsOfSealing,
        ...(given.signed ? needsOfSigned(given.signed) : []),
        ...(given.standing ? needsOfKeys(given.earlierKeys ?? []) : []),
        ...(given.effect?.needs ?? []),
        ...needsOfVouchers([given.voucher, ...(given.otherwise ?? [])]),
        ...(given.emergency ? needEmergenciesOf(accountsOf([given.voucher, ...(given.otherwise ?? [])])) : []),
      ],
    },
    judge: (batch) => approve(batch, eventId, given, center, caller),
  }
}

function approve(batch: Batch, eventId: string, given: GivenApproval, center: CenterProfile, caller: Caller): Approved {
  const { approver, result } = given
  const judging = judgingOf(batch, eventId, center, given.reason)
  const { event, policies, asked, evidence, prior } = judging
  if (result === 'approved') requireMoving(batch, event, given.voucher)
  if (given.voucher.level === 'claim' && isOwn(event.action.type)) {
    throw new Problem(
      'FORBIDDEN',
      "An API key can't approve a change to a center's policies. Ask a signed-in member to approve it.",
      { details: { reason: 'memberOnly' } },
    )
  }
  if (given.emergency) requireEmergency(judging, given)
  const seen = given.seen ?? {}
  requireSame(seen, judging, asked ? askingPolicies(policies, asked) : [])
  if (asked && result === 'approved' && given.voucher.level !== 'claim') {
    requireShowable(event)
    if (!(given.isTest && isSandboxCenter(center.centerId))) requireSeen(seen, event)
  }
  if (result === 'approved' && prior.length >= mostPrior) {
    throw new Problem('CONFLICT', "This decision can't accept any more approvals. Refuse it, then record it again.", {
      details: { reason: 'maxApprovals' },
    })
  }
  const signed = given.signed && requireSigned(batch, judging, given.signed, given.emergency === true)
  const known = [given.voucher, ...(given.otherwise ?? [])] as const
  const named = given.signed ? signedVouchers(known, given.signed.statement) : known
  // A refusal counts whatever the roles.
  const vouchers: readonly [Voucher, ...Voucher[]] = result === 'approved' ? byCountingRoles(batch, named) : named
  const standing = standingIn(batch, given.standing, prior)
  const alone = aloneWith(judging, given.voucher, given.fallback)
  const { emergency = false } = given
  const judged = acceptedVoucher(vouchers, judging, { result, approver, standing, alone, emergency })
  const { voucher, verdict, seen: lines, roles } = judged
  if (emergency) requireSettled(batch, accountsOf([voucher]), batch.time('history'))
  const sealing = verdict === 'seals' && result === 'approved'
  if (sealing && given.effect && !given.effect.isCurrent(batch, event)) {
    return { event, evidence, ...refuseOpen(batch, event, { center, caller, reason: 'replaced' }), replaced: true }
  }
  const admission = result === 'approved' ? admittedBy(voucher, judged.places) : {}
  const approval: ApprovalRow = {
    center_id: center.centerId,
    id: newUuid(),
    event_id: event.id,
    position: prior.length,
    approver: approver as ApprovalRow['approver'],
    result,
    reason: given.reason ?? null,
    submitted_by: caller.actorId as string,
    identity_level: voucher.level,
    identity_by: vouchedBy(voucher),
    channel: given.channel,
    opened_at: given.openedAt ?? null,
    decided_at: given.decidedAt ?? null,
    on_behalf_of: voucher.level === 'claim' ? null : (voucher.onBehalfOf?.actorId ?? null),
    passkey: signed?.passkey ?? null,
    passkey_id: given.signed?.passkeyId ?? null,
    passkey_statement: given.signed?.statement ?? null,
    reason_salt: signed?.row.reason_salt ?? null,
    control: {
      ...given.control,
      ...admission,
      // The approval that seals is not judged again.
      ...(verdict === 'first' && { seen: lines, roles, ...roleSinceOf(voucher) }),
      ...(alone && result === 'approved' && { fallback: 'alone' as const }),
      ...(emergency && { emergency: true as const }),
    },
    // Of the hash that later approvals sign; the one that seals has none after it.
    salt: verdict === 'seals' ? null : newActionSalt(),
    created_at: batch.at,
  }
  if (signed) batch.rows(challengeRows).update(signed.row)
  const deciding = { center, caller, event, approval, prior, counted: judged.earlier }
  if (verdict === 'seals') {
    const closed = close(batch, deciding, policies)
    if (sealing) given.effect?.take(batch, event)
    return { event, evidence, ...closed }
  }
  batch.rows(eventRows).update({ ...event, status: 'approved', updated_at: batch.at })
  batch.rows(approvalRows).insert(approval)
  auditInBatch(batch, caller, {
    type: 'decision.sealed',
    action: 'first_approval',
    target: { type: 'decision_event', id: typedId('decisionEvent', event.id) },
    details: { decisionId: event.decision_id },
  })
  return { event, approval, entry: null, evidence }
}

const roleSinceOf = (voucher: Voucher): Pick<GivenControl, 'roleSince'> => {
  const roleSince = voucher.level === 'claim' ? undefined : (voucher.onBehalfOf ?? voucher).roleSince
  return roleSince ? { roleSince } : {}
}

/** In an emergency somebody stands for others, who then read why. */
export function requireEmergency(
  { event }: Pick<Judging, 'event'>,
  { result, reason }: Pick<GivenApproval, 'result' | 'reason'>,
): void {
  if (result !== 'approved') {
    throw new Problem(
      'VALIDATION_ERROR',
      'Only an approval can be given in an emergency. Refuse without "emergency".',
      { details: { reason: 'emergencyRefusal' } },
    )
  }
  if (reason === undefined || reason.trim() === '') {
    throw new Problem(
      'VALIDATION_ERROR',
      'An emergency approval needs a "reason", which its approval line reads before confirming it. Add one.',
      { details: { reason: 'noReason', field: 'reason' } },
    )
  }
  if (!isOwn(event.action.type)) return
  throw new Problem(
    'CONFLICT',
    "A change to a center's policies can't be approved in an emergency. Ask the people of its approval line.",
    { details: { reason: 'emergencyPolicy' } },
  )
}

/** All accounts of these members, and of those on whose behalf they act. */
export const accountsOf = (vouchers: readonly Voucher[]): readonly string[] => [
  ...new Set(
    vouchers.flatMap((voucher) =>
      voucher.level === 'claim'
        ? []
        : [voucher, ...(voucher.onBehalfOf ? [voucher.onBehalfOf] : [])].flatMap(({ actorId, family }) => [
            actorId,
            ...family,
          ]),
    ),
  ),
]

export const approvalAnswer = ({ event, approval, entry, evidence }: Approved) => ({
  approvalId: typedId('approval', approval.id),
  decisionId: event.decision_id,
  approver: approval.approver as NewApproval['approver'],
  result: approval.result as NewApproval['result'],
  ...(approval.reason !== null && { reason: approval.reason }),
  evidenceLevel: entry ? ('AUDIT_READY' as const) : levelBeforeSealing(evidence),
  sealedHash: entry?.hash ?? null,
  sealedAt: entry?.sealedAt ?? null,
  createdAt: new Date(approval.created_at).toISOString(),
  receipt: entry?.receipt() ?? null,
})
