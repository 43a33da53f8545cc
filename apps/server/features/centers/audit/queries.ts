/** Audit entries of one center, in the directory or in its cell: both have the same tables. */
import type { AuditType } from '@countersign/contract/enums.ts'
import { recordKinds } from '@countersign/contract/ids.ts'
import { type RawBuilder, sql } from 'kysely'
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

/** Each filter has an index in the order of the list. */
export async function newest(
  tx: Tx,
  filter: AuditFilter,
  after: Position | null,
  most: number,
): Promise<readonly Position[]> {
  const onwards = after ? sql`and (occurred_at, id) < (${after.occurred_at}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<Position>`
    select id, occurred_at from ${entries(tx)} where ${matching(tx, filter)} ${onwards}
    order by occurred_at desc, id desc limit ${most}`.execute(dbOf(tx))
  return rows
}

export async function entriesOf(tx: Tx, ids: readonly string[]): Promise<readonly AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select id, type, occurred_at, actor_id, target_type, target_id, details from ${entries(tx)}
    where center_id = ${tx.caller.centerId} and id = any (${ids}::uuid[])`.execute(dbOf(tx))
  return rows
}

type Counts = readonly { readonly type: AuditType; readonly entries: number }[]

/** Counts rows: only for filters that match few of them. */
async function counted(tx: Tx, filter: AuditFilter): Promise<Counts> {
  const { rows } = await sql<Counts[number]>`
    select type, count(*)::int as entries from ${entries(tx)} where ${matching(tx, filter)} group by type`.execute(
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
