/** A decision event as it comes, as it is stored and as it is answered. Pure. */
import type { DecisionEvent, NewDecisionEvent } from '@countersign/contract/decision-events.ts'
import { actionDigest } from '@countersign/proof/action-digest.ts'
import { fieldList } from '@countersign/proof/decision-fields.ts'
import type { Static } from 'typebox'
import { type EventRow, isoOf, valuesIn } from '../../../governance/rows.ts'
import { newActionSalt, newUuid, recordUuid, typedId, typedIds } from '../../../lib/ids.ts'
import { refusedField } from '../../../lib/problem.ts'
import type { SummaryRow } from './list-queries.ts'
import type { StoredEventRow } from './queries.ts'

type EventBody = Static<typeof NewDecisionEvent>
export type Event = Static<typeof DecisionEvent>

/** A caller's clock may be wrong by a time zone. A decision further in the future is refused. */
const maxAheadMs = 24 * 3600 * 1000

/** The time that the caller states, in the stored form. */
function occurredAtOf(stated: string, at: number): string {
  const time = Date.parse(stated.toUpperCase())
  if (time > at + maxAheadMs) {
    throw refusedField(
      'occurredAt',
      'is more than 24 hours in the future; send the time at which the decision was made',
    )
  }
  return new Date(time).toISOString()
}

/** What the service knows of a decision when it comes; the body has the rest. */
export interface EventFacts {
  readonly centerId: number
  readonly at: number
  /** The API key; null for a decision of the service itself. */
  readonly recordedBy: string | null
  readonly traceparent: string | null
  /** The caller's key, which becomes the decisionId, and the fingerprint of the request that it names. */
  readonly key: { readonly name: string; readonly fingerprint: Buffer } | null
}

export const hexOf = (fingerprint: Buffer): string => `\\x${fingerprint.toString('hex')}`

/** The only place that makes an event: whether a program records it, an agent asks, or a member changes a rule. */
export function newEvent(body: Omit<EventBody, 'idempotencyKey'>, facts: EventFacts): EventRow {
  const { centerId, at, recordedBy, traceparent, key } = facts
  const id = newUuid(at)
  const createdAt = new Date(at).toISOString()
  const salt = newActionSalt()
  const row: Record<string, unknown> = {
    center_id: centerId,
    id,
    decision_id: key?.name ?? typedIds(id, 'decision')[0],
    status: 'recorded',
    fingerprint: key && hexOf(key.fingerprint),
    action_digest: actionDigest(salt, body),
    action_salt: salt,
    created_at: createdAt,
    updated_at: createdAt,
  }
  for (const { name, column } of fieldList) row[column] = (body as Readonly<Record<string, unknown>>)[name] ?? null
  // What the service says itself, or says in another form than the body.
  row.tags ??= []
  row.occurred_at = body.occurredAt === undefined ? createdAt : occurredAtOf(body.occurredAt, at)
  if (body.replaces !== undefined) row.replaces = recordUuid(body.replaces)
  row.recorded_by = recordedBy
  row.traceparent = traceparent
  return row as unknown as EventRow
}

/** A redacted id is an empty string, because the specification requires the field. */
const shownActor = (actor: object): Event['actor'] => ({ id: '', ...actor }) as Event['actor']

/** Who recorded it and what it replaces are for the details of a decision. */
const shownFields = fieldList.filter(({ name }) => name !== 'recordedBy' && name !== 'replaces')

/** Of a stored event with its place in the chain, or of a new one. */
export function eventOf(row: EventRow | StoredEventRow): Event {
  const [id, evidenceId] = typedIds(row.id, 'decisionEvent', 'evidence')
  const { chain_hash: chainHash = null, chain_index: chainIndex = null } = row as Partial<StoredEventRow>
  const event: Record<string, unknown> = valuesIn(row, shownFields)
  event.id = id
  event.decisionId = row.decision_id
  event.status = row.status
  event.actor = shownActor(row.actor)
  event.actionDigest = row.action_digest
  event.actionSalt = row.action_salt
  event.evidence = { id: evidenceId, status: chainHash === null ? 'pending' : 'sealed', chainHash, chainIndex }
  event.createdAt = isoOf(row.created_at)
  event.updatedAt = isoOf(row.updated_at)
  return event as unknown as Event
}

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
