/** Nodes of a tree, computed from the tiles that hold what is below them. */
import type { Domain } from '@countersign/proof/chain.ts'
import { type NodeAt, neededNodes, nodeHash, type ProofOf, type TreeNode } from '@countersign/proof/tree.ts'
import type { TenantTx } from '../../data/cells.ts'
import { type TileRow, tiles } from './queries.ts'

const tileHeight = 8
const tileWidth = 256
const hashLength = 32

/** Which hashes of which tile a node is the root of. */
function placeOf({ height, index }: TreeNode) {
  const level = Math.floor(height / tileHeight)
  const width = 2 ** (height % tileHeight)
  const first = index * width
  const n = Math.floor(first / tileWidth)
  return { level, n, first: first - n * tileWidth, width }
}

const keyOf = ({ level, n }: { level: number; n: number }): string => `${level}/${n}`

/** Everything that a proof needs, in one look at the database. */
export async function readNodes(tx: TenantTx, domain: Domain, of: ProofOf): Promise<NodeAt> {
  const wanted = new Map(neededNodes(of).map((node) => [keyOf(placeOf(node)), placeOf(node)]))
  const places = Array.from(wanted.values(), ({ level, n }) => ({ level, n }))
  const rows: readonly TileRow[] = places.length === 0 ? [] : await tiles(tx, domain, places)
  const found = new Map(rows.map((row) => [keyOf(row), row.hashes]))
  return (height, index) => {
    const place = placeOf({ height, index })
    return rootWithin(found.get(keyOf(place)) ?? Buffer.alloc(0), place.first, place.width)
  }
}

function rootWithin(tile: Buffer, first: number, width: number): Uint8Array {
  if (width === 1) return hashIn(tile, first)
  const half = width / 2
  return nodeHash(rootWithin(tile, first, half), rootWithin(tile, first + half, half))
}

function hashIn(tile: Buffer, at: number): Uint8Array {
  const hash = tile.subarray(at * hashLength, (at + 1) * hashLength)
  if (hash.length !== hashLength) throw new MissingNode()
  return hash
}

/** Entries or tiles that belong to the tree are not there any more. */
export class MissingNode extends Error {}
