/**
 * Chains that are older than the trees get theirs when they are next appended to. Only once: a chain of which anything
 * was ever signed, and whose tree is gone, has lost it by somebody's hand.
 */
import { emptyFrontier, type Frontier, grow, leafHash } from '@countersign/proof/tree.ts'
import type { BatchTx } from '../data/cells.ts'
import { hasCheckpoint, hashesFrom, writeTiles } from './queries.ts'
import type { HeadRow } from './rows.ts'
import { type LogBook, type Tile, tileRow } from './trees.ts'

export async function buildTrees(
  tx: BatchTx,
  heads: readonly HeadRow[],
  { nameOf, memory }: LogBook,
): Promise<ReadonlyMap<HeadRow, Frontier>> {
  const built = new Map<HeadRow, Frontier>()
  for (const head of heads) {
    if (head.frontier !== null || head.next_index === 0 || head.broken_at !== null) continue
    if (memory.of(nameOf(head)) || (await hasCheckpoint(tx, head))) continue
    const { frontier, tiles } = await buildTree(tx, head)
    if (frontier.size !== head.next_index) continue
    await keepTiles(tx, head, tiles)
    built.set(head, frontier)
  }
  return built
}

/** A statement for some of them: those of a million entries would take longer than any statement may. */
const tilesPerStatement = 64

async function keepTiles(tx: BatchTx, head: HeadRow, tiles: readonly Tile[]): Promise<void> {
  // From the lowest level up: a tile stands on those below it.
  const ordered = tiles.toSorted((a, b) => a.level - b.level || a.n - b.n)
  for (let from = 0; from < ordered.length; ) {
    const { level } = ordered[from] as Tile
    const some = ordered.slice(from, from + tilesPerStatement).filter((tile) => tile.level === level)
    await writeTiles(
      tx,
      some.map((tile) => tileRow(head, tile)),
      level,
    )
    from += some.length
  }
}

const pageSize = 10_000

async function buildTree(tx: BatchTx, head: HeadRow): Promise<{ frontier: Frontier; tiles: readonly Tile[] }> {
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
