import * as contract from '@countersign/contract/decision-events.ts'
import * as evidenceContract from '@countersign/contract/evidence.ts'
import { isVisibleTo, requireActor } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import { refuseOwn } from '../../../governance/policies.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { type Route, route } from '../../../http/route.ts'
import { fingerprintOf } from '../../../idempotency/idempotency.ts'
import { nowMs } from '../../../lib/clock.ts'
import { recordUuid } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Inheriting } from '../policies/api.ts'
import { approvalAnswer, approvalItem } from './approve.ts'
import { eventRows } from './decision.ts'
import { hashActionAhead } from './hash-ahead.ts'
import { unknownEvent } from './judging.ts'
import { findByDecisionId, insertEvent, type PolicyCopy, policyCopy } from './queries.ts'
import { type Event, eventOf, hexOf, newEvent, type Recorder, replacementItem } from './record.ts'
import { approvalAddress, notingRefusal, waitingInput } from './waiting.ts'

interface DecisionEventNeeds {
  readonly config: Pick<Config, 'authUrl'>
  readonly cells: Cells
  readonly recorder: Recorder
  readonly sequencer: Inheriting
}

/** The event with this decisionId, if it came from the same request. */
async function original(tx: TenantTx, { decision_id, fingerprint }: EventRow): Promise<Event> {
  const row = await findByDecisionId(tx, decision_id)
  if (!row?.fingerprint || hexOf(row.fingerprint) !== fingerprint) {
    throw new Problem(
      'CONFLICT',
      `The idempotencyKey "${decision_id}" was already used for another decision. Use a new key for a new decision.`,
      { details: { reason: 'idempotency' } },
    )
  }
  return eventOf(row)
}

export const decisionEventRoutes = (
  { config, cells, recorder, sequencer }: DecisionEventNeeds,
  approvalUrl = approvalAddress(config),
): Route[] => [
  route(contract.recordDecisionEvent, async ({ tx, body, bodyBytes, principal, requestId, traceparent }, reply) => {
    const { centerId, cell, actorId } = principal
    requireActor(principal, body.actor)
    refuseOwn(body.action.type)
    const { idempotencyKey: name, ...said } = body
    const key = name === undefined ? null : { name, fingerprint: fingerprintOf(body) }
    const hash = await hashActionAhead(said, bodyBytes)
    const event = newEvent(said, { centerId, recordedBy: actorId, at: nowMs(), traceparent, key }, hash)
    const recording = { center: principal.center, at: event.created_at, approvalUrl }
    const waiting = (copy: PolicyCopy) => waitingInput(copy, event, recording)
    const caller = { requestId, actorId, centerId }
    await sequencer.ensure(principal.center)
    if (body.replaces !== undefined) {
      const { center } = principal
      const item = replacementItem(event, center, caller, approvalUrl)
      const outcome = await sequencer.seal({ ...item, center, caller })
      if ('result' in outcome && outcome.result) return reply(201, eventOf(event))
      return reply(200, await cells.of(cell).inTenant(caller, (own) => original(own, event)))
    }
    const row = JSON.stringify(event)
    if (tx) {
      return (await insertEvent(tx, row, waiting(await policyCopy(tx))))
        ? reply(201, eventOf(event))
        : reply(200, await original(tx, event))
    }
    if (await recorder.record(cell, centerId, { event, row, waiting })) return reply(201, eventOf(event))
    return reply(200, await cells.of(cell).inTenant(caller, (own) => original(own, event)))
  }),

  route(evidenceContract.addApproval, ({ params, body, principal, center, caller, sequence }, reply) => {
    const eventId = recordUuid(params.id)
    if (eventId === null) throw unknownEvent()
    const { actorId: by, line, scopes, boundTo } = principal
    const voucher = { level: 'claim', by, line, maySpeak: scopes.includes('proof:approve'), boundTo } as const
    const item = approvalItem(eventId, { ...body, voucher, channel: 'api' }, center, caller)
    const visible: typeof item = {
      ...item,
      judge(batch) {
        const event = batch.rows(eventRows).find(eventId)
        if (event && !isVisibleTo(principal, event)) throw unknownEvent()
        return item.judge(batch)
      },
    }
    const approving = sequence(visible, (approved) => reply(200, approvalAnswer(approved)))
    return notingRefusal(cells, { center, caller, eventId }, approving)
  }),
]
