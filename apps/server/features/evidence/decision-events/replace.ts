/**
 * Recording a decision that replaces another one. The old one is refused in the same commit, so such a decision goes
 * through the sequencer and not through the recorder.
 */

import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { EventRow } from '../../../governance/rows.ts'
import type { SealItem } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { needsOfOpen, refuseOpen, replaceable } from './close.ts'
import { decisionName, eventRows } from './sealed-rows.ts'
import { matchingPolicies, needsOfSealing, requestApproval } from './sealing.ts'
import type { ApprovalAddress } from './waiting.ts'

/** True for a new event, false when its decisionId was taken. */
export function replacementItem(
  event: EventRow,
  center: CenterProfile,
  caller: Caller,
  approvalUrl: ApprovalAddress,
): Pick<SealItem<boolean>, 'holds' | 'judge' | 'bytes'> {
  const { decision_id: decisionId } = event
  return {
    bytes: JSON.stringify(event).length,
    holds: {
      chains: ['proof'],
      rows: [need(eventRows, { decision_id: decisionId }), ...needsOfOpen(event.replaces as string), ...needsOfSealing],
    },
    judge(batch) {
      if (batch.rows(eventRows).find(decisionName(decisionId))) return false
      const old = replaceable(batch, event, center) as EventRow
      refuseOpen(batch, old, { center, caller, reason: 'replaced' })
      batch.rows(eventRows).insert(event)
      const policies = matchingPolicies(batch, { event, center })
      if (requirementsOf(policies, event.risk_score)) {
        requestApproval(batch, { center, caller, event, approval: null, prior: [] }, policies, approvalUrl)
      }
      return true
    },
  }
}
