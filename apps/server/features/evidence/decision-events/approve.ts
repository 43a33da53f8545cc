/** Approvals and refusals: either one seals, unless a policy asks for two approvers and this is the first. */
import type { addApproval } from '@countersign/contract/evidence.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { Caller } from '../../../data/directory.ts'
import { judgeApproval, refuseReservedId, type Voucher, vouchedBy } from '../../../governance/approvals.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'
import { levelBeforeSealing, type SixW } from '../../../governance/six-w.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, Entry } from '../../../sealing/batch.ts'
import type { CenterProfile, SealItem } from '../../../sealing/item.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { approvalRows, eventRows } from './sealed-rows.ts'
import {
  collectEvidence,
  type Deciding,
  makeAuditReady,
  matchingPolicies,
  needsOfSealing,
  sealInChain,
} from './sealing.ts'

type NewApproval = BodyOf<(typeof addApproval)['spec']>

export interface GivenApproval extends NewApproval {
  readonly voucher: Voucher
  readonly channel: NonNullable<ApprovalRow['channel']>
  /** When the member opened the decision, and when they decided; a program states neither. */
  readonly openedAt?: string
  readonly decidedAt?: string
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
      rows: [need(eventRows, { id: eventId }), need(approvalRows, { event_id: eventId }), ...needsOfSealing],
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
  const { approver, voucher, result } = given
  const approvals = batch.rows(approvalRows)
  const prior = approvals.all().filter(({ event_id }) => event_id === event.id)
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
  const deciding: Deciding = { center, caller, event, approval, prior }
  const evidence = collectEvidence(deciding)
  const policies = matchingPolicies(batch, deciding)
  const verdict =
    result === 'rejected'
      ? 'seals'
      : judgeApproval(policies, evidence, {
          approver,
          voucher,
          event,
          earlier: prior,
          waited: waitedFor(event, batch.at),
        })
  if (verdict === 'first') {
    batch.rows(eventRows).update({ ...event, status: 'approved', updated_at: batch.at })
    approvals.insert(approval)
    batch.audit(caller, {
      type: 'decision.sealed',
      action: 'first_approval',
      target: { type: 'decision_event', id: typedId('decisionEvent', event.id) },
      details: { decisionId: event.decision_id },
    })
    return { event, approval, entry: null, evidence }
  }
  const entry = sealInChain(batch, deciding, policies)
  // The approval that seals has the time of the seal, the only time that can be proved.
  const sealing = { ...approval, created_at: entry.sealedAt }
  const status = result === 'approved' ? 'sealed' : 'rejected'
  batch.rows(eventRows).update({ ...event, status, updated_at: entry.sealedAt })
  approvals.insert(sealing)
  makeAuditReady(batch, deciding, entry)
  return { event, approval: sealing, entry, evidence }
}

const waitedFor = ({ created_at }: EventRow, at: string): number => (Date.parse(at) - Date.parse(created_at)) / 1000

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
