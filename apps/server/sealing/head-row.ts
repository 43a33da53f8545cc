/** The end of a chain, as the database has it and as the batch continues it. */
import type { Domain } from '@countersign/proof/chain.ts'
import { decodeFrontier, emptyFrontier, type Frontier } from '@countersign/proof/tree.ts'

export interface HeadRow {
  readonly center_id: number
  readonly domain: Domain
  /** Of the log that the next entry belongs to. */
  generation: number
  next_index: number
  last_hash: string | null
  last_sealed_at: string | null
  broken_at: number | null
  /** The center has left. */
  readonly closed: boolean
  /** The roots of the complete subtrees in PostgreSQL's hex format; null while the chain is empty. */
  frontier: string | null
  /** The newest signature of the log, read where the fence does not know the head. */
  signed?: { readonly size: number; readonly line: string }
}

/** The tree over the chain. Null when it does not fit the size of the chain. */
export function readFrontier({ next_index, frontier }: HeadRow): Frontier | null {
  if (next_index === 0 && frontier === null) return emptyFrontier
  if (frontier === null) return null
  try {
    return decodeFrontier(next_index, Buffer.from(frontier.slice(2), 'hex'))
  } catch {
    return null
  }
}
