/** The checkpoints that witnesses and the time-stamping authority have not seen yet, and their answers. */
import type { Domain } from '@countersign/proof/chain.ts'
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { WitnessFigures } from '../../../lib/metrics-scanned.ts'

export interface LogName {
  readonly center_id: number
  readonly domain: Domain
}

export interface Unseen extends LogName {
  /** The size up to which the witness has cosigned; for it, a later generation is a new log. */
  readonly seen: number
  /** After a refusal. */
  readonly due_at: Date | null
}

/** These logs, or with null all of the cell. */
const among = (logs: readonly LogName[] | null) =>
  logs === null
    ? sql`cell.chain_heads h`
    : sql`unnest(${logs.map((each) => each.center_id)}::integer[], ${logs.map((each) => each.domain)}::text[]) k (center_id, domain)
        join cell.chain_heads h using (center_id, domain)`

/** Logs that have grown since this witness cosigned; those that have waited longest for a retry come first. */
export async function unseenBy(
  db: Kysely<never>,
  witness: string,
  logs: readonly LogName[] | null,
  limit: number,
): Promise<readonly Unseen[]> {
  const { rows } = await sql<Unseen>`
    select h.center_id, h.domain, case when p.size > coalesce(g.restored_size, 0) then p.size else 0 end as seen,
      p.retry_at as due_at
    from ${among(logs)} left join cell.witness_positions p
      on p.center_id = h.center_id and p.domain = h.domain and p.witness = ${witness}
      left join cell.log_generations g on g.center_id = h.center_id and g.domain = h.domain and g.generation = h.declared
    where not h.closed and h.next_index > coalesce(p.size, 0)
    order by p.retry_at nulls first, h.center_id limit ${limit}`.execute(db)
  return rows
}

export interface Growth {
  /** From which mark on the next call has to read, so that it misses no batch that was not committed. */
  readonly horizon: number
  readonly heads: readonly (LogName & { readonly next_index: number })[]
}

/** The logs whose last batch has this mark or a later one. With null, or a mark that is still to come, none. */
export async function grownSince(db: Kysely<never>, from: number | null): Promise<Growth> {
  const { rows } = await sql<{ horizon: number } & Growth['heads'][number]>`
    select n.horizon, h.center_id, h.domain, h.next_index
    from (select countersign.horizon() as horizon) n
      left join cell.chain_heads h on h.grown >= ${from}::bigint and n.horizon >= ${from}::bigint and not h.closed`.execute(
    db,
  )
  return { horizon: rows[0]?.horizon as number, heads: rows.filter(({ center_id }) => center_id !== null) }
}

/** How far each witness is, over all logs of the cell. */
export async function witnessFigures(db: Kysely<never>, names: readonly string[]): Promise<readonly WitnessFigures[]> {
  if (names.length === 0) return []
  const { rows } = await sql<WitnessFigures>`
    select w.name as witness, (count(*) filter (where h.next_index > coalesce(p.size, 0)))::integer as behind,
      count(p.refusal)::integer as refusing
    from unnest(${names}::text[]) w (name) cross join cell.chain_heads h
      left join cell.witness_positions p on p.center_id = h.center_id and p.domain = h.domain and p.witness = w.name
    where not h.closed group by w.name`.execute(db)
  return names.map((witness) => rows.find((row) => row.witness === witness) ?? { witness, behind: 0, refusing: 0 })
}

export async function keepCosignature(
  tx: TenantTx,
  domain: Domain,
  size: number,
  witness: string,
  line: string,
  at: Date,
): Promise<void> {
  await sql`
    insert into cell.cosignatures (center_id, domain, size, witness, line, cosigned_at)
    values (${tx.caller.centerId}, ${domain}, ${size}, ${witness}, ${line}, ${at}) on conflict do nothing`.execute(
    tx.db,
  )
  await sql`
    insert into cell.witness_positions as p (center_id, domain, witness, size)
    values (${tx.caller.centerId}, ${domain}, ${witness}, ${size})
    on conflict (center_id, domain, witness) do update set size = greatest(p.size, excluded.size), refusal = null,
      retry_at = null`.execute(tx.db)
}

/** Returns true when the reason differs from the previous one. */
export async function keepRefusal(
  tx: TenantTx,
  domain: Domain,
  witness: string,
  refusal: string,
  retryAt: Date,
): Promise<boolean> {
  const { rows } = await sql<{ refusal: string | null }>`
    select refusal from cell.witness_positions
    where center_id = ${tx.caller.centerId} and domain = ${domain} and witness = ${witness}`.execute(tx.db)
  await sql`
    insert into cell.witness_positions (center_id, domain, witness, refusal, retry_at)
    values (${tx.caller.centerId}, ${domain}, ${witness}, ${refusal}, ${retryAt})
    on conflict (center_id, domain, witness) do update set refusal = excluded.refusal, retry_at = excluded.retry_at`.execute(
    tx.db,
  )
  return rows[0]?.refusal !== refusal
}

/** Logs that have grown since their last time stamp, each due `every` seconds after that. */
export async function unstamped(
  db: Kysely<never>,
  logs: readonly LogName[] | null,
  every: number,
  limit: number,
): Promise<readonly (LogName & { readonly due_at: Date | null })[]> {
  const { rows } = await sql<LogName & { due_at: Date | null }>`
    select h.center_id, h.domain, t.stamped_at + make_interval(secs => ${every}) as due_at
    from ${among(logs)} left join lateral (
      select size, stamped_at from cell.timestamps t where t.center_id = h.center_id and t.domain = h.domain
      order by size desc limit 1) t on true
    where not h.closed and h.next_index > coalesce(t.size, 0)
    order by t.stamped_at nulls first, h.center_id limit ${limit}`.execute(db)
  return rows
}

export async function keepTimestamp(
  tx: TenantTx,
  domain: Domain,
  size: number,
  token: Buffer,
  at: Date,
): Promise<void> {
  await sql`
    insert into cell.timestamps (center_id, domain, size, token, stamped_at)
    values (${tx.caller.centerId}, ${domain}, ${size}, ${token}, ${at}) on conflict do nothing`.execute(tx.db)
}
