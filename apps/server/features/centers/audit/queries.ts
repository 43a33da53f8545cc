/**
 * Audit entries of one center, in the directory or in its cell. Both have the same tables; a cell has those of seals in a table of
 * their own too, which gives them in the same order.
 */
import type { AuditType } from '@countersign/contract/enums.ts'
import { recordKinds } from '@countersign/contract/ids.ts'
import { type RawBuilder, sql } from 'kysely'
import { packedId } from '../../../audit/packed-id.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { recordUuid, typedIds } from '../../../lib/ids.ts'

export interface AuditRow {
  readonly id: string
  readonly type: AuditType
  readonly occurred_at: Date
  readonly actor_id: string | null
  readonly target_type: string
  readonly target_id: string
  readonly details: Readonly<Record<string, unknown>>
}

export type Position = Pick<AuditRow, 'id' | 'occurred_at'>

export interface AuditFilter {
  readonly type?: AuditType
  readonly actorId?: string
  readonly targetId?: string
  readonly from?: Date
  readonly to?: Date
}

type Tx = TenantTx | DirectoryTx
const dbOf = (tx: Tx) => (tx as DirectoryTx).db
const entries = (tx: Tx) => sql.table(`${tx.store}.audit_entries`)

const all = (conditions: readonly (RawBuilder<unknown> | false | undefined)[]): RawBuilder<unknown> =>
  sql.join(
    conditions.filter((each) => each !== false && each !== undefined),
    sql` and `,
  )

/** What happened to a decision is written under the ids of its event and of its proof unit. */
function namesOfTarget(targetId: string): readonly string[] {
  const record = recordUuid(targetId)
  return record === null ? [targetId] : typedIds(record, ...recordKinds)
}

const matching = (tx: Tx, { type, actorId, targetId, from, to }: AuditFilter): RawBuilder<unknown> =>
  all([
    sql`center_id = ${tx.caller.centerId}`,
    type !== undefined && sql`type = ${type}`,
    actorId !== undefined && sql`actor_id = ${actorId}`,
    targetId !== undefined && sql`target_id = any (${namesOfTarget(targetId)}::text[])`,
    from && sql`occurred_at >= ${from}`,
    to && sql`occurred_at < ${to}`,
  ])

/** Of the seals; null where none can match. A decision's seal is found by its unit. */
function matchingSeals(tx: Tx, { type, actorId, targetId, from, to }: AuditFilter): RawBuilder<unknown> | null {
  const record = targetId === undefined ? undefined : recordUuid(targetId)
  if (tx.store !== 'cell' || (type !== undefined && type !== 'decision.sealed') || record === null) return null
  const center = tx.caller.centerId
  return all([
    sql`center_id = ${center}`,
    actorId !== undefined && sql`actor = ${packedId(actorId)}::bytea`,
    record !== undefined &&
      sql`event_id = ${record}
        and occurred_at = (select closed_at from cell.dpus where center_id = ${center} and id = ${record})
        and chain_index = (select chain_index from cell.dpus where center_id = ${center} and id = ${record})`,
    from && sql`occurred_at >= ${from}`,
    to && sql`occurred_at < ${to}`,
  ])
}

const sealId = sql`cell.seal_entry_id(center_id, occurred_at, chain_index)`

/** Each filter has an index in the order of the list. */
export async function newest(
  tx: Tx,
  filter: AuditFilter,
  after: Position | null,
  most: number,
): Promise<readonly Position[]> {
  const onwards = after ? sql`and (occurred_at, id) < (${after.occurred_at}::timestamptz, ${after.id}::uuid)` : sql``
  const stored = sql`select id, occurred_at from ${entries(tx)} where ${matching(tx, filter)} ${onwards}
    order by occurred_at desc, id desc limit ${most}`
  const seals = matchingSeals(tx, filter)
  const sealsOnwards = after
    ? sql`and occurred_at <= ${after.occurred_at}::timestamptz
        and (occurred_at < ${after.occurred_at}::timestamptz or ${sealId} < ${after.id}::uuid)`
    : sql``
  const { rows } = await sql<Position>`${
    seals
      ? sql`select id, occurred_at from (
          (${stored}) union all
          (select ${sealId}, occurred_at from cell.seal_entries where ${seals} ${sealsOnwards}
            order by occurred_at desc, chain_index desc limit ${most})) e
        order by occurred_at desc, id desc limit ${most}`
      : stored
  }`.execute(dbOf(tx))
  return rows
}

export async function entriesOf(tx: Tx, ids: readonly string[]): Promise<readonly AuditRow[]> {
  const columns = sql`id, type, occurred_at, actor_id, target_type, target_id, details`
  const center = tx.caller.centerId
  // One look-up for each: `limit` keeps the planner from composing all ids of the center.
  const seals = sql`union all select s.* from unnest(${ids}::uuid[]) w (id) cross join lateral (
      select ${columns} from cell.seal_audit_entries
      where center_id = ${center} and occurred_at = cell.seal_entry_time(w.id) and chain_index = cell.seal_entry_index(w.id)
      limit 1) s
    where s.id = w.id`
  const { rows } = await sql<AuditRow>`
    select ${columns} from ${entries(tx)} where center_id = ${center} and id = any (${ids}::uuid[])
    ${tx.store === 'cell' ? seals : sql``}`.execute(dbOf(tx))
  return rows
}

type Counts = readonly { readonly type: AuditType; readonly entries: number }[]

/** Counts rows: only for filters that match few of them. */
async function counted(tx: Tx, filter: AuditFilter): Promise<Counts> {
  const seals = matchingSeals(tx, filter)
  const { rows } = await sql<Counts[number]>`
    select type, count(*)::int as entries from ${entries(tx)} where ${matching(tx, filter)} group by type
    ${seals ? sql`union all select 'decision.sealed', count(*)::int from cell.seal_entries where ${seals}` : sql``}`.execute(
    dbOf(tx),
  )
  return rows
}

const dayMs = 86_400_000
const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / dayMs) * dayMs)

/**
 * The number of entries by type. Whole days (UTC) come from the counts that a trigger keeps; of the days at both ends of the
 * span the entries are counted.
 */
export async function countsByType(tx: Tx, filter: AuditFilter): Promise<Counts> {
  const { from, to, actorId, targetId } = filter
  if (actorId !== undefined || targetId !== undefined) return counted(tx, filter)
  const first = from && startOfDay(new Date(from.getTime() + dayMs - 1))
  const last = to && startOfDay(to)
  if (first && last && first >= last) return counted(tx, filter)
  const day = (time: Date) => time.toISOString().slice(0, 10)
  const { rows: whole } = await sql<Counts[number]>`
    select type, sum(entries)::int as entries from ${sql.table(`${tx.store}.audit_counts`)}
    where ${all([
      sql`center_id = ${tx.caller.centerId}`,
      first && sql`day >= ${day(first)}::date`,
      last && sql`day < ${day(last)}::date`,
    ])}
    group by type`.execute(dbOf(tx))
  const before = from && first && from < first ? await counted(tx, { from, to: first }) : []
  const behind = to && last && last < to ? await counted(tx, { from: last, to }) : []
  return [...whole, ...before, ...behind]
}

export interface NameRow {
  readonly id: string
  readonly name: string
}

/** Names of members, by actor and by membership, and of API keys; of people who have not accepted yet what was sent. */
export async function namesOf(
  tx: DirectoryTx,
  { actors, memberships, keys }: Record<'actors' | 'memberships' | 'keys', readonly string[]>,
): Promise<readonly NameRow[]> {
  const center = tx.caller.centerId
  const { rows } = await sql<NameRow>`
    select actor_id as id, name from directory.memberships
      where center_id = ${center} and actor_id = any (${actors}::uuid[]) and accepted
    union all select id, name from directory.memberships where center_id = ${center} and id = any (${memberships}::uuid[])
    union all select id, name from directory.api_keys where center_id = ${center} and id = any (${keys}::uuid[])`.execute(
    tx.db,
  )
  return rows
}
