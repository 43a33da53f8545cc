/** What is known about one decision, from its audit entries to the deliveries of its events. */
import type { Domain } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import { packedId } from '../../../audit/packed-id.ts'
import type { TenantTx } from '../../../data/cells.ts'

export interface TracedAudit {
  readonly occurred_at: Date
  readonly request_id: string
  readonly actor_id: string | null
  readonly type: string
  readonly action: string
  readonly target_id: string
}

const maxRows = 100

const traced = sql`occurred_at, request_id, actor_id, type, coalesce(details ->> 'action', '') as action, target_id`

/** `record`: the decision that they name. Its seal is found by its unit. */
export async function auditOf(
  tx: TenantTx,
  record: string,
  targets: readonly string[],
): Promise<readonly TracedAudit[]> {
  const center = tx.caller.centerId
  const { rows } = await sql<TracedAudit>`
    select * from (
      (select ${traced}, id from cell.audit_entries
        where center_id = ${center} and target_id = any (${targets}::text[]) order by occurred_at, id limit ${maxRows})
      union all
      select ${traced}, id from cell.seal_audit_entries
        where center_id = ${center} and event_id = ${record}
          and occurred_at = (select closed_at from cell.dpus where center_id = ${center} and id = ${record})
          and chain_index = (select chain_index from cell.dpus where center_id = ${center} and id = ${record})) e
    order by occurred_at, id limit ${maxRows}`.execute(tx.db)
  return rows
}

/** Entries have no index by request: the id of a request has its time, and its entries are written soon after. */
export async function auditOfRequest(tx: TenantTx, requestId: string, at: Date): Promise<readonly TracedAudit[]> {
  const soon = sql`center_id = ${tx.caller.centerId}
    and occurred_at between ${at}::timestamptz - interval '5 seconds' and ${at}::timestamptz + interval '60 seconds'`
  const { rows } = await sql<TracedAudit>`
    select * from (
      select ${traced}, id from cell.audit_entries where ${soon} and request_id = ${requestId}
      union all
      select ${traced}, id from cell.seal_audit_entries where ${soon} and request = ${packedId(requestId)}::bytea) e
    order by occurred_at, id limit ${maxRows}`.execute(tx.db)
  return rows
}

export interface TracedEntryRow {
  readonly domain: Domain
  readonly idx: number
  readonly hash: string
  readonly sealed_at: string
  readonly type: string | null
}

export async function entriesOf(
  tx: TenantTx,
  id: string,
  targets: readonly string[],
): Promise<readonly TracedEntryRow[]> {
  const { rows } = await sql<TracedEntryRow>`
    select domain, idx, hash, sealed_at, type from cell.chain_entries
    where center_id = ${tx.caller.centerId} and domain = 'proof' and id = ${id}
    union all
    select domain, idx, hash, sealed_at, type from cell.chain_entries
    where center_id = ${tx.caller.centerId} and domain = 'history' and target = any (${targets}::text[])
    order by sealed_at, domain desc, idx limit ${maxRows}`.execute(tx.db)
  return rows
}

export interface TracedDeliveryRow {
  readonly event_id: string
  readonly public_id: string | null
  readonly event_type: string
  readonly created_at: Date
  readonly webhook_id: string
  readonly url: string
  readonly state: string
  readonly attempts: number
  readonly attempted_at: Date | null
  readonly response_status: number | null
  readonly next_at: Date | null
}

/**
 * Events are found by their time, which is that of what they report, and by the id in their data: all ids of a decision
 * have the same digits.
 */
export async function deliveriesAbout(
  tx: TenantTx,
  digits: string,
  instants: readonly Date[],
): Promise<readonly TracedDeliveryRow[]> {
  const { rows } = await sql<TracedDeliveryRow>`
    select d.event_id, e.public_id, d.event_type, d.created_at, d.webhook_id, w.url,
      case when d.held then 'held' when d.next_at is not null then 'pending' else d.status end as state,
      d.attempts, d.attempted_at, d.response_status, d.next_at
    from (
      select distinct e.id, e.public_id, e.created_at
      from unnest(${instants.map((at) => at.toISOString())}::timestamptz[]) t (at) cross join lateral (
        select * from cell.webhook_events e
        where e.center_id = ${tx.caller.centerId} and e.created_at between t.at - interval '50 ms' and t.at + interval '50 ms'
          and position(${digits} in e.data) > 0 limit ${maxRows}) e) e
    join cell.webhooks w on w.center_id = ${tx.caller.centerId}
    join cell.webhook_deliveries d on d.center_id = ${tx.caller.centerId} and d.webhook_id = w.id and d.event_id = e.id
    order by d.created_at, d.event_id, d.webhook_id limit ${maxRows}`.execute(tx.db)
  return rows
}
