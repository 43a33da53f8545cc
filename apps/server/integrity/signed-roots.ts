/**
 * Compares a chain with its signed roots. Hashes and links show only that the rows are consistent with each other; an
 * attacker who rewrites all rows makes them consistent again, but cannot rewrite the signed roots or the checkpoints
 * that this server remembers outside the database.
 */
import type { Domain } from '@countersign/proof/chain.ts'
import { decodeFrontier, emptyFrontier, type Frontier, grow, leafHash, rootOf } from '@countersign/proof/tree.ts'
import type { TenantTx } from '../data/cells.ts'
import { confirmedOf, type Signed as FenceSigned } from '../sealing/fence/fence.ts'
import { inHex, isSigned, lineIfConfirmed } from '../sealing/log-keys.ts'
import { type LogBook, treeIsGone } from '../sealing/trees.ts'
import type { Finding } from './scan.ts'
import { type Head, lineAt, readGenerations, someCheckpoints } from './verify-queries.ts'

interface SignedRoot {
  readonly size: number
  readonly root: string
  readonly fault: string | null
  /** True for a checkpoint from the database, false for one that this server remembers. */
  readonly stored: boolean
}

/** The signed roots to compare a chain with, read before the chain. */
export interface Signed {
  readonly log: string
  readonly roots: readonly SignedRoot[]
  /** The newest checkpoint that this server remembers. The chain can only have grown since. */
  readonly remembered: number
}

/** Enough samples to report roughly where a rewritten chain departs from the signed one. */
const spread = 64

/** What the fence has confirmed of each log, in the generation that the database has. */
export interface Remembered {
  readonly generation: number
  readonly confirmed: FenceSigned | undefined
}

/** Must be called before the heads are read: a later checkpoint may cover entries that were appended after them. */
export async function rememberedOf(tx: TenantTx, book: LogBook): Promise<ReadonlyMap<Domain, Remembered>> {
  const rows = (await readGenerations(tx)).map((row) => ({
    ...row,
    log: book.nameOf({ center_id: tx.caller.centerId, ...row }),
  }))
  const known = await book.fenceOf(tx.cell).read(rows.map(({ log }) => log))
  return new Map(
    rows.map(({ domain, generation, log }) => [domain, { generation, confirmed: known.of(log).confirmed }]),
  )
}

export async function readSigned(
  tx: TenantTx,
  book: LogBook,
  { domain, generation, next_index: below }: Pick<Head, 'domain' | 'generation' | 'next_index'>,
  before: Remembered | undefined,
  samples = spread,
): Promise<Signed> {
  const place = { center_id: tx.caller.centerId, domain }
  const log = book.nameOf({ ...place, generation })
  // A process whose key was stolen lacks the new one, and would take its signatures for forged.
  book.keys.signing()
  const rows = await someCheckpoints(tx, domain, Math.min(below, Number.MAX_SAFE_INTEGER), samples)
  // What was confirmed of an earlier generation is lost, and declared.
  const remembered = before?.generation === generation ? before.confirmed : undefined
  const signed: SignedRoot[] = []
  for (const { generation: of, size, root, line, identity } of rows) {
    // The end of a closed log may never have been signed. The roots of later generations cover it.
    if (of < generation && line === null) continue
    const [seen, named] = [{ size, root: inHex(root) }, book.nameOf({ ...place, generation: of })]
    const found = line ?? (await lineMeanwhile(tx, book, domain, named, seen, identity))
    const isOurs = isSigned(named, book.keys, found, seen)
    signed.push({
      ...seen,
      fault: isOurs ? null : `the checkpoint of ${size} entries is not signed by us`,
      stored: true,
    })
  }
  const known = remembered && remembered.size <= below ? [{ ...remembered, fault: null, stored: false }] : []
  const roots = [...signed, ...known].sort((a, b) => a.size - b.size)
  return { log, roots, remembered: remembered?.size ?? 0 }
}

/**
 * The newest checkpoint is stored without a signature until its log is continued or has rested. It counts if the fence has
 * confirmed it, or confirms it now because the process of its batch died.
 */
async function lineMeanwhile(
  tx: TenantTx,
  { keys, fenceOf }: LogBook,
  domain: Domain,
  log: string,
  seen: { readonly size: number; readonly root: string },
  identity: string | null,
): Promise<string | null> {
  const fence = fenceOf(tx.cell)
  if (!fence.knowsDatabases) return null
  const size = (await confirmedOf(fence, log))?.size ?? 0
  if (size < seen.size && (await fence.shownUpTo(identity, log, seen)) < seen.size) return null
  return (await lineIfConfirmed(fence, keys, log, seen)) ?? lineAt(tx, domain, seen.size)
}

/** Waiting leaves survive minor garbage collections and fill the heap until a major one, so few may wait at a time. */
const maxLeaves = 32

/** Builds the tree during the scan and keeps its root at every signed size. */
export interface TreeWalk {
  add(hash: string): void
  /** Of the entries so far. */
  frontier(): Frontier
  /** Called after the last entry. Null when the chain matches the signed roots. */
  finding(head: Head, length: number): Finding | null
}

/** From `start` on, whose root was compared before; smaller roots are not compared again. */
export function treeWalk({ roots: all, remembered }: Signed, start: Frontier = emptyFrontier): TreeWalk {
  const roots = all.filter(({ size }) => size > start.size)
  const wanted = new Set(roots.map(({ size }) => size))
  const walked = new Map<number, string>()
  let frontier = start
  let leaves: Uint8Array[] = []
  let readable = true
  const advance = () => {
    if (leaves.length > 0) frontier = grow(frontier, leaves).frontier
    leaves = []
  }
  const rootFault = ({ size, root, fault }: SignedRoot): string | null =>
    fault ?? (walked.get(size) === root ? null : `the first ${size} entries are not those that were signed`)

  return {
    add(hash) {
      try {
        if (readable) leaves.push(leafHash(hash))
      } catch {
        // A value that is not a hash is reported by the chain verifier.
        readable = false
      }
      const size = frontier.size + leaves.length
      if (!wanted.has(size)) {
        if (leaves.length >= maxLeaves) advance()
        return
      }
      advance()
      walked.set(size, inHex(rootOf(frontier)))
    },
    frontier() {
      advance()
      return frontier
    },
    finding(head, length) {
      advance()
      let [covered, stored] = [start.size, start.size]
      for (const signed of roots) {
        const reason = rootFault(signed)
        if (reason !== null) return { at: covered, reason: `${reason}; from here on no signature covers it` }
        covered = signed.size
        if (signed.stored) stored = signed.size
      }
      if (remembered > length) {
        const reason = `this server has seen a signed checkpoint at ${remembered} entries, but the chain has only ${length}`
        return { at: length, reason }
      }
      if (length === 0) return null
      if (stored < length) return { at: stored, reason: 'from here on no signed checkpoint covers it' }
      return frontierFault(head, inHex(rootOf(frontier)), length)
    },
  }
}

function frontierFault({ frontier, next_index }: Head, root: string, length: number): Finding | null {
  const at = Math.max(0, length - 1)
  try {
    if (frontier && inHex(rootOf(decodeFrontier(next_index, frontier))) === root) return null
  } catch {
    return { at, reason: treeIsGone }
  }
  return { at, reason: frontier ? "the chain's stored tree doesn't match its entries" : treeIsGone }
}
