/** Whether an approval would be accepted. It is judged like the approval itself and writes nothing. */
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { MemberVoucher } from '../../../governance/approving.ts'
import type { SealItem } from '../../../sealing/batch.ts'
import { needsOfKeys } from '../../identity/passkeys/api.ts'
import { needsOfOpen, needsOfSealing } from './decision.ts'
import {
  acceptedVoucher,
  admittedBy,
  byCountingRoles,
  judgingOf,
  type KnownStanding,
  needsOfVouchers,
  requireMoving,
  requireShowable,
  standingIn,
} from './judging.ts'

export interface TriedApproval {
  readonly result: 'approved' | 'rejected'
  readonly reason: string | undefined
  readonly voucher: MemberVoucher
  readonly standing: KnownStanding
  readonly earlierKeys: readonly string[]
}

export const trialItem = (
  eventId: string,
  { result, reason, voucher, standing, earlierKeys }: TriedApproval,
  center: CenterProfile,
): Pick<SealItem<true>, 'holds' | 'judge'> => ({
  holds: {
    chains: [],
    rows: [...needsOfOpen(eventId), ...needsOfSealing, ...needsOfKeys(earlierKeys), ...needsOfVouchers([voucher])],
  },
  judge(batch) {
    const judging = judgingOf(batch, eventId, center, reason)
    if (result === 'approved') {
      requireMoving(batch, judging.event, voucher)
      if (judging.asked) requireShowable(judging.event)
    }
    const approver = { id: voucher.actorId, type: 'human' }
    const known = standingIn(batch, standing, judging.prior)
    const vouchers = result === 'approved' ? byCountingRoles(batch, [voucher]) : ([voucher] as const)
    const accepted = acceptedVoucher(vouchers, judging, { result, approver, standing: known })
    if (result === 'approved') admittedBy(accepted.voucher, accepted.places)
    return true
  },
})
