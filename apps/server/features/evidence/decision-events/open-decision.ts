/**
 * How an approval and the challenge of one are judged: the same decision, the same policies, the same members. The
 * decision is open, in time, and as it was shown. Pure.
 */
import { type Approving, judgeApproval, judgeRefusal, type Voucher } from '../../../governance/approvals.ts'
import type { Applied } from '../../../governance/policies.ts'
import { type Requirements, requirementsOf } from '../../../governance/requirements.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'
import type { SixW } from '../../../governance/six-w.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { CenterProfile } from '../../../sealing/item.ts'
import { approvalsOf, hasExpired } from './close.ts'
import { eventRows, waitingRows } from './sealed-rows.ts'
import { matchingPolicies, sixWWith } from './sealing.ts'

/** What the approver was shown. */
export interface Seen {
  readonly actionDigest?: string | undefined
  readonly policies?: readonly { readonly id: string; readonly version: number }[] | undefined
}

export const unknownEvent = (): Problem => new Problem('NOT_FOUND', 'There is no decision event with this id.')

function openEvent(batch: Batch, eventId: string): EventRow {
  const event = batch.rows(eventRows).find(eventId)
  if (!event) throw unknownEvent()
  if (event.status === 'sealed' || event.status === 'rejected') {
    throw new Problem(
      'CONFLICT',
      event.status === 'sealed'
        ? 'This decision is sealed already; a sealed decision cannot change.'
        : 'This decision was refused, and the refusal is sealed; it cannot change.',
    )
  }
  return event
}

export interface Judging {
  readonly event: EventRow
  readonly policies: readonly Applied[]
  readonly asked: Requirements | null
  readonly evidence: SixW
  readonly prior: readonly ApprovalRow[]
  /** For how many seconds the decision has waited. */
  readonly waited: number
}

export function judgingOf(batch: Batch, eventId: string, center: CenterProfile, reason: string | undefined): Judging {
  const event = openEvent(batch, eventId)
  const policies = matchingPolicies(batch, { event, center })
  const asked = requirementsOf(policies, event.risk_score)
  const since = batch.rows(waitingRows).find(event.id)?.since
  // The job that seals the refusal may come later; an approval in between would contradict it.
  if (hasExpired(asked, since, batch.at)) {
    throw new Problem(
      'CONFLICT',
      'This decision has expired, and its refusal will be sealed; record it anew if needed.',
    )
  }
  const waited = since === undefined ? 0 : (Date.parse(batch.at) - Date.parse(since)) / 1000
  return {
    event,
    policies,
    asked,
    evidence: sixWWith(event, center, reason),
    prior: approvalsOf(batch, event.id),
    waited,
  }
}

export interface Deciding {
  readonly result: 'approved' | 'rejected'
  readonly approver: Approving['approver']
}

/** The first voucher that the policies accept. A refusal is judged only where a key names who refuses: the first one refuses. */
export function acceptedVoucher<V extends Voucher>(
  vouchers: readonly [V, ...V[]],
  { event, policies, evidence, prior: earlier, waited }: Judging,
  { result, approver }: Deciding,
): { readonly voucher: V; readonly verdict: 'seals' | 'first' } {
  if (result === 'rejected') {
    judgeRefusal(policies, { voucher: vouchers[0], event })
    return { voucher: vouchers[0], verdict: 'seals' }
  }
  let refusal: unknown
  for (const voucher of vouchers) {
    try {
      return { voucher, verdict: judgeApproval(policies, evidence, { approver, voucher, event, earlier, waited }) }
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'POLICY_VIOLATION') throw error
      refusal ??= error
    }
  }
  throw refusal
}

export function requireSame(
  { actionDigest, policies }: Seen,
  event: EventRow,
  asking: readonly { id: string; version: number }[],
) {
  if (actionDigest !== undefined && actionDigest !== event.action_digest) {
    throw new Problem('CONFLICT', 'This is not the action that you were shown; read the decision again.')
  }
  const nameOf = ({ id, version }: { id: string; version: number }) => `${id} ${version}`
  const shown = policies && new Set(policies.map(nameOf))
  if (shown && (shown.size !== asking.length || asking.some((each) => !shown.has(nameOf(each))))) {
    throw new Problem('CONFLICT', 'The policies that ask for this approval have changed; read the decision again.')
  }
}
