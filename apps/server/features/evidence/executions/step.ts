/**
 * A step of acting on a sealed decision: an entry of the chain `history` about its evidence, which leaves the state of
 * the unit as it is.
 */

import type { Json } from '@countersign/proof/canonical.ts'
import type { Prepared } from '@countersign/proof/chain.ts'
import { isVisibleTo } from '../../../access/principal.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { Caller } from '../../../data/directory.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { typedId } from '../../../lib/ids.ts'
import type { Batch, Entry } from '../../../sealing/batch.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { type ActingKey, eventRows, requireOwnKey, unknownEvent } from '../decision-events/api.ts'
import { appendToUnit, needDpu } from '../dpu/api.ts'
import { executionRows } from './sealed-rows.ts'

export interface Acting {
  readonly key: ActingKey
  readonly caller: Caller
}

export const needsOf = (eventId: string): readonly Need[] => [
  need(eventRows, { id: eventId }),
  needDpu(eventId),
  need(executionRows, { event_id: eventId }),
]

export function ownEvent(batch: Batch, eventId: string, key: ActingKey): EventRow {
  const event = batch.rows(eventRows).find(eventId)
  const consumedBy = batch.rows(executionRows).find(eventId)?.consumed_by
  if (!event || !isVisibleTo(key, event, consumedBy)) throw unknownEvent()
  requireOwnKey(key, event, consumedBy)
  return event
}

export function append(
  batch: Batch,
  event: EventRow,
  caller: Caller,
  values: Readonly<Record<string, Json>> & { readonly action: 'consumed' | 'outcome' },
): { readonly entry: Entry; readonly prepared: Prepared } {
  const disclosed = { ...values, by: { id: caller.actorId as string } }
  const { entry, prepared } = appendToUnit(batch, event.id, 'execution', disclosed)
  auditInBatch(batch, caller, {
    type: 'decision.sealed',
    action: values.action,
    target: { type: 'decision_event', id: typedId('decisionEvent', event.id) },
    details: {
      decisionId: event.decision_id,
      ...(typeof values.status === 'string' && { status: values.status }),
      historyIndex: entry.index,
    },
  })
  return { entry, prepared }
}
