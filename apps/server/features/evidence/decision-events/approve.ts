/** Approvals and refusals: either one seals, unless a policy asks for two approvers and this is the first. */
import type { addApproval } from '@countersign/contract/evidence.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { Caller } from '../../../data/directory.ts'
import { judgeApproval, refuseReservedId, type Voucher, vouchedBy } from '../../../governance/approvals.ts'
import { type Requirements, requirementsOf } from '../../../governance/requirements.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'
import { levelBeforeSealing, type SixW } from '../../../governance/six-w.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, Entry } from '../../../sealing/batch.ts'
import type { CenterProfile, SealItem } from '../../../sealing/item.ts'
import { approvalsOf, close, hasExpired, needsOfOpen } from './close.ts'
import { approvalRows, eventRows, waitingRows } from './sealed-rows.ts'
import { matchingPolicies, needsOfSealing, sixWWith } from './sealing.ts'
import { askingPolicies } from './waiting.ts'

type NewApproval = BodyOf<(typeof addApproval)['spec']>

export interface GivenApproval extends NewApproval {
  readonly voucher: Voucher
  /** The same member in the place of others, tried where they may not approve in their own right. */
  readonly otherwise?: readonly Voucher[]
  readonly channel: NonNullable<ApprovalRow['channel']>
  /** When the member opened the decision, and when they decided; a program states neither. */
  readonly openedAt?: string | undefined
  readonly decidedAt?: string
  /** What the approver was shown. */
  readonly seen?: Seen
}

interface Seen {
  readonly actionDigest?: string | undefined
  readonly policies?: readonly { readonly id: string; readonly version: number }[] | undefined
}

export interface Approved {
  readonly event: EventRow
  readonly approval: ApprovalRow
  readonly entry: Entry | null
  readonly evidence: SixW
}

export const unknownEvent = (): Problem => new Problem('NOT_FOUND', 'There is no decision event with this id.')

export function approvalItem(
  eventId: string,
  given: GivenApproval,
  center: CenterProfile,
  caller: Caller,
): Pick<SealItem<Approved>, 'holds' | 'judge'> {
  refuseReservedId(given.approver.id)
  return {
    holds: {
      chains: ['proof'],
      rows: [...needsOfOpen(eventId), ...needsOfSealing],
    },
    judge: (batch) => approve(batch, openEvent(batch, eventId), given, center, caller),
  }
}

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

function approve(batch: Batch, event: EventRow, given: GivenApproval, center: CenterProfile, caller: Caller): Approved {
  const { approver, result } = given
  const prior = approvalsOf(batch, event.id)
  const evidence = sixWWith(event, center, given.reason)
  const policies = matchingPolicies(batch, { event, center })
  const asked = requirementsOf(policies, event.risk_score)
  const since = batch.rows(waitingRows).find(event.id)?.since
  requireTime(asked, since, batch.at)
  requireSame(given.seen ?? {}, event, asked ? askingPolicies(policies, asked) : [])
  const waited = since === undefined ? 0 : (Date.parse(batch.at) - Date.parse(since)) / 1000
  const { voucher, verdict } =
    result === 'rejected'
      ? { voucher: given.voucher, verdict: 'seals' as const }
      : firstAccepted([given.voucher, ...(given.otherwise ?? [])], (each) =>
          judgeApproval(policies, evidence, { approver, voucher: each, event, earlier: prior, waited }),
        )
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
    created_at: batch.at,
  }
  const deciding = { center, caller, event, approval, prior }
  if (verdict === 'seals') return { event, evidence, ...close(batch, deciding, policies) }
  batch.rows(eventRows).update({ ...event, status: 'approved', updated_at: batch.at })
  batch.rows(approvalRows).insert(approval)
  batch.audit(caller, {
    type: 'decision.sealed',
    action: 'first_approval',
    target: { type: 'decision_event', id: typedId('decisionEvent', event.id) },
    details: { decisionId: event.decision_id },
  })
  return { event, approval, entry: null, evidence }
}

function firstAccepted<V, R>(vouchers: readonly V[], judge: (voucher: V) => R): { voucher: V; verdict: R } {
  let refusal: unknown
  for (const voucher of vouchers) {
    try {
      return { voucher, verdict: judge(voucher) }
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'POLICY_VIOLATION') throw error
      refusal ??= error
    }
  }
  throw refusal
}

/** The job that seals the refusal may come later; nobody decides any more. */
function requireTime(asked: Requirements | null, since: string | undefined, at: string): void {
  if (hasExpired(asked, since, at)) {
    throw new Problem(
      'CONFLICT',
      'This decision has expired, and its refusal will be sealed; record it anew if needed.',
    )
  }
}

function requireSame(
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
