/** Whether a member who approves counts yet, and what is sealed of it. A deputy counts only if both of them do. Pure. */
import type { ApprovalControl } from '@countersign/proof/control.ts'
import type { Voucher } from '../../../governance/approvals.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { Need } from '../../../sealing/sealed-rows.ts'
import { admitted, needsOfMembers } from '../../identity/eligibility/api.ts'

export const needsOfVouchers = (vouchers: readonly Voucher[]): readonly Need[] =>
  needsOfMembers(
    vouchers.flatMap((voucher) =>
      voucher.level === 'claim' ? [] : [voucher, ...(voucher.onBehalfOf ? [voucher.onBehalfOf] : [])],
    ),
  )

export function admittedBy(batch: Batch, voucher: Voucher): Pick<ApprovalControl, 'admitted'> {
  if (voucher.level === 'claim') return {}
  // The place is that of the absent member.
  const since = admitted(batch, voucher.onBehalfOf ? [voucher.onBehalfOf, voucher] : [voucher])
  return { admitted: [{ since }] }
}
