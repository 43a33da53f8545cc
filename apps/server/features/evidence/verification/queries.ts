/** The records that belong to chain entries. Each function reads one page in one snapshot. */
import type { Json } from '@countersign/proof/canonical.ts'
import type { Domain } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { EntryRow } from '../../../integrity/verify-queries.ts'
import type { ApprovalRow, DpuRow, EventRow } from '../../../sealing/rows.ts'

export type StoredEvent = EventRow & { readonly updated_at: string }

/** An entry of the chain `history` with its stored values; both are null when the row is missing. */
export interface HistoryEntryRow extends EntryRow {
  readonly type: string
  readonly target: string
  readonly disclosed: Readonly<Record<string, Json>> | null
  readonly salts: Readonly<Record<string, string>> | null
}

/** Rows as JSON, so that times and numbers have the form of `cell.open_batch`. */
async function rowsOf<R>(tx: TenantTx, query: ReturnType<typeof sql<{ row: R }>>): Promise<readonly R[]> {
  const { rows } = await query.execute(tx.db)
  return rows.map(({ row }) => row)
}

export const dpusAt = (tx: TenantTx, domain: Domain, from: number, to: number) =>
  rowsOf<DpuRow>(
    tx,
    sql`select row_to_json(u) as row from cell.dpus u
      where center_id = ${tx.caller.centerId} and domain = ${domain} and chain_index between ${from} and ${to}`,
  )

export const eventsOf = (tx: TenantTx, ids: readonly string[]) =>
  rowsOf<StoredEvent>(
    tx,
    sql`select row_to_json(e) as row from cell.decision_events e
      where center_id = ${tx.caller.centerId} and id = any (${ids}::uuid[])`,
  )

export const approvalsOf = (tx: TenantTx, ids: readonly string[]) =>
  rowsOf<ApprovalRow>(
    tx,
    sql`select row_to_json(a) as row from cell.approvals a
      where center_id = ${tx.caller.centerId} and event_id = any (${ids}::uuid[]) order by event_id, position`,
  )

/** The history of these targets, oldest first: the last change of each type and every redaction, or all entries. */
export const changesOf = (tx: TenantTx, targets: readonly string[], which: 'standing' | 'redactions' | 'all') =>
  rowsOf<HistoryEntryRow>(
    tx,
    sql`select row_to_json(c) as row from (
        select e.idx, e.id, e.content, e.previous_hash, e.sealed_at, e.hash, x.disclosed, x.salts, e.target, e.type
        from (
          select *, cell.named_in(content, 'target') as target, cell.named_in(content, 'type') as type,
            row_number() over (
              partition by cell.named_in(content, 'target'), cell.named_in(content, 'type') order by idx desc) as age
          from cell.chain_entries
          where center_id = ${tx.caller.centerId} and domain = 'history'
            and cell.named_in(content, 'target') = any (${targets}::text[])
        ) e left join cell.history x on x.center_id = e.center_id and x.idx = e.idx
        where e.type = 'redaction' or ${which === 'all'} or (e.age = 1 and ${which === 'standing'})) c
      order by c.idx`,
  )

export interface DisclosureRow {
  readonly idx: number
  readonly disclosed: Readonly<Record<string, Json>>
  readonly salts: Readonly<Record<string, string>>
}

export const historyAt = (tx: TenantTx, from: number, to: number) =>
  rowsOf<DisclosureRow>(
    tx,
    sql`select row_to_json(h) as row from cell.history h
      where center_id = ${tx.caller.centerId} and idx between ${from} and ${to}`,
  )

export interface PolicyVersion {
  readonly id: string
  readonly version: number
  readonly policy: string
  readonly digest: string
  readonly deleted: boolean
  readonly created_by: string
  readonly created_at: string
}

export const policyVersionsOf = (tx: TenantTx, ids: readonly string[]) =>
  rowsOf<PolicyVersion>(
    tx,
    sql`select row_to_json(p) as row from cell.policy_versions p
      where center_id = ${tx.caller.centerId} and id = any (${ids}::uuid[])`,
  )

/** The domain and the index that a DPU claims. */
export async function placeOf(tx: TenantTx, id: string): Promise<{ domain: 'dpu' | 'proof'; index: number } | null> {
  const { rows } = await sql<{ domain: 'dpu' | 'proof'; index: number }>`
    select domain, chain_index as index from cell.dpus where center_id = ${tx.caller.centerId} and id = ${id}`.execute(
    tx.db,
  )
  return rows[0] ?? null
}
