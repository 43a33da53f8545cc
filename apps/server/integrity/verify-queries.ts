/** What verification reads of the chains, and what it writes about them. */
import { type Domain, domains } from '@countersign/proof/chain.ts'
import type { ChainHead } from '@countersign/proof/verify-chain.ts'
import { type Kysely, sql } from 'kysely'
import { pageBytes } from '../data/byte-pages.ts'
import type { TenantTx } from '../data/cells.ts'
import type { CopiedRow } from '../data/copy-out.ts'
import { entryText } from '../data/stored-entry.ts'

export interface EntryRow {
  readonly idx: number
  readonly id: string
  readonly content: string
  readonly previous_hash: string | null
  readonly sealed_at: string
  readonly hash: string
}

/** Makes all statements of the transaction see one snapshot. Must be called before the first of them. */
export async function inOneMoment(tx: TenantTx): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(tx.db)
}

/**
 * Entries in chain order, after one index and below another: at most `limit`, and as many as fit into a page. None only
 * when there are no more. The length of a text is read without the text.
 */
export async function entriesAfter(
  tx: TenantTx,
  domain: Domain,
  after: number,
  below: number,
  limit: number,
): Promise<readonly EntryRow[]> {
  const { rows } = await sql<Omit<EntryRow, 'content'> & { template: string; digits: string | null }>`
    select idx, id, template, encode(hashes, 'hex') as digits, 'sha256:' || encode(previous_hash, 'hex') as previous_hash,
      sealed_at, 'sha256:' || encode(hash, 'hex') as hash
    from (
      select *, sum(bytes) over (order by idx rows unbounded preceding) - bytes as before
      from (
        -- Each hash is 71 characters of the text, and a phrase about 22.
        select *, octet_length(template) + coalesce(octet_length(hashes), 0) / 32 * 70
          + (octet_length(template) - octet_length(replace(template, e'\\x02', ''))) * 20 as bytes
        from cell.entries) sized
      where center_id = ${tx.caller.centerId} and domain = ${domain} and idx > ${after} and idx < ${below}
      order by idx limit ${limit}) e
    where before < ${pageBytes} order by idx`.execute(tx.db)
  return rows.map(({ template, digits, ...row }) => ({ ...row, content: entryText(template, digits) }))
}

/** An entry from a scan. */
export interface ScannedEntry {
  readonly index: number
  readonly uuid: string
  readonly hash: string
  readonly previousHash: string | null
  readonly sealedAt: string
  readonly content: string
}

const hashOf = (row: CopiedRow, column: number): string | null => {
  const digits = row.hex(column)
  return digits === null ? null : `sha256:${digits}`
}

/** As `entriesAfter`, without building strings and rows. Returns the number of entries. */
export async function streamEntries(
  tx: TenantTx,
  domain: Domain,
  after: number,
  below: number,
  limit: number,
  onEntry: (entry: ScannedEntry) => void,
): Promise<number> {
  // COPY takes no parameters, so only checked values go into its text.
  if (!domains.includes(domain) || ![tx.caller.centerId, after, below, limit].every(Number.isSafeInteger)) {
    throw new Error('not a place in a chain')
  }
  let entries = 0
  await tx.copy(
    `select e.idx::text, e.id::text, e.hash, e.previous_hash, e.sealed_at, e.template, e.hashes from cell.entries e
     where e.center_id = ${tx.caller.centerId} and e.domain = '${domain}' and e.idx > ${after} and e.idx < ${below}
     order by e.idx limit ${limit}`,
    (row) => {
      entries++
      onEntry({
        index: Number(row.text(0)),
        uuid: row.text(1) as string,
        hash: hashOf(row, 2) as string,
        previousHash: hashOf(row, 3),
        sealedAt: row.text(4) as string,
        content: entryText(row.text(5) as string, row.hex(6)),
      })
    },
  )
  return entries
}

export interface Head {
  readonly domain: Domain
  readonly exists: boolean
  readonly generation: number
  readonly next_index: number
  readonly last_hash: string | null
  readonly last_sealed_at: string | null
  readonly broken_at: number | null
  /** Null while the chain is empty. */
  readonly frontier: Buffer | null
  /** There are entries after the end that the head names, or before the first index. */
  readonly overrun: boolean
  readonly underrun: boolean
}

/** The heads of all domains in one snapshot. A batch writes entries and head together, so they must agree in it. */
export async function readHeads(tx: TenantTx): Promise<readonly Head[]> {
  const { rows } = await sql<Head>`
    select d.domain, h.domain is not null as exists, coalesce(h.generation, 1) as generation,
      coalesce(h.next_index, 0) as next_index, h.last_hash,
      h.last_sealed_at, h.broken_at, h.frontier,
      exists (select from cell.chain_entries e where e.center_id = ${tx.caller.centerId} and e.domain = d.domain
        and e.idx >= coalesce(h.next_index, 0)) as overrun,
      exists (select from cell.chain_entries e where e.center_id = ${tx.caller.centerId} and e.domain = d.domain
        and e.idx < 0) as underrun
    from unnest(array['proof', 'dpu', 'history']) d (domain)
      left join cell.chain_heads h on h.center_id = ${tx.caller.centerId} and h.domain = d.domain`.execute(tx.db)
  return rows
}

/** The generation of each log of the center. */
export async function readGenerations(tx: TenantTx): Promise<readonly Pick<Head, 'domain' | 'generation'>[]> {
  const { rows } = await sql<Pick<Head, 'domain' | 'generation'>>`
    select d.domain, coalesce(h.generation, 1) as generation from unnest(array['proof', 'dpu', 'history']) d (domain)
      left join cell.chain_heads h on h.center_id = ${tx.caller.centerId} and h.domain = d.domain`.execute(tx.db)
  return rows
}

interface SampledCheckpoint {
  readonly generation: number
  readonly size: number
  readonly root: Buffer
  readonly line: string | null
  readonly identity: string | null
}

/** The checkpoint of this size, and a sample of smaller ones, spread over the whole chain. */
export async function someCheckpoints(tx: TenantTx, domain: Domain, size: number, some: number) {
  const center = tx.caller.centerId
  const { rows } = await sql<SampledCheckpoint>`
    select c.generation, c.size, c.root, o.line, (select cell.database_identity()) as identity
    from (
      select distinct c.generation, c.size, c.root from generate_series(1, ${some}::integer) part cross join lateral (
        select generation, size, root from cell.checkpoints
        where center_id = ${center} and domain = ${domain} and size <= ${size}::bigint * part / ${some}::integer
        order by size desc limit 1) c) c
      left join cell.signatures o on o.center_id = ${center} and o.domain = ${domain} and o.size = c.size
    order by c.size`.execute(tx.db)
  return rows
}

/** Our signature over the checkpoint of this size. */
export async function lineAt(tx: TenantTx, domain: Domain, size: number): Promise<string | null> {
  const { rows } = await sql<{ line: string }>`
    select line from cell.signatures
    where center_id = ${tx.caller.centerId} and domain = ${domain} and size = ${size}`.execute(tx.db)
  return rows[0]?.line ?? null
}

/**
 * Keeps the lowest broken index. Returns true when this is a new finding. A finding about an earlier generation of the
 * log is not kept: a loss was declared meanwhile.
 */
export async function markBroken(tx: TenantTx, domain: Domain, index: number, generation = 0): Promise<boolean> {
  const { rows } = await sql`
    insert into cell.chain_heads as h (center_id, domain, broken_at)
    values (${tx.caller.centerId}, ${domain}, ${index})
    on conflict (center_id, domain) do update set broken_at = excluded.broken_at
      where (h.broken_at is null or h.broken_at > excluded.broken_at) and ${generation} in (0, h.generation)
    returning 1`.execute(tx.db)
  return rows.length === 1
}

export type VerificationMode = 'chain' | 'records'

/** Where a verification without a fault ended, to continue from. */
export interface Reached {
  readonly generation: number
  readonly head: ChainHead
  /** In base64. */
  readonly frontier: string
}

export interface ChainCheck {
  readonly domain: Domain
  readonly mode: VerificationMode
  readonly scannedTo: number
  readonly headHash: string | null
  readonly brokenAt: number | null
  readonly reason: string | null
  readonly verifiedAt: Date
  readonly reached: Reached | null
}

/** Stores the result of a verification. A result that started earlier does not overwrite a newer one. */
export async function keepCheck(tx: TenantTx, check: ChainCheck): Promise<void> {
  const { domain, mode, scannedTo, headHash, brokenAt, reason, verifiedAt, reached } = check
  await sql`
    insert into cell.chain_checks as c (center_id, domain, mode, scanned_to, head_hash, broken_at, reason, verified_at, reached)
    values (${tx.caller.centerId}, ${domain}, ${mode}, ${scannedTo}, ${headHash}, ${brokenAt}, ${reason}, ${verifiedAt},
      ${reached && JSON.stringify(reached)})
    on conflict (center_id, domain, mode) do update set scanned_to = excluded.scanned_to,
      head_hash = excluded.head_hash, broken_at = excluded.broken_at, reason = excluded.reason,
      verified_at = excluded.verified_at, reached = excluded.reached
      where c.verified_at <= excluded.verified_at`.execute(tx.db)
}

/** The last verdict on each chain of the center in each mode. */
export async function readChecks(tx: TenantTx) {
  const { rows } = await sql<Omit<ChainCheck, 'headHash' | 'reached'>>`
    select domain, mode, scanned_to as "scannedTo", broken_at as "brokenAt", reason, verified_at as "verifiedAt"
    from cell.chain_checks where center_id = ${tx.caller.centerId} order by domain, mode`.execute(tx.db)
  return rows.map((row) => ({ ...row, verifiedAt: row.verifiedAt.toISOString() }))
}

/** Where the last verification of records ended, by domain; without those that found a fault. */
export async function readReached(tx: TenantTx): Promise<ReadonlyMap<Domain, Reached>> {
  const { rows } = await sql<{ domain: Domain; reached: Reached }>`
    select domain, reached from cell.chain_checks
    where center_id = ${tx.caller.centerId} and mode = 'records' and broken_at is null and reached is not null`.execute(
    tx.db,
  )
  return new Map(rows.map(({ domain, reached }) => [domain, reached]))
}

/** Leaves the time of the full verification unchanged. */
export async function keepReached(tx: TenantTx, domain: Domain, reached: Reached): Promise<void> {
  await sql`
    update cell.chain_checks set reached = ${JSON.stringify(reached)}
    where center_id = ${tx.caller.centerId} and domain = ${domain} and mode = 'records' and broken_at is null`.execute(
    tx.db,
  )
}

/** Centers with entries after what was reached. Chains that are marked wait for a full verification. */
export async function grownCenters(db: Kysely<never>): Promise<readonly number[]> {
  const { rows } = await sql<{ center_id: number }>`
    select distinct h.center_id from cell.chain_heads h join cell.chain_checks c
      on c.center_id = h.center_id and c.domain = h.domain and c.mode = 'records' and c.broken_at is null
    where not h.closed and h.broken_at is null and h.next_index > coalesce((c.reached #>> '{head,chainLength}')::bigint, 0)
    order by h.center_id`.execute(db)
  return rows.map((row) => row.center_id)
}

/** When the records of all three chains were last compared with their commitments; null when they never were. */
export async function recordsCheckedAt(tx: TenantTx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select min(verified_at) as at from cell.chain_checks
    where center_id = ${tx.caller.centerId} and mode = 'records' having count(*) = 3`.execute(tx.db)
  return rows[0]?.at ?? null
}

/**
 * All centers of a cell that have or had a chain, ordered by the time of their last full verification, oldest first.
 */
export async function centersToVerify(db: Kysely<never>): Promise<readonly number[]> {
  const { rows } = await sql<{ center_id: number }>`
    select center_id from (select center_id from cell.chain_heads where not closed
        union select center_id from cell.chain_checks) all_centers
      left join (select center_id, min(verified_at) as verified_at from cell.chain_checks where mode = 'records'
        group by center_id) checks using (center_id)
    order by verified_at nulls first, center_id`.execute(db)
  return rows.map((row) => row.center_id)
}

export async function countBroken(db: Kysely<never>): Promise<number> {
  const { rows } = await sql<{ broken: number }>`
    select count(*) as broken from cell.chain_heads where broken_at is not null`.execute(db)
  return rows[0]?.broken ?? 0
}

export interface BrokenRow {
  readonly center_id: number
  readonly domain: Domain
  readonly broken_at: number
}

/** The chains that are marked, over all centers of a cell. */
export async function readBroken(db: Kysely<never>, most: number): Promise<readonly BrokenRow[]> {
  const { rows } = await sql<BrokenRow>`
    select center_id, domain, broken_at from cell.chain_heads where broken_at is not null
    order by center_id, domain limit ${most}`.execute(db)
  return rows
}

/** The index that was marked, or null when the chain was not marked. */
export async function unmark(tx: TenantTx, domain: Domain): Promise<number | null> {
  const { rows } = await sql<{ broken_at: number }>`
    update cell.chain_heads h set broken_at = null
    from (select center_id, domain, broken_at from cell.chain_heads
      where center_id = ${tx.caller.centerId} and domain = ${domain} and broken_at is not null for update) old
    where h.center_id = old.center_id and h.domain = old.domain
    returning old.broken_at`.execute(tx.db)
  return rows[0]?.broken_at ?? null
}
