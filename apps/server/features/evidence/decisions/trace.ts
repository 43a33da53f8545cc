/** The way of a decision: requests, entries of the chains, deliveries. */
import type { getTrace } from '@countersign/contract/console-trace.ts'
import type { Context } from '../../../http/route.ts'
import { recordUuid, timeOfUuid, typedId, typedIds, uuidOf } from '../../../lib/ids.ts'
import { unknownEvent } from '../decision-events/api.ts'
import { findDetails } from './queries.ts'
import { auditOf, auditOfRequest, deliveriesAbout, entriesOf, type TracedDeliveryRow } from './trace-queries.ts'

type TraceContext = Pick<Context<typeof getTrace.spec>, 'tx' | 'params' | 'principal'>

async function eventOf({ tx, params: { id } }: TraceContext): Promise<string | null> {
  const request = uuidOf('request', id)
  if (request === null) return recordUuid(id)
  const entries = await auditOfRequest(tx, id, new Date(timeOfUuid(request)))
  return entries.map(({ target_id }) => recordUuid(target_id)).find((uuid) => uuid !== null) ?? null
}

const deliveryOf = (row: TracedDeliveryRow, url: string) => ({
  eventId: row.public_id ?? typedId('webhookEvent', row.event_id),
  eventType: row.event_type,
  createdAt: row.created_at.toISOString(),
  webhookId: typedId('webhook', row.webhook_id),
  url,
  state: row.state,
  attempts: row.attempts,
  attemptedAt: row.attempted_at?.toISOString() ?? null,
  responseStatus: row.response_status,
  nextRetryAt: row.next_at?.toISOString() ?? null,
})

export async function trace(context: TraceContext) {
  const { tx, principal } = context
  const uuid = await eventOf(context)
  const row = uuid === null ? undefined : await findDetails(tx, uuid)
  if (!row) throw unknownEvent()
  const targets = typedIds(row.id, 'decisionEvent', 'dpu', 'evidence')
  const audit = await auditOf(tx, row.id, targets)
  const entries = await entriesOf(tx, row.id, targets)
  const instants = [
    new Date(row.created_at),
    ...audit.map(({ occurred_at }) => occurred_at),
    ...(row.approvals ?? []).map(({ created_at }) => new Date(created_at)),
    ...entries.map(({ sealed_at }) => new Date(sealed_at)),
  ].filter((at) => Number.isFinite(at.getTime()))
  const deliveries = await deliveriesAbout(tx, targets[0].slice(-26), instants)
  const isAdmin = principal.entered.role === 'ADMIN'
  return {
    eventId: targets[0],
    decisionId: row.decision_id,
    status: row.status as 'recorded',
    recordedAt: new Date(row.created_at).toISOString(),
    recordedBy: row.recorded_by,
    requests: audit.map(({ occurred_at, request_id: requestId, actor_id: actorId, type, action }) => ({
      at: occurred_at.toISOString(),
      requestId,
      actorId,
      type,
      action,
    })),
    entries: entries.map(({ domain, idx, hash, sealed_at, type }) => ({
      domain,
      index: idx,
      hash,
      sealedAt: sealed_at,
      type,
    })),
    deliveries: deliveries.map((each) => deliveryOf(each, isAdmin ? each.url : '')),
  }
}
