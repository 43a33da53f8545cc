/** Nodes of a tree, read from tiles. */
import type { Domain } from '@countersign/proof/chain.ts'
import {
  consistencyProof,
  inclusionProof,
  type NodeAt,
  neededNodes,
  type ProofOf,
  type TreeNode,
} from '@countersign/proof/tree.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { tiles } from './queries.ts'
import { hashLength, nodesOf, type TileCache, type TileNodes } from './tile-cache.ts'

const tileHeight = 8

/** The tile of a node, and its position in it. */
function placeOf({ height, index }: TreeNode) {
  const [level, above] = [Math.floor(height / tileHeight), height % tileHeight]
  const perTile = 2 ** (tileHeight - above)
  const n = Math.floor(index / perTile)
  return { level, n, tile: `${level}/${n}`, above, at: index - n * perTile }
}

/** Reads all nodes that a proof needs, with at most one query. */
export async function readNodes(tx: TenantTx, cache: TileCache | null, domain: Domain, of: ProofOf): Promise<NodeAt> {
  const { centerId } = tx.caller
  const found = new Map<string, TileNodes>()
  const missing = new Map<string, { readonly level: number; readonly n: number }>()
  for (const { level, n, tile, above, at } of neededNodes(of).map(placeOf)) {
    const nodes = found.get(tile) ?? cache?.get(centerId, domain, tile)
    // A tile that was incomplete when it was cached may have grown since.
    if (nodes && nodeIn(nodes, above, at)) found.set(tile, nodes)
    else missing.set(tile, { level, n })
  }
  if (missing.size > 0) {
    for (const { level, n, hashes } of await tiles(tx, domain, [...missing.values()])) {
      const [tile, nodes] = [`${level}/${n}`, nodesOf(hashes)]
      found.set(tile, nodes)
      cache?.keep(centerId, domain, tile, nodes)
    }
  }
  return (height, index) => {
    const { tile, above, at } = placeOf({ height, index })
    const node = nodeIn(found.get(tile) ?? [], above, at)
    if (!node) throw new MissingNode()
    return node
  }
}

function nodeIn(nodes: TileNodes, above: number, at: number): Uint8Array | null {
  const node = nodes[above]?.subarray(at * hashLength, (at + 1) * hashLength)
  return node?.length === hashLength ? node : null
}

/** Entries or tiles of the tree are missing. */
class MissingNode extends Error {}

/** Builds a proof from cached tiles or, if that does not hold, from the database; null if neither holds. */
export async function proofThatHolds(
  tx: TenantTx,
  cache: TileCache | null,
  domain: Domain,
  of: ProofOf,
  holds: (proof: readonly Uint8Array[]) => boolean,
): Promise<readonly Uint8Array[] | null> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const proof = proofOf(of, await readNodes(tx, cache, domain, of))
      if (holds(proof)) return proof
    } catch (error) {
      if (!(error instanceof MissingNode)) throw error
    }
    cache?.forget(tx.caller.centerId, domain)
  }
  return null
}

const proofOf = (of: ProofOf, nodeAt: NodeAt): readonly Uint8Array[] =>
  'index' in of ? inclusionProof(of.index, of.size, nodeAt) : consistencyProof(of.oldSize, of.size, nodeAt)
