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
import type { PreparedEvent } from './event.ts'
import { decisionName, eventRows } from './sealed-rows.ts'
import { matchingPolicies, needsOfSealing, requestApproval } from './sealing.ts'
import type { ApprovalAddress } from './waiting.ts'

/** True for a new event, false when its decisionId was taken. */
export function replacementItem(
  { row, decisionId }: PreparedEvent,
  center: CenterProfile,
  caller: Caller,
  approvalUrl: ApprovalAddress,
): Pick<SealItem<boolean>, 'holds' | 'judge' | 'bytes'> {
  const empty = { status: 'recorded', ai_context: null, reason: null, risk_score: null, fingerprint: null }
  const event = { ...empty, ...JSON.parse(row) } as EventRow & { readonly replaces: string }
  return {
    bytes: row.length,
    holds: {
      chains: ['proof'],
      rows: [need(eventRows, { decision_id: decisionId }), ...needsOfOpen(event.replaces), ...needsOfSealing],
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
