/** Downloads a chain in constant memory: checks each entry, adds it to the tree and discards it. */
import {
  type ChainEntry,
  type ChainVerdict,
  chainVerifier,
  type Domain,
  emptyFrontier,
  type Frontier,
  grow,
  leafHash,
  rootOf,
} from '@countersign/proof'
import type { ValuedEntry } from './entry-lines.ts'

export interface DownloadPlan {
  readonly domain: Domain
  readonly log: string
  /** Entries after the checkpoint are left to the next audit. */
  readonly size: number
  /** Sizes at which to return the tree, smallest first. */
  readonly stops: readonly number[]
  /** Entries whose leaves to return. */
  readonly samples: readonly number[]
  readonly arrived: (done: number) => void
  readonly watch: (entry: ValuedEntry) => void
}

export interface Download {
  readonly verdict: ChainVerdict
  readonly found: number
  readonly root: Uint8Array
  readonly frontier: Frontier
  readonly frontiers: ReadonlyMap<number, Frontier>
  readonly leaves: ReadonlyMap<number, Uint8Array>
}

const atOnce = 1024

export async function downloadTree(
  entries: AsyncGenerator<readonly ValuedEntry[]>,
  { domain, log, size, stops, samples, arrived, watch }: DownloadPlan,
): Promise<Download> {
  const verifier = chainVerifier({ log, domain })
  const wanted = new Set(samples)
  const leaves = new Map<number, Uint8Array>()
  const frontiers = new Map<number, Frontier>()
  const ends = new Set(stops)
  let frontier = emptyFrontier
  let waiting: Uint8Array[] = []
  let found = 0

  function settle(): void {
    frontier = grow(frontier, waiting).frontier
    waiting = []
    if (ends.has(found)) frontiers.set(found, frontier)
  }
  settle()
  for await (const batch of size > 0 ? entries : []) {
    for (const entry of batch.slice(0, size - found)) {
      const before = verifier.result().log
      verifier.add(entry)
      watch(entry)
      // The tree before a statement of succession, which names its root.
      if (found > 0 && verifier.result().log !== before) {
        ends.add(found)
        settle()
      }
      const leaf = leafOf(entry)
      if (wanted.has(found)) leaves.set(found, leaf)
      waiting.push(leaf)
      found++
      if (waiting.length === atOnce || ends.has(found)) settle()
    }
    arrived(found)
    if (found === size) break
  }
  settle()
  return { verdict: verifier.result(), found, root: rootOf(frontier), frontier, frontiers, leaves }
}

/** An entry without a hash gets a different leaf: the verifier reports it, and the root differs. */
function leafOf({ hash }: ChainEntry): Uint8Array {
  try {
    return leafHash(hash)
  } catch {
    return new Uint8Array(32)
  }
}
