/**
 * Records that claim to be sealed and have no entry. Each check is one statement, so concurrent seals cause no false
 * finding.
 */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

const nextIndex = (centerId: number, domain: string) =>
  sql`(select coalesce(max(next_index), 0) from cell.chain_heads where center_id = ${centerId} and domain = ${domain})`

/** The lowest index outside the chain that a DPU claims. */
export async function strayDpu(tx: TenantTx, domain: 'dpu' | 'proof'): Promise<number | null> {
  const { centerId } = tx.caller
  const { rows } = await sql<{ chain_index: number }>`
    select chain_index from cell.dpus where center_id = ${centerId} and domain = ${domain}
      and (chain_index < 0 or chain_index >= ${nextIndex(centerId, domain)})
    order by chain_index limit 1`.execute(tx.db)
  return rows[0]?.chain_index ?? null
}

/**
 * Whether a DPU claims a chain that does not exist. Three ranges, because an index cannot search for "none of these".
 */
export async function dpuElsewhere(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql`
    select from cell.dpus where center_id = ${tx.caller.centerId}
      and (domain < 'dpu' or (domain > 'dpu' and domain < 'proof') or domain > 'proof') limit 1`.execute(tx.db)
  return rows.length > 0
}

export async function strayHistory(tx: TenantTx): Promise<number | null> {
  const { centerId } = tx.caller
  const { rows } = await sql<{ idx: number }>`
    select idx from cell.history
    where center_id = ${centerId} and (idx < 0 or idx >= ${nextIndex(centerId, 'history')})
    order by idx limit 1`.execute(tx.db)
  return rows[0]?.idx ?? null
}

/** A page of items in the order of their ids. */
export interface LookedAt {
  /** The last of this page; null when there are no more. */
  readonly last: string | null
  readonly stray: string | null
}

/** By id, not by the order of recording, which no proof covers. */
export async function strayEvent(tx: TenantTx, after: string | null, limit: number): Promise<LookedAt> {
  const { rows } = await sql<LookedAt>`
    select max(e.id::text collate "C") as last,
      min(e.id::text) filter (where e.status in ('sealed', 'rejected') and c.id is null) as stray
    from (
      select center_id, id, status from cell.decision_events
      where center_id = ${tx.caller.centerId} ${after === null ? sql`` : sql`and id > ${after}`}
      order by id limit ${limit}
    ) e left join cell.chain_entries c on c.center_id = e.center_id and c.domain = 'proof' and c.id = e.id`.execute(
    tx.db,
  )
  return rows[0] as LookedAt
}

export interface VersionedRecord {
  readonly id: string
  readonly versions: number
}

/** Records with versions, by the type of their entries. */
const versionTables = { policy: 'cell.policy_versions', actionType: 'cell.action_type_versions' } as const
export type VersionedType = keyof typeof versionTables

export async function versionedAfter(
  tx: TenantTx,
  type: VersionedType,
  after: string | null,
  limit: number,
): Promise<readonly VersionedRecord[]> {
  const { rows } = await sql<VersionedRecord>`
    select id, count(*) as versions from ${sql.table(versionTables[type])}
    where center_id = ${tx.caller.centerId} ${after === null ? sql`` : sql`and id > ${after}`}
    group by id order by id limit ${limit}`.execute(tx.db)
  return rows
}

export interface ExecutionSteps {
  readonly event_id: string
  readonly steps: number
}

export async function executionsAfter(
  tx: TenantTx,
  after: string | null,
  limit: number,
): Promise<readonly ExecutionSteps[]> {
  const { rows } = await sql<ExecutionSteps>`
    select event_id, num_nonnulls(consumed_index, outcome_index, later_index) as steps from cell.decision_executions
    where center_id = ${tx.caller.centerId} ${after === null ? sql`` : sql`and event_id > ${after}`}
    order by event_id limit ${limit}`.execute(tx.db)
  return rows
}

/** The number of entries of this type that the chain has about each of these targets. */
export async function entriesAbout(
  tx: TenantTx,
  type: VersionedType | 'execution' | 'passkey' | 'member' | 'group' | 'freeze',
  targets: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ target: string; entries: number }>`
    select target, count(*) as entries from cell.chain_entries
    where center_id = ${tx.caller.centerId} and domain = 'history'
      and target = any (${targets}::text[]) and type = ${type}
    group by 1`.execute(tx.db)
  return new Map(rows.map(({ target, entries }) => [target, entries]))
}
