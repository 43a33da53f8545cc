/** Every statement that sums up: what is counted, and the sums that are written. */
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { SealedRow, Sum } from './contributions.ts'

const approvalsOf = sql`
  coalesce((select json_agg(json_build_object('position', a.position, 'result', a.result, 'level', a.identity_level,
      'by', a.identity_by, 'reason', case when a.identity_level = 'system' then a.reason end, 'at', a.created_at,
      'opened_at', a.opened_at, 'taken_back', t.position is not null,
      'void', u.prior_controls -> a.position ->> 'void') order by a.position)
    from cell.approvals a left join cell.approval_take_backs t
      on t.center_id = a.center_id and t.event_id = a.event_id and t.position = a.position
    where a.center_id = u.center_id and a.event_id = u.id), '[]')`

const facts = sql`
  u.id as event_id, to_json(e.created_at) #>> '{}' as asked_at, e.actor ->> 'id' as agent,
  case when u.policies is not null then array(select p ->> 'id' from json_array_elements(u.policies) p) end as policies,
  ${approvalsOf} as approvals`

/** The centers with something that is not counted yet. Deliveries are counted again every few minutes at most. */
export async function centersBehind(db: Kysely<never>) {
  const { rows } = await sql<{ center_id: number; deliveries: boolean }>`
    select center_id, bool_or(deliveries) as deliveries from (
      select h.center_id, false as deliveries from cell.chain_heads h left join cell.oversight_marks m using (center_id)
      where h.domain = 'proof' and (h.next_index > coalesce(m.counted_through, 0) or m.counts < ${nowCounted})
      union all
      select c.center_id, false from cell.oversight_corrections c
      union all
      select w.center_id, true from cell.webhook_endpoints w left join cell.oversight_marks m using (center_id)
      where w.last_delivery_at is not null
        and (m.deliveries_at is null or w.last_delivery_at > m.deliveries_at and m.deliveries_at < now() - interval '3 minutes')
    ) each group by center_id`.execute(db)
  return rows
}

interface Marks {
  readonly timezone: string
  readonly counts: number
  readonly counted_through: string
  readonly deliveries_at: Date | null
}

/** What the sums have of a decision; a higher number has everything counted again. */
export const nowCounted = 2

/** In a transaction of its own, so that nobody waits for the commit of the first count. */
export const beginMarks = (tx: TenantTx, timezone: string) =>
  sql`insert into cell.oversight_marks (center_id, timezone, counts)
    values (${tx.caller.centerId}, ${timezone}, ${nowCounted})
    on conflict do nothing`.execute(tx.db)

/** Locked until the commit: one worker at a time. Null while another one has it. */
export async function lockMarks(tx: TenantTx): Promise<Marks | null> {
  const { rows } = await sql<Marks>`
    select timezone, counts, counted_through::text, deliveries_at from cell.oversight_marks
    where center_id = ${tx.caller.centerId} for update skip locked`.execute(tx.db)
  return rows[0] ?? null
}

/** In another time zone, every day is another one; sums of before lack what is counted now. Days of deliveries stay. */
export async function countFromTheBeginning(tx: TenantTx, timezone: string): Promise<Marks> {
  await sql`delete from cell.oversight_sums where center_id = ${tx.caller.centerId}`.execute(tx.db)
  await sql`update cell.oversight_marks set timezone = ${timezone}, counts = ${nowCounted}, counted_through = 0, deliveries_at = null
    where center_id = ${tx.caller.centerId}`.execute(tx.db)
  return { timezone, counts: nowCounted, counted_through: '0', deliveries_at: null }
}

export const moveMark = (tx: TenantTx, through: string) =>
  sql`update cell.oversight_marks set counted_through = ${through}::bigint
    where center_id = ${tx.caller.centerId}`.execute(tx.db)

export const moveDeliveries = (tx: TenantTx, at: Date) =>
  sql`update cell.oversight_marks set deliveries_at = ${at} where center_id = ${tx.caller.centerId}`.execute(tx.db)

/** The next index of the chain. */
export async function nextIndex(tx: TenantTx): Promise<string> {
  const { rows } = await sql<{ next_index: string }>`
    select next_index::text from cell.chain_heads where center_id = ${tx.caller.centerId} and domain = 'proof'`.execute(
    tx.db,
  )
  return rows[0]?.next_index ?? '0'
}

/**
 * The corrections are of the same snapshot: with one, its redaction is in the row too. `limit 1` has each unit looked up by its
 * key; the planner would rather read all of a center's units for each entry before there are statistics of its first large load.
 */
export async function sealedFrom(tx: TenantTx, from: string, limit: number) {
  const { rows } = await sql<SealedRow & { readonly corrections: readonly string[] }>`
    select c.idx::text, c.sealed_at, ${facts},
      array(select k.id::text from cell.oversight_corrections k where k.center_id = c.center_id and k.event_id = u.id) as corrections
    from (
      select center_id, idx, sealed_at from cell.chain_entries
      where center_id = ${tx.caller.centerId} and domain = 'proof' and idx >= ${from}::bigint
      order by idx limit ${limit}) c
    left join lateral (
      select * from cell.dpus d where d.center_id = c.center_id and d.domain = 'proof' and d.chain_index = c.idx limit 1) u on true
    left join cell.decision_events e on e.center_id = u.center_id and e.id = u.id
    order by c.idx`.execute(tx.db)
  return rows
}

interface Correction extends Omit<SealedRow, 'idx'> {
  readonly correction: string
  readonly idx: string | null
  readonly kind: 'person' | 'agent'
  readonly key: string
  readonly position: number | null
}

export async function pendingCorrections(tx: TenantTx): Promise<Correction[]> {
  const { rows } = await sql<Correction>`
    select k.id::text as correction, k.kind, k.key, k.position, u.chain_index::text as idx, '' as sealed_at, ${facts}
    from cell.oversight_corrections k
      left join cell.dpus u on u.center_id = k.center_id and u.id = k.event_id and u.domain = 'proof'
      left join cell.decision_events e on e.center_id = u.center_id and e.id = u.id
    where k.center_id = ${tx.caller.centerId} limit 1000`.execute(tx.db)
  return rows
}

export async function dropCorrections(tx: TenantTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from cell.oversight_corrections
    where center_id = ${tx.caller.centerId} and id = any (${ids}::uuid[])`.execute(tx.db)
}

const sumColumns = sql`step text, kind text, starts date, key text, asked integer, approved integer, refused integer,
  expired integer, withdrawn integer, void integer, opened integer, seals integer, to_decide json, open json, example uuid`

export async function addSums(tx: TenantTx, sums: readonly Sum[]): Promise<void> {
  if (sums.length === 0) return
  await sql`
    insert into cell.oversight_sums as s (step, kind, starts, key, asked, approved, refused, expired, withdrawn, void, opened, seals,
      to_decide, open, example)
    select step, kind, starts, key, asked, approved, refused, expired, withdrawn, void, opened, seals,
      array(select t::integer from json_array_elements_text(to_decide) t),
      array(select t::integer from json_array_elements_text(open) t), example
    from json_to_recordset(${JSON.stringify(sums)}::json) as n (${sumColumns})
    on conflict (center_id, step, kind, starts, key) do update set
      asked = s.asked + excluded.asked, approved = s.approved + excluded.approved, refused = s.refused + excluded.refused,
      expired = s.expired + excluded.expired, withdrawn = s.withdrawn + excluded.withdrawn,
      void = s.void + excluded.void, opened = s.opened + excluded.opened, seals = s.seals + excluded.seals,
      to_decide = cell.add_counts(s.to_decide, excluded.to_decide), open = cell.add_counts(s.open, excluded.open),
      example = coalesce(excluded.example, s.example)`.execute(tx.db)
}

/** Nobody is named who is no longer counted. */
export async function dropEmptySums(tx: TenantTx, sums: readonly Sum[]): Promise<void> {
  await sql`
    delete from cell.oversight_sums s using json_to_recordset(${JSON.stringify(sums)}::json) as n (${sumColumns})
    where s.center_id = ${tx.caller.centerId} and s.step = n.step and s.kind = n.kind and s.starts = n.starts and s.key = n.key
      and s.asked + s.approved + s.refused + s.expired + s.withdrawn + s.void + s.seals = 0`.execute(tx.db)
}

interface DeliveryDay {
  readonly day: string
  readonly succeeded: number
  readonly failed: number
}

export async function attemptsByDay(tx: TenantTx, timezone: string, since: Date): Promise<DeliveryDay[]> {
  const { rows } = await sql<DeliveryDay>`
    select to_char(at at time zone ${timezone}, 'YYYY-MM-DD') as day,
      count(*) filter (where error is null)::int as succeeded, count(*) filter (where error is not null)::int as failed
    from cell.webhook_attempts where center_id = ${tx.caller.centerId} and at >= ${since} group by 1`.execute(tx.db)
  return rows
}

export async function putDeliveryDays(tx: TenantTx, days: readonly DeliveryDay[]): Promise<void> {
  if (days.length === 0) return
  await sql`
    insert into cell.delivery_days (day, succeeded, failed)
    select day, succeeded, failed from json_to_recordset(${JSON.stringify(days)}::json)
      as n (day date, succeeded integer, failed integer)
    on conflict (center_id, day) do update set succeeded = excluded.succeeded, failed = excluded.failed`.execute(tx.db)
}
