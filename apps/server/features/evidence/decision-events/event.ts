/** A decision event as stored and as answered. Pure. */
import type { DecisionEvent, NewDecisionEvent } from '@countersign/contract/decision-events.ts'
import { actionDigest } from '@countersign/proof/action-digest.ts'
import type { Static } from 'typebox'
import { fingerprintOf } from '../../../idempotency/idempotency.ts'
import { newActionSalt, newUuid, recordUuid, typedId, typedIds } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SummaryRow } from './list-queries.ts'
import type { StoredEventRow } from './queries.ts'
import type { JudgedEvent } from './waiting.ts'

type EventBody = Static<typeof NewDecisionEvent>
export type Event = Static<typeof DecisionEvent>

export interface PreparedEvent {
  readonly uuid: string
  readonly decisionId: string
  readonly fingerprint: Buffer | null
  /** The row for cell.record_events. */
  readonly row: string
  /** What policies are matched with; most centers have none. */
  readonly judged: () => JudgedEvent
  readonly event: Event
}

/** A caller's clock may be wrong by a time zone. A decision further in the future is refused. */
const maxAheadMs = 24 * 3600 * 1000

/** The time that the caller states, in the stored form. */
function occurredAtOf({ occurredAt }: EventBody, at: number): string {
  const stated = occurredAt === undefined ? at : Date.parse(occurredAt.toUpperCase())
  if (stated > at + maxAheadMs) {
    const message = 'is more than 24 hours in the future; send the time at which the decision was made'
    throw new Problem('VALIDATION_ERROR', `"occurredAt" ${message}.`, {
      details: { issues: [{ path: 'occurredAt', message }] },
    })
  }
  return new Date(stated).toISOString()
}

export interface Recording {
  readonly centerId: number
  readonly recordedBy: string
  readonly at: number
  readonly traceparent: string | null
}

export function prepareEvent(body: EventBody, { centerId, recordedBy, at, traceparent }: Recording): PreparedEvent {
  const uuid = newUuid(at)
  const createdAt = new Date(at).toISOString()
  const occurredAt = occurredAtOf(body, at)
  const fingerprint = body.idempotencyKey === undefined ? null : fingerprintOf(body)
  const tags = body.tags ?? []
  const actionSalt = newActionSalt()
  const digest = actionDigest(actionSalt, body)
  // One UUID under three prefixes: each decision has exactly one evidence, and any of the ids leads to all.
  const [id, evidenceId, ownDecisionId] = typedIds(uuid, 'decisionEvent', 'evidence', 'decision')
  const decisionId = body.idempotencyKey ?? ownDecisionId
  const event: Event = {
    id,
    decisionId,
    type: body.type,
    status: 'recorded',
    actor: body.actor,
    action: body.action,
    ...(body.aiContext && { aiContext: body.aiContext }),
    ...(body.riskScore !== undefined && { riskScore: body.riskScore }),
    ...(body.reason !== undefined && { reason: body.reason }),
    tags,
    actionDigest: digest,
    actionSalt,
    occurredAt,
    ...(traceparent && { traceparent }),
    evidence: { id: evidenceId, status: 'pending', chainHash: null, chainIndex: null },
    createdAt,
    updatedAt: createdAt,
  }
  const { type, actor, action, aiContext } = body
  // Without spreads: every recording pays for this object.
  const row = JSON.stringify({
    center_id: centerId,
    id: uuid,
    decision_id: decisionId,
    type,
    actor,
    action,
    ai_context: aiContext,
    risk_score: body.riskScore,
    reason: body.reason,
    tags,
    action_digest: digest,
    occurred_at: occurredAt,
    recorded_by: recordedBy,
    replaces: body.replaces && recordUuid(body.replaces),
    action_salt: actionSalt,
    traceparent: traceparent ?? undefined,
    fingerprint: fingerprint?.toString('hex'),
    created_at: createdAt,
  })
  const judged = (): JudgedEvent => ({
    center_id: centerId,
    id: uuid,
    decision_id: decisionId,
    type,
    actor,
    action,
    ai_context: aiContext ?? null,
    risk_score: body.riskScore ?? null,
    tags,
    action_digest: digest,
  })
  return { uuid, decisionId, fingerprint, row, judged, event }
}

/** A redacted id is an empty string, because the specification requires the field. */
const shownActor = (actor: object): Event['actor'] => ({ id: '', ...actor }) as Event['actor']

export const eventOf = (row: StoredEventRow): Event => ({
  id: typedId('decisionEvent', row.id),
  decisionId: row.decision_id,
  type: row.type as Event['type'],
  status: row.status as Event['status'],
  actor: shownActor(row.actor),
  action: row.action as Event['action'],
  ...(row.ai_context && { aiContext: row.ai_context }),
  ...(row.risk_score !== null && { riskScore: row.risk_score }),
  ...(row.reason !== null && { reason: row.reason }),
  tags: row.tags,
  actionDigest: row.action_digest,
  actionSalt: row.action_salt,
  occurredAt: row.occurred_at.toISOString(),
  ...(row.traceparent && { traceparent: row.traceparent }),
  evidence: {
    id: typedId('evidence', row.id),
    status: row.chain_hash === null ? 'pending' : 'sealed',
    chainHash: row.chain_hash,
    chainIndex: row.chain_index,
  },
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export const summaryOf = (row: SummaryRow) => ({
  id: typedId('decisionEvent', row.id),
  decisionId: row.decision_id,
  type: row.type as Event['type'],
  status: row.status as Event['status'],
  actor: shownActor(row.actor),
  action: { type: row.action_type },
  tags: row.tags,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
