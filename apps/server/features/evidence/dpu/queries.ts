import type { RaiseStatement } from '@countersign/proof/passkey.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { ApprovalRow, DpuRow, EventRow, PolicyRow } from '../../../governance/rows.ts'
import { typedIds, uuidOf } from '../../../lib/ids.ts'

export interface DpuEntryRow {
  readonly idx: number
  readonly content: string
  readonly hash: string
  readonly previous_hash: string | null
  readonly sealed_at: string
}

export interface HistoryRow extends DpuEntryRow {
  readonly disclosed: Record<string, unknown>
  readonly salts: Record<string, string>
}

export interface DpuRecord {
  readonly dpu: DpuRow
  readonly entry: DpuEntryRow | null
  /** The hash of the previous entry, as stored in that entry. */
  readonly predecessor: string | null
  readonly event: EventRow | null
  readonly approvals: readonly ApprovalRow[] | null
  readonly history: readonly HistoryRow[] | null
}

/** A DPU with everything that its proof needs, in one round trip. */
export async function findDpu(tx: TenantTx, id: string): Promise<DpuRecord | undefined> {
  const center = tx.caller.centerId
  const targets = typedIds(id, 'dpu', 'evidence')
  const { rows } = await sql<DpuRecord>`
    select row_to_json(u) as dpu, row_to_json(e) as entry, p.hash as predecessor, row_to_json(d) as event,
      (select json_agg(row_to_json(a) order by a.position) from cell.approvals a
        where a.center_id = u.center_id and a.event_id = d.id) as approvals,
      (select json_agg(row_to_json(h) order by h.idx) from (
        select c.idx, c.content, c.hash, c.previous_hash, c.sealed_at, x.disclosed, x.salts
        from cell.chain_entries c left join cell.history x on x.center_id = c.center_id and x.idx = c.idx
        where c.center_id = ${center} and c.domain = 'history'
          and c.target = any (${targets}::text[])) h) as history
    from cell.dpus u
      left join cell.chain_entries e on e.center_id = u.center_id and e.domain = u.domain and e.idx = u.chain_index
      left join cell.chain_entries p on p.center_id = u.center_id and p.domain = u.domain and p.idx = u.chain_index - 1
      left join cell.decision_events d on u.domain = 'proof' and d.center_id = u.center_id and d.id = u.id
    where u.center_id = ${center} and u.id = ${id}`.execute(tx.db)
  return rows[0]
}

/** A DPU with its index, without its changes, which may be many and which few readers need. */
export async function findInChain(
  tx: TenantTx,
  id: string,
): Promise<(Pick<DpuRecord, 'dpu' | 'entry' | 'event'> & { readonly redacted: readonly string[] }) | undefined> {
  const { centerId } = tx.caller
  const { rows } = await sql<DpuRecord & { redacted: string[] }>`
    select row_to_json(u) as dpu, row_to_json(e) as entry, row_to_json(d) as event,
      cell.redacted_paths(${centerId}, ${typedIds(id, 'dpu', 'evidence')}::text[]) as redacted
    from cell.dpus u
      left join cell.chain_entries e on e.center_id = u.center_id and e.domain = u.domain and e.idx = u.chain_index
      left join cell.decision_events d on u.domain = 'proof' and d.center_id = u.center_id and d.id = u.id
    where u.center_id = ${centerId} and u.id = ${id}`.execute(tx.db)
  return rows[0]
}

/** The statement that this member asked for, to raise the level of this record. */
export async function raiseStatement(
  tx: TenantTx,
  challenge: string,
  dpuId: string,
  actorId: string,
): Promise<RaiseStatement | undefined> {
  const { rows } = await sql<{ statement: RaiseStatement }>`
    select statement from cell.approval_challenges
    where center_id = ${tx.caller.centerId} and challenge = ${challenge} and dpu_id = ${dpuId}
      and actor_id = ${actorId}`.execute(tx.db)
  return rows[0]?.statement
}

export interface CountRow {
  readonly vertical: string
  readonly evidence_level: string
  readonly dpus: number
}

/** Sums of counters. Row-level security selects them: those of one center, or with the public role those of all. */
export async function dpuCounts(db: TenantTx['db']): Promise<readonly CountRow[]> {
  const { rows } = await sql<CountRow>`
    select vertical, evidence_level, sum(dpus)::bigint as dpus from cell.dpu_counts group by 1, 2`.execute(db)
  return rows
}

/** Versions of policies as they are stored; one that is not stored has no text. */
export async function policyTexts(
  tx: TenantTx,
  named: readonly { readonly id: string; readonly version: number }[],
): Promise<readonly PolicyRow[]> {
  const wanted = named.flatMap(({ id, version }) => {
    const uuid = uuidOf('policy', id)
    return uuid === null ? [] : [{ id: uuid, version }]
  })
  if (wanted.length === 0) return []
  const { rows } = await sql<{ texts: readonly PolicyRow[] }>`
    select cell.pinned_policies(${tx.caller.centerId}, ${JSON.stringify(wanted)}::json) as texts`.execute(tx.db)
  return rows[0]?.texts ?? []
}
