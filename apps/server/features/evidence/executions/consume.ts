/** Consumption: of all executors of a decision one takes it, for exactly the action that was sealed. */
import type { consumeDecision } from '@countersign/contract/executions.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { asksMore } from '../../../governance/again.ts'
import { requireNotFrozen } from '../../../governance/freezes.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { needPolicies } from '../../../governance/rules.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Entry, SealItem } from '../../../sealing/batch.ts'
import { type ActingKey, emergencyRows, matchingPolicies, needEmergency } from '../decision-events/api.ts'
import {
  givenNow,
  requireConfirmed,
  requireEnough,
  requireFresh,
  requireSameAction,
  requireSealed,
  type SealedAction,
} from './right.ts'
import { type ExecutionRow, executionRows } from './sealed-rows.ts'
import { type Acting, append, needsOf, ownEvent } from './step.ts'

type Consumption = BodyOf<(typeof consumeDecision)['spec']>

export interface Consumed {
  readonly event: EventRow
  readonly row: ExecutionRow
  /** Null if an earlier request of this executor made it. */
  readonly entry: Entry | null
}

export function consumptionItem(
  eventId: string,
  { actionDigest, executor }: Consumption,
  { key, caller, center }: Acting & { readonly center: CenterProfile },
  sealed: SealedAction | undefined,
): Pick<SealItem<Consumed>, 'holds' | 'judge'> {
  return {
    holds: { chains: ['history'], rows: [...needsOf(eventId), needEmergency(eventId), needPolicies] },
    judge(batch) {
      const event = ownEvent(batch, eventId, key)
      const action = requireSealed(event, sealed)
      requireSameAction(action, actionDigest)
      const taken = batch.rows(executionRows).find(eventId)
      if (taken && taken.executor === executor && key.line.includes(taken.consumed_by))
        return { event, row: taken, entry: null }
      if (taken) {
        throw new Problem(
          'CONFLICT',
          'Another executor has already consumed this decision, so don\'t run its action. If that executor is gone, report the outcome "unknown".',
          { details: { executor: taken.executor } },
        )
      }
      requireNotFrozen(batch, {
        actorId: event.actor.id,
        keyIds: [event.recorded_by, ...key.line],
        actionType: event.action.type,
      })
      requireFresh(action, batch.time('history'))
      const emergency = batch.rows(emergencyRows).find(eventId)
      requireConfirmed(action, emergency, batch.time('history'))
      // From the commit of a change of policy on, nobody takes what the changed policy would not have let through.
      requireEnough(asksMore(matchingPolicies(batch, { event, center }), event, givenNow(action, emergency)))
      const { entry } = append(batch, event, caller, { action: 'consumed', executor, actionDigest })
      const row = newRow(event, executor, key, entry)
      batch.rows(executionRows).insert(row)
      return { event, row, entry }
    },
  }
}

const newRow = (event: EventRow, executor: string, key: ActingKey, entry: Entry): ExecutionRow => ({
  center_id: event.center_id,
  event_id: event.id,
  executor,
  consumed_by: key.actorId,
  consumed_at: entry.sealedAt,
  consumed_index: entry.index,
  consumed_hash: entry.hash,
  outcome_status: null,
  outcome_executor: null,
  outcome_by: null,
  outcome_at: null,
  outcome_index: null,
  outcome_hash: null,
  outcome_commitment: null,
  outcome_salt: null,
  later_status: null,
  later_executor: null,
  later_by: null,
  later_at: null,
  later_index: null,
  later_hash: null,
  later_commitment: null,
  later_salt: null,
})
