import type { Domain } from '@countersign/proof/chain.ts'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../data/cell.generated.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { EntryRow } from '../../../integrity/verify-queries.ts'

export interface Owner {
  readonly center_id: number
  readonly domain: Domain
}

/**
 * The center of this sealed record. Row-level security shows the public role only the record that its transaction
 * names.
 */
export async function ownerOf(db: Kysely<DB>, uuid: string): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`select center_id, domain from cell.dpus where id = ${uuid}`.execute(db)
  return rows[0] ?? leftOwnerOf(db, uuid)
}

/** The center of this record, where it has left. */
export async function leftOwnerOf(db: Kysely<DB>, uuid: string): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`select center_id, domain from cell.left_records where id = ${uuid}`.execute(db)
  return rows[0]
}

export interface ClosedLog {
  readonly log: string
  readonly size: number
  readonly root: string
  readonly note: string | null
  readonly closed_at: Date
}

export async function closedLog(tx: TenantTx, domain: Domain): Promise<ClosedLog | undefined> {
  const { rows } = await sql<ClosedLog>`
    select log, size, root, note, closed_at from cell.closed_logs
    where center_id = ${tx.caller.centerId} and domain = ${domain}`.execute(tx.db)
  return rows[0]
}

export interface SealedStanding {
  readonly domain: 'proof' | 'dpu'
  readonly index: number
  readonly evidence_level: 'DRAFT' | 'DOCUMENTED' | 'AUDIT_READY'
  readonly sealed_at: Date
  readonly entry: EntryRow | null
  /** The previous entry, as stored. */
  readonly predecessor: { readonly hash: string; readonly sealed_at: string } | null
  readonly broken_at: number | null
  readonly told_at: Date | null
}

/** A sealed record and its neighbors in the chain, in one snapshot. */
export async function standingOf(tx: TenantTx, uuid: string): Promise<SealedStanding | undefined> {
  const { rows } = await sql<SealedStanding>`
    select u.domain, u.chain_index as index, u.evidence_level, coalesce(u.sealed_at, u.updated_at) as sealed_at, row_to_json(e) as entry,
      case when p.idx is not null then json_build_object('hash', p.hash, 'sealed_at', p.sealed_at) end as predecessor,
      h.broken_at, v.told_at
    from cell.dpus u
      left join cell.chain_entries e on e.center_id = u.center_id and e.domain = u.domain and e.idx = u.chain_index
      left join cell.chain_entries p on p.center_id = u.center_id and p.domain = u.domain and p.idx = u.chain_index - 1
      left join cell.chain_heads h on h.center_id = u.center_id and h.domain = u.domain
      left join cell.public_verifications v on v.center_id = u.center_id and v.id = u.id
    where u.center_id = ${tx.caller.centerId} and u.id = ${uuid} 
      and (u.domain = 'proof' or u.evidence_level = 'AUDIT_READY')`.execute(tx.db)
  return rows[0]
}

/** True for one caller per interval. Concurrent callers wait for the first and then get false. */
export async function claimTelling(tx: TenantTx, uuid: string, at: Date, notSince: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into cell.public_verifications as v (center_id, id, told_at) values (${tx.caller.centerId}, ${uuid}, ${at})
    on conflict (center_id, id) do update set told_at = excluded.told_at where v.told_at <= ${notSince}
    returning id`.execute(tx.db)
  return rows.length > 0
}
