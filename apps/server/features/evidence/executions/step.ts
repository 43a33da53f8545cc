/**
 * A step of acting on a sealed decision: an entry of the chain `history` about its evidence, which leaves the state of
 * the unit as it is.
 */

import type { Json } from '@countersign/proof/canonical.ts'
import type { Prepared } from '@countersign/proof/chain.ts'
import { historyStatic, unitState } from '@countersign/proof/history-entry.ts'
import { isVisibleTo } from '../../../access/principal.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { Caller } from '../../../data/directory.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import type { Batch, Entry } from '../../../sealing/batch.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { type ActingKey, eventRows, requireOwnKey, unknownEvent } from '../decision-events/api.ts'
import { brokenRecord, dpuRows, lastHash, needDpu, sealedName } from '../dpu/api.ts'
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
  values: Readonly<Record<string, Json>> & { readonly action: string },
): { readonly entry: Entry; readonly prepared: Prepared } {
  const dpu = batch.rows(dpuRows).find(event.id)
  if (!dpu) throw brokenRecord("it's sealed but has no proof unit")
  const id = newUuid()
  const disclosed = { ...values, by: { id: caller.actorId as string } }
  const prepared = historyStatic(
    {
      id: typedId('history', id),
      type: 'execution',
      target: sealedName(dpu),
      previous: lastHash(dpu),
      values: disclosed,
    },
    () => unitState({ evidenceLevel: dpu.evidence_level, metadata: dpu.metadata_commitment }),
    newSalt,
  )
  const entry = batch.appendHistory(id, prepared, disclosed)
  batch.rows(dpuRows).replace({ ...dpu, updated_at: entry.sealedAt, last_change: entry.hash })
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
