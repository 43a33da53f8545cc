/** Decision events and their approvals in a batch. */
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'
import type { RowKind } from '../../../sealing/sealed-rows.ts'
import type { WaitingRow } from './waiting.ts'

/** Found by id, or by decisionId with the name `decision <id>`. */
export const eventRows: RowKind<EventRow, { readonly id: string } | { readonly decision_id: string }> = {
  name: 'events',
  order: 20,
  load: 'hold_events',
  write: 'write_events',
  namesOf: ({ id, decision_id }) => [id, decisionName(decision_id)],
  // `was`: the status that the count of the event is under.
  updated: ({ center_id, id, status, updated_at }, { status: was }) => ({ center_id, id, was, status, updated_at }),
  // Same keys in the same order as the recorder, which prevents deadlocks between the two.
  inOrder: (a, b) => a.center_id - b.center_id || (a.decision_id < b.decision_id ? -1 : 1),
}

export const decisionName = (decisionId: string): string => `decision ${decisionId}`

export const approvalRows: RowKind<ApprovalRow, { readonly event_id: string }> = {
  name: 'approvals',
  order: 30,
  load: 'load_approvals',
  write: 'write_approvals',
  namesOf: ({ id }) => [id],
}

/** A row that exists already stays as it is; the seal of its decision deletes it. */
export const waitingRows: RowKind<WaitingRow, { readonly event_id: string }> = {
  name: 'waiting',
  order: 25,
  load: 'load_waiting',
  write: 'write_waiting',
  namesOf: ({ event_id }) => [event_id],
}
