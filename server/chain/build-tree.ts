/**
 * Chains that are older than the trees get theirs when they are next appended to. Only once: a chain of which anything
 * was ever signed, and whose tree is gone, has lost it by somebody's hand.
 */
import { emptyFrontier, type Frontier, grow, leafHash } from '@countersign/proof/tree.ts'
import type { BatchTx } from '../data/cells.ts'
import { hasCheckpoint, hashesFrom } from './queries.ts'
import type { HeadRow } from './rows.ts'
import type { Built, LogBook, Tile } from './trees.ts'

export async function buildTrees(
  tx: BatchTx,
  heads: readonly HeadRow[],
  { nameOf, memory }: LogBook,
): Promise<ReadonlyMap<HeadRow, Built>> {
  const built = new Map<HeadRow, Built>()
  for (const head of heads) {
    if (head.frontier !== null || head.next_index === 0 || head.broken_at !== null) continue
    if (memory.of(nameOf(head)) || (await hasCheckpoint(tx, head))) continue
    const tree = await buildTree(tx, head)
    if (tree.frontier.size === head.next_index) built.set(head, tree)
  }
  return built
}

const pageSize = 10_000

async function buildTree(tx: BatchTx, head: HeadRow): Promise<Built> {
  const tiles: Tile[] = []
  let frontier: Frontier = emptyFrontier
  for (let read = pageSize; read === pageSize; ) {
    const hashes = await hashesFrom(tx, head, frontier.size, pageSize)
    const growth = grow(frontier, hashes.map(leafHash))
    tiles.push(...growth.tiles)
    frontier = growth.frontier
    read = hashes.length
  }
  return { frontier, tiles }
}
