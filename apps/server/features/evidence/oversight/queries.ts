/** What the figures are read from: the sums, and the few rows that are not summed up. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { Kind, Step } from './contributions.ts'

export interface SumRow {
  readonly starts: string
  readonly key: string
  readonly asked: number
  readonly approved: number
  readonly refused: number
  readonly expired: number
  readonly withdrawn: number
  readonly void: number
  readonly opened: number
  readonly seals: number
  readonly to_decide: readonly number[]
  readonly open: readonly number[]
}

const columns = sql`to_char(starts, 'YYYY-MM-DD') as starts, key, asked, approved, refused, expired, withdrawn, void, opened, seals,
  array_to_json(to_decide) as to_decide, array_to_json(open) as open`

export interface Counted {
  readonly timezone: string
  /** Entries of the chain that are not counted yet. */
  readonly behind: number
}

export async function countedSoFar(tx: TenantTx): Promise<Counted | null> {
  const { rows } = await sql<Counted>`
    select m.timezone, greatest(0, coalesce((
        select h.next_index from cell.chain_heads h where h.center_id = m.center_id and h.domain = 'proof'), 0)
      - m.counted_through)::int as behind
    from cell.oversight_marks m where m.center_id = ${tx.caller.centerId}`.execute(tx.db)
  return rows[0] ?? null
}

export async function sealedInAll(tx: TenantTx): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select next_index::int as next from cell.chain_heads where center_id = ${tx.caller.centerId} and domain = 'proof'`.execute(
    tx.db,
  )
  return rows[0]?.next ?? 0
}

export async function sumsOf(tx: TenantTx, step: Step, kind: Kind, key: string, from: string): Promise<SumRow[]> {
  const { rows } = await sql<SumRow>`
    select ${columns} from cell.oversight_sums
    where center_id = ${tx.caller.centerId} and step = ${step} and kind = ${kind} and starts >= ${from}::date and key = ${key}
    order by starts`.execute(tx.db)
  return rows
}

/** Of the keys with the most decisions since then. */
export async function sumsOfMost(tx: TenantTx, kind: Kind, from: string, most: number) {
  const { rows } = await sql<SumRow & { readonly example: string | null }>`
    with most as (
      select key from cell.oversight_sums
      where center_id = ${tx.caller.centerId} and step = 'week' and kind = ${kind} and starts >= ${from}::date
      group by key having sum(approved + refused + expired + withdrawn + void) > 0
      order by sum(approved + refused + expired + withdrawn) desc, key limit ${most})
    select ${columns}, example from cell.oversight_sums join most using (key)
    where center_id = ${tx.caller.centerId} and step = 'week' and kind = ${kind} and starts >= ${from}::date
    order by key, starts`.execute(tx.db)
  return rows
}

/** How many keys have decisions since then. */
export async function keysOf(tx: TenantTx, kind: Kind, from: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct key)::int as count from cell.oversight_sums
    where center_id = ${tx.caller.centerId} and step = 'week' and kind = ${kind} and starts >= ${from}::date
      and approved + refused + expired + withdrawn + void > 0`.execute(tx.db)
  return rows[0]?.count ?? 0
}

interface DayCount {
  readonly day: string
  readonly count: number
}

/** What waits now, by the day since when. */
export async function waitingByDay(tx: TenantTx, timezone: string): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select to_char(since at time zone ${timezone}, 'YYYY-MM-DD') as day, count(*)::int as count
    from cell.waiting_decisions where center_id = ${tx.caller.centerId} group by 1`.execute(tx.db)
  return rows
}

export async function deliveriesSince(tx: TenantTx, from: string) {
  const { rows } = await sql<{ day: string; succeeded: number; failed: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, succeeded, failed from cell.delivery_days
    where center_id = ${tx.caller.centerId} and day >= ${from}::date`.execute(tx.db)
  return rows
}

/** The names that decisions have for these agents; a decision that lost it in a redaction names nobody. */
export async function namesOfAgents(tx: TenantTx, examples: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string | null; name: string | null }>`
    select left(actor ->> 'id', 255) as id, actor ->> 'name' as name from cell.decision_events
    where center_id = ${tx.caller.centerId} and id = any (${examples}::uuid[])`.execute(tx.db)
  return new Map(rows.flatMap(({ id, name }) => (id !== null && name ? [[id, name] as const] : [])))
}
