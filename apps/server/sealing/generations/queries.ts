/** What the declaration of a loss reads of a cell's database, over all centers. */
import type { Domain } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { Cell } from '../../data/cells.ts'

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
