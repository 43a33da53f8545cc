/** The challenge of an approval: judged like the approval itself, so that nobody signs what would be refused. */
import { priorDigest, type Shown } from '@countersign/proof/control.ts'
import { type ApprovalStatement, reasonDigest } from '@countersign/proof/passkey.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { MemberVoucher } from '../../../governance/approving.ts'
import { named } from '../../../governance/policies.ts'
import type { ChallengeRow } from '../../../governance/rows.ts'
import { newActionSalt, typedId } from '../../../lib/ids.ts'
import type { Batch, SealItem } from '../../../sealing/batch.ts'
import { keepChallenge, needsOfKeys } from '../../identity/passkeys/api.ts'
import { accountsOf, requireEmergency } from './approve.ts'
import { needsOfOpen, needsOfSealing } from './decision.ts'
import { needEmergenciesOf, requireSettled } from './emergency.ts'
import {
  acceptedVoucher,
  admittedBy,
  aloneWith,
  byCountingRoles,
  type Fallback,
  judgingOf,
  type KnownStanding,
  needsOfVouchers,
  priorHashes,
  requireMoving,
  requireSame,
  type Seen,
  standingIn,
} from './judging.ts'
import { askingPolicies } from './waiting.ts'

export interface AskedChallenge {
  readonly result: 'approved' | 'rejected'
  readonly reason?: string | undefined
  readonly emergency?: boolean
  readonly actorId: string
  /** The member who is to sign: in their own right, then as the deputy of others. */
  readonly vouchers: readonly [MemberVoucher, ...MemberVoucher[]]
  /** Whether a passkey of theirs counts in this center. */
  readonly hasKey: boolean
  readonly rpId: string
  readonly log: string
  readonly seen: Seen
  readonly shown: Shown | null
  readonly standing: KnownStanding
  readonly earlierKeys: readonly string[]
  readonly fallback?: Fallback | undefined
}

type ApprovalChallenge = ChallengeRow & { readonly statement: ApprovalStatement }

export const challengeItem = (
  eventId: string,
  asked: AskedChallenge,
  center: CenterProfile,
): Pick<SealItem<ApprovalChallenge>, 'holds' | 'judge'> => ({
  holds: {
    chains: [],
    rows: [
      ...needsOfOpen(eventId),
      ...needsOfSealing,
      ...needsOfKeys(asked.earlierKeys),
      ...needsOfVouchers(asked.vouchers),
      ...(asked.emergency ? needEmergenciesOf(accountsOf(asked.vouchers)) : []),
    ],
  },
  judge: (batch) => makeChallenge(batch, eventId, asked, center),
})

function makeChallenge(batch: Batch, eventId: string, asked: AskedChallenge, center: CenterProfile): ApprovalChallenge {
  const { result, reason, actorId, rpId, log, emergency = false } = asked
  const judging = judgingOf(batch, eventId, center, reason)
  const { event, policies, prior } = judging
  if (emergency) requireEmergency(judging, { result, ...(reason !== undefined && { reason }) })
  requireSame(asked.seen, judging, judging.asked ? askingPolicies(policies, judging.asked) : [])
  const approver = { id: actorId, type: 'human' }
  const standing = standingIn(batch, asked.standing, prior)
  const alone = aloneWith(judging, asked.vouchers[0], asked.fallback)
  const vouchers = result === 'approved' ? byCountingRoles(batch, asked.vouchers) : asked.vouchers
  const { voucher, places } = acceptedVoucher(vouchers, judging, { result, approver, standing, alone, emergency })
  if (emergency) requireSettled(batch, accountsOf([voucher]), batch.at)
  if (result === 'approved') {
    requireMoving(batch, event, voucher)
    admittedBy(voucher, places)
  }
  const reason_salt = reason === undefined ? null : newActionSalt()
  const statement: ApprovalStatement = {
    type: 'countersign-approval-v2',
    log,
    eventId: typedId('decisionEvent', event.id),
    decisionId: event.decision_id,
    actionDigest: event.action_digest,
    result,
    reasonDigest: reason === undefined || reason_salt === null ? null : reasonDigest(reason_salt, reason),
    approverId: actorId,
    policies: named(policies),
    onBehalfOf: voucher.onBehalfOf?.actorId ?? null,
    approvedActionDigest: null,
    emergency: emergency || null,
    shown: asked.shown,
    prior: asked.seen.prior ?? priorDigest(priorHashes(prior)),
    rpId,
    nonce: newActionSalt(),
    issuedAt: batch.at,
  }
  return keepChallenge(batch, asked.hasKey, {
    center_id: center.centerId,
    event_id: event.id,
    dpu_id: null,
    actor_id: actorId,
    statement,
    reason_salt,
  })
}
