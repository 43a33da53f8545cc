/** Lists of units, newest first. An id has the time at which the unit, or its decision, was recorded. */
import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

export interface DpuFilter {
  readonly evidenceLevel?: string
  /** Each must be a label of the unit. */
  readonly labels: readonly string[]
  readonly from?: string
  readonly to?: string
}

export interface DpuSummaryRow {
  readonly id: string
  readonly domain: 'dpu' | 'proof'
  readonly chain_index: number
  readonly content: string | null
  readonly evidence_level: string
  readonly reference_type: string | null
  readonly reference_id: string | null
  readonly workflow_id: string | null
  readonly tags: string[] | null
  readonly created_by: { readonly id: string; readonly name?: string } | null
  readonly created_at: string
  readonly updated_at: Date
  readonly sealed_at: Date | null
}

/** The least UUIDv7 of this time. */
function firstUuidAt(time: string): string {
  const hex = Math.max(0, Math.ceil(Date.parse(time.toUpperCase())))
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}

/** The first label leads the search, otherwise the level or the id: each has an index in the order of the list. */
function sourceOf(tx: TenantTx, { evidenceLevel, labels, from, to }: DpuFilter): RawBuilder<unknown> {
  const center = tx.caller.centerId
  const [leading, ...others] = labels
  const id = leading === undefined ? sql`u.id` : sql`l.id`
  const conditions = [
    ...(evidenceLevel === undefined ? [] : [sql`u.evidence_level = ${evidenceLevel}`]),
    ...others.map(
      (label) =>
        sql`exists (select from cell.dpu_labels o where o.center_id = ${center} and o.label = ${label} and o.id = u.id)`,
    ),
    ...(from === undefined ? [] : [sql`${id} >= ${firstUuidAt(from)}::uuid`]),
    ...(to === undefined ? [] : [sql`${id} < ${firstUuidAt(to)}::uuid`]),
  ]
  const and = conditions.map((each) => sql` and ${each}`)
  return leading === undefined
    ? sql`cell.dpus u where u.center_id = ${center}${sql.join(and, sql``)}`
    : sql`cell.dpu_labels l join cell.dpus u on u.center_id = l.center_id and u.id = l.id
        where l.center_id = ${center} and l.label = ${leading} and u.center_id = ${center}${sql.join(and, sql``)}`
}

export async function pageOfDpus(
  tx: TenantTx,
  filter: DpuFilter,
  { after, limit, offset }: { after: string | null; limit: number; offset: number },
): Promise<DpuSummaryRow[]> {
  const id = filter.labels.length === 0 ? sql`u.id` : sql`l.id`
  const onwards = after === null ? sql`` : sql`and ${id} < ${after}::uuid`
  const { rows } = await sql<DpuSummaryRow>`
    select u.id, u.domain, u.chain_index, left(coalesce(u.content, e.action ->> 'description', e.action ->> 'type'), 300) as content,
      u.evidence_level, u.reference_type, u.reference_id, u.origin ->> 'workflowId' as workflow_id,
      coalesce(u.tags, e.tags) as tags, coalesce(u.created_by, e.actor) as created_by,
      coalesce(to_json(e.created_at) #>> '{}', c.sealed_at) as created_at, u.updated_at, u.sealed_at
    from (select u.* from ${sourceOf(tx, filter)} ${onwards} order by ${id} desc limit ${limit} offset ${offset}) u
      left join cell.decision_events e on u.domain = 'proof' and e.center_id = u.center_id and e.id = u.id
      left join cell.chain_entries c on c.center_id = u.center_id and c.domain = u.domain and c.idx = u.chain_index
    order by u.id desc`.execute(tx.db)
  return rows
}

export async function dpuExists(tx: TenantTx, id: string): Promise<boolean> {
  const { rows } = await sql`select from cell.dpus where center_id = ${tx.caller.centerId} and id = ${id}`.execute(
    tx.db,
  )
  return rows.length === 1
}

/** Counts rows: for filters other than the level, which has counters. */
export async function countDpus(tx: TenantTx, filter: DpuFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sourceOf(tx, filter)}`.execute(tx.db)
  return rows[0]?.n ?? 0
}
