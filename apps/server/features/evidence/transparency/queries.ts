import type { Domain } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { statement } from '../../../data/prepared.ts'

export interface CheckpointRow {
  /** Of the log that it is a checkpoint of. */
  readonly generation: number
  readonly size: number
  readonly root: Buffer
  /** Our signature; null where the newest checkpoint was not continued yet. */
  readonly line: string | null
  readonly cosignatures: readonly { readonly witness: string; readonly line: string }[] | null
  readonly token: Buffer | null
  /** The database that the row was read from. */
  readonly identity: string | null
  /** The hash of the requested entry; null when the entry is missing. */
  readonly hash?: string | null
}

const checkpoint = (tx: TenantTx, domain: Domain) => sql`
  select c.generation, c.size, c.root, o.line, t.token, (select cell.database_identity()) as identity, (
    select json_agg(json_build_object('witness', s.witness, 'line', s.line) order by s.witness) from cell.cosignatures s
    where s.center_id = c.center_id and s.domain = c.domain and s.size = c.size) as cosignatures
  from cell.checkpoints c left join cell.timestamps t using (center_id, domain, size)
    left join cell.signatures o using (center_id, domain, size)
  where c.center_id = ${tx.caller.centerId} and c.domain = ${domain}`

export async function checkpointAt(tx: TenantTx, domain: Domain, size: number): Promise<CheckpointRow | undefined> {
  const { rows } = await sql<CheckpointRow>`${checkpoint(tx, domain)} and c.size = ${size}`.execute(tx.db)
  return rows[0]
}

/** The checkpoints of these sizes, smallest first. */
export async function checkpointsBetween(
  tx: TenantTx,
  domain: Domain,
  { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<readonly CheckpointRow[]> {
  const { rows } = await sql<CheckpointRow>`
    ${checkpoint(tx, domain)} and c.size > ${after} and c.size <= ${upTo} order by c.size limit ${limit}`.execute(tx.db)
  return rows
}

/** The largest checkpoint up to this size that has a stored signature. */
export async function newestSigned(tx: TenantTx, domain: Domain, size: number): Promise<CheckpointRow | undefined> {
  const { rows } = await sql<CheckpointRow>`
    ${checkpoint(tx, domain)} and c.size = (
      select max(s.size) from cell.signatures s
      where s.center_id = ${tx.caller.centerId} and s.domain = ${domain} and s.size <= ${size})`.execute(tx.db)
  return rows[0]
}

/** The statement that begins a generation, and the newest signed checkpoint of the log before. */
export interface SuccessionRow {
  readonly domain: Domain
  readonly generation: number
  readonly index: number
  readonly content: string
  readonly hash: string
  readonly previousHash: string | null
  readonly sealedAt: string
  /** Null where no signature was restored. */
  readonly closed_size: number | null
}

export async function readSuccessions(tx: TenantTx, domains: readonly Domain[]): Promise<readonly SuccessionRow[]> {
  const { rows } = await sql<SuccessionRow>`
    select g.domain, g.generation, e.idx as index, e.content, e.hash, e.previous_hash as "previousHash",
      e.sealed_at as "sealedAt", (
      select max(o.size) from cell.signatures o where o.center_id = g.center_id and o.domain = g.domain
        and o.size <= g.restored_size) as closed_size
    from cell.log_generations g join cell.chain_entries e
      on e.center_id = g.center_id and e.domain = g.domain and e.idx = g.restored_size
    where g.center_id = ${tx.caller.centerId} and g.domain = any (${domains}::text[])
    order by g.domain, g.generation`.execute(tx.db)
  return rows
}

const newestOf = (more = '') => `
  select c.generation, c.size, c.root, (select cell.database_identity()) as identity, (
    select o.line from cell.signatures o
    where o.center_id = c.center_id and o.domain = c.domain and o.size = c.size) as line, (
    select t.token from cell.timestamps t
    where t.center_id = c.center_id and t.domain = c.domain and t.size = c.size) as token, (
    select json_agg(json_build_object('witness', s.witness, 'line', s.line) order by s.witness) from cell.cosignatures s
    where s.center_id = c.center_id and s.domain = c.domain and s.size = c.size) as cosignatures${more}
  from cell.checkpoints c where c.center_id = $1 and c.domain = $2 order by c.size desc limit 1`
const entryHash = 'select hash from cell.chain_entries where center_id = $1 and domain = $2 and idx = $3'

const newest = statement<CheckpointRow>(newestOf())
const newestWithEntry = statement<CheckpointRow>(newestOf(`, (${entryHash}) as hash`))

export const newestCheckpoint = async (tx: TenantTx, domain: Domain): Promise<CheckpointRow | undefined> =>
  (await newest(tx, tx.caller.centerId, domain))[0]

/** The checkpoint with the hash of one entry, the start of its proof. */
export const newestCheckpointFor = async (
  tx: TenantTx,
  domain: Domain,
  index: number,
): Promise<CheckpointRow | undefined> => (await newestWithEntry(tx, tx.caller.centerId, domain, index))[0]

/**
 * Candidate checkpoints for an entry, not all of them confirmed: the newest, the newest ones with cosignatures (several, because each may lack
 * some of the required witnesses), the newest with a time stamp, and the one of its own batch, which holds even if
 * later entries were changed.
 */
export async function checkpointsOver(tx: TenantTx, domain: Domain, index: number): Promise<readonly CheckpointRow[]> {
  const center = tx.caller.centerId
  const { rows } = await sql<CheckpointRow>`
    ${checkpoint(tx, domain)} and c.size in (
      (select size from cell.checkpoints where center_id = ${center} and domain = ${domain} order by size desc limit 1)
      union all (select size from cell.cosignatures where center_id = ${center} and domain = ${domain} and size > ${index}
        group by size order by size desc limit 5)
      union all (select size from cell.checkpoints where center_id = ${center} and domain = ${domain} and size > ${index}
        order by size limit 1)
      union all (select size from cell.timestamps where center_id = ${center} and domain = ${domain} and size > ${index}
        order by size desc limit 1))
      and c.size > ${index}
    order by c.size desc`.execute(tx.db)
  return rows
}

export interface TileRow {
  readonly level: number
  readonly n: number
  readonly hashes: Buffer
}

/** Looked up by key: with a join, the planner would read all tiles of the log. */
const wantedTiles = statement<TileRow>(`
  select w.level, w.n, coalesce((
    select t.hashes from cell.tree_tiles t
    where t.center_id = $1 and t.domain = $2 and t.level = w.level and t.n = w.n
  ), cell.tile_hashes($1, $2, w.level, w.n), '') as hashes
  from json_to_recordset($3) as w (level integer, n bigint)`)

/** Stored complete tiles, and the incomplete last tile of each level. */
export const tiles = (
  tx: TenantTx,
  domain: Domain,
  wanted: readonly { readonly level: number; readonly n: number }[],
): Promise<readonly TileRow[]> => wantedTiles(tx, tx.caller.centerId, domain, JSON.stringify(wanted))

const hashOf = statement<{ hash: string }>(entryHash)

export const hashAt = async (tx: TenantTx, domain: Domain, index: number): Promise<string | undefined> =>
  (await hashOf(tx, tx.caller.centerId, domain, index))[0]?.hash
