/** The tree over a chain, as its head has it. */
import { decodeFrontier, emptyFrontier, type Frontier } from '@countersign/proof/tree.ts'
import type { HeadRow } from './head-row.ts'

/** Null when it does not fit the size of the chain. */
export function readFrontier({ next_index, frontier }: HeadRow): Frontier | null {
  if (next_index === 0 && frontier === null) return emptyFrontier
  if (frontier === null) return null
  try {
    return decodeFrontier(next_index, Buffer.from(frontier.slice(2), 'hex'))
  } catch {
    return null
  }
}
