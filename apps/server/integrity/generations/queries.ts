/** What the declaration of a loss reads of a cell's database, over all centers. */
import type { Domain } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { Cell, TenantTx } from '../../data/cells.ts'

export interface RestoredHead {
  readonly identity: string | null
  readonly center_id: number
  readonly domain: Domain
  /** The name of the first generation of the log. */
  readonly first: string
  readonly generation: number
  readonly next_index: number
  /** In hex; null where the checkpoint of the head is gone. */
  readonly root: string | null
  /** The newest checkpoint with a signature. */
  readonly signed_generation: number | null
  readonly signed_size: number | null
  readonly signed_root: string | null
  readonly line: string | null
}

interface Wanted {
  readonly center_id: number
  readonly domain: string
  readonly first: string
}

/** A chain of which nothing was restored has an empty head. */
export const restoredHeads = (cell: Cell, wanted: readonly Wanted[]): Promise<readonly RestoredHead[]> =>
  cell.asJobs(async (db) => {
    const { rows } = await sql<RestoredHead>`
      select w.center_id, w.domain, w.first, coalesce(h.generation, 1) as generation,
        coalesce(h.next_index, 0) as next_index, encode(c.root, 'hex') as root, s.generation as signed_generation,
        s.size as signed_size, encode(s.root, 'hex') as signed_root, s.line,
        (select cell.database_identity()) as identity
      from json_to_recordset(${JSON.stringify(wanted)}) as w (center_id integer, domain text, first text)
        left join cell.chain_heads h on h.center_id = w.center_id and h.domain = w.domain
        left join cell.checkpoints c on c.center_id = w.center_id and c.domain = w.domain and c.size = h.next_index
        left join lateral (
          select k.generation, k.size, k.root, o.line
          from cell.signatures o join cell.checkpoints k using (center_id, domain, size)
          where o.center_id = w.center_id and o.domain = w.domain and o.size <= h.next_index
          order by o.size desc limit 1) s on true`.execute(db)
    return rows
  })

export interface DeclaredLoss {
  readonly domain: Domain
  readonly generation: number
  /** Indexes of the first and the last lost entry. */
  readonly lostFrom: number
  readonly lostTo: number
  /** When the last restored entry was sealed; null where none was. */
  readonly after: string | null
  /** When it was declared. */
  readonly until: Date
}

/** Of one center, the newest first. */
export async function declaredLosses(tx: TenantTx): Promise<readonly DeclaredLoss[]> {
  const { rows } = await sql<DeclaredLoss>`
    select g.domain, g.generation, g.restored_size as "lostFrom", g.lost_size - 1 as "lostTo", e.sealed_at as after,
      g.declared_at as until
    from cell.log_generations g left join cell.chain_entries e
      on (e.center_id, e.domain, e.idx) = (g.center_id, g.domain, g.restored_size - 1)
    where g.center_id = ${tx.caller.centerId} order by g.declared_at desc, g.domain limit 100`.execute(tx.db)
  return rows
}
