/** What the service itself refuses: a decision that expired, was replaced or was withdrawn, or that a guard forbids. */

import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'
import { newUuid } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, SealItem } from '../../../sealing/batch.ts'
import {
  approvalsOf,
  close,
  eventRows,
  hasExpired,
  isOpen,
  needsOfOpen,
  needsOfSealing,
  policiesOver,
  waitingRows,
} from './decision.ts'

interface Refusing {
  readonly center: CenterProfile
  readonly caller: Caller
  readonly reason: 'expired' | 'replaced' | 'withdrawn'
  /** Why it was withdrawn, in the words of who did. */
  readonly said?: string | null
}

/** A refusal by the service itself: by a guard, by an expiry, by a withdrawal, or because another decision replaces this one. */
export const systemRefusal = (
  { at }: Batch,
  event: EventRow,
  caller: Caller,
  by: Pick<ApprovalRow, 'approver' | 'reason' | 'position'>,
): ApprovalRow => ({
  ...by,
  center_id: event.center_id,
  id: newUuid(),
  event_id: event.id,
  result: 'rejected',
  submitted_by: caller.actorId as string,
  identity_level: 'system',
  identity_by: 'countersign',
  channel: null,
  opened_at: null,
  decided_at: null,
  on_behalf_of: null,
  passkey: null,
  passkey_id: null,
  passkey_statement: null,
  reason_salt: null,
  control: {},
  salt: null,
  created_at: at,
})

export function refuseOpen(batch: Batch, event: EventRow, { center, caller, reason, said }: Refusing) {
  const prior = approvalsOf(batch, event.id)
  const by = { approver: { id: 'countersign', type: 'system' }, reason, position: prior.length }
  const approval = systemRefusal(batch, event, caller, by)
  const deciding = { center, caller, event, approval, prior }
  return close(batch, deciding, policiesOver(batch, deciding).all, said)
}

/** Refuses a decision that has expired under the policies in force; false if it is closed or has not. */
export function expiryItem(
  eventId: string,
  center: CenterProfile,
  caller: Caller,
): Pick<SealItem<boolean>, 'holds' | 'judge'> {
  return {
    holds: { chains: ['proof'], rows: [...needsOfOpen(eventId), ...needsOfSealing] },
    judge(batch) {
      const event = batch.rows(eventRows).find(eventId)
      if (!event || !isOpen(event)) return false
      const { all: policies } = policiesOver(batch, { event, center })
      const row = batch.rows(waitingRows).find(eventId)
      if (!hasExpired(requirementsOf(policies, event.risk_score), row, batch.at)) return false
      refuseOpen(batch, event, { center, caller, reason: 'expired' })
      return true
    },
  }
}

/** The decision that a new one replaces: of the same actor, and still waiting. */
export function replaceable(batch: Batch, { replaces, actor }: EventRow, center: CenterProfile): EventRow | null {
  if (replaces === null) return null
  const old = batch.rows(eventRows).find(replaces)
  const row = batch.rows(waitingRows).find(replaces)
  const waits = old !== undefined && isOpen(old) && row !== undefined
  const asked = waits && requirementsOf(policiesOver(batch, { event: old, center }).all, old.risk_score)
  if (!waits || hasExpired(asked || null, row, batch.at)) {
    throw new Problem(
      'CONFLICT',
      '"replaces" must name one of this center\'s decisions that\'s still waiting for approval. Leave out "replaces", or send the ID of such a decision.',
      { details: { reason: 'replaces' } },
    )
  }
  if (old.actor.type !== actor.type || comparableId(old.actor.id) !== comparableId(actor.id)) {
    throw new Problem(
      'CONFLICT',
      '"replaces" names another actor\'s decision, and only that actor can replace it. Leave out "replaces".',
      { details: { reason: 'replaces' } },
    )
  }
  return old
}
