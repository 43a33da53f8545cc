/**
 * The trees over the chains that a batch appends to. A chain is continued only from a head that the fence has confirmed
 * or, without a store, that this host signed, so that rewritten rows are never signed with the next seal. With a store the
 * batch writes the signatures of the sizes that it continues, and its own are made after the fence has confirmed them.
 */
import type { Domain } from '@countersign/proof/chain.ts'
import { checkpointText } from '@countersign/proof/checkpoint.ts'
import { isUpTo } from '@countersign/proof/generations.ts'
import {
  decodeFrontier,
  emptyFrontier,
  encodeFrontier,
  type Frontier,
  type Growth,
  grow,
  leafHash,
  rootOf,
} from '@countersign/proof/tree.ts'
import { unavailable } from '../lib/problem.ts'
import type { Fence, Growth as Grown, Known, Lost } from './fence/fence.ts'
import {
  inBase64,
  inHex,
  isSigned,
  type LogKeys,
  type Receipt,
  type SignatureKeeper,
  type SignatureRow,
  unsignedNote,
} from './log-keys.ts'

/** The end of a chain, as the database has it and as the batch continues it. */
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

/** What signing needs, for the life of the process. */
export interface LogBook {
  readonly nameOf: (head: Pick<HeadRow, 'center_id' | 'domain' | 'generation'>) => string
  readonly keys: LogKeys
  readonly fenceOf: (cell: string) => Fence
  /** Signatures of this process that no batch has written yet. */
  readonly resting: SignatureKeeper
}

/** What the trees of a batch need. */
export interface TreeBook extends Pick<LogBook, 'nameOf' | 'keys'> {
  /** Read before the heads were locked. */
  readonly known: Pick<Known, 'of'>
  /** The fence has a store: sizes are signed after it has confirmed them. */
  readonly isFenced: boolean
}

interface NewCheckpointRow {
  readonly center_id: number
  readonly domain: string
  readonly generation: number
  readonly size: number
  readonly root: string
  readonly created_at: string
}

/** The head of a restored chain. */
export interface RestoredHead {
  /** In hex. */
  readonly root: string
  /** The largest size that a signature in the database covers. */
  readonly signed: number
}

interface Unsigned {
  readonly head: HeadRow
  readonly log: string
  readonly size: number
  readonly text: string
}

export interface Trees {
  /** Null when the head is the one that was signed last, otherwise the reason why it is not. */
  fault(head: HeadRow): string | null
  add(head: HeadRow, hash: string): void
  /**
   * Continues a head that lacks confirmed entries under the name of the next generation. Null when the head has this
   * root, and our newest signature in the database covers this size of it; otherwise the reason why it has not.
   */
  succeed(head: HeadRow, generation: number, restored: RestoredHead, lost: readonly Lost[]): string | null
  /** Called after the last append: grows the trees. */
  close(at: string): Promise<void>
  /** Called after the fence has confirmed the batch. Returns the new signatures, which the batch has not written. */
  sign(): Promise<readonly SignatureRow[]>
  /** The receipt of an entry of this batch, once the batch is closed; its checkpoint has no signature before `sign`. */
  receipt(head: HeadRow, index: number): Receipt
  /** The checkpoint of a log, once the batch is closed; without a signature before `sign`. */
  note(head: HeadRow): string
  /** Rows to write with the batch. */
  readonly checkpoints: NewCheckpointRow[]
  readonly signatures: SignatureRow[]
  readonly tiles: object[]
  /** What the fence reserves before the commit and confirms after it, once the batch is closed. */
  readonly grown: Grown[]
}

interface Closed {
  readonly log: string
  readonly growth: Growth
  readonly text: string
  note: string
}

export function makeTrees(book: TreeBook): Trees {
  const { nameOf, keys, known, isFenced } = book
  const frontiers = new Map<HeadRow, Frontier>()
  const leaves = new Map<HeadRow, Uint8Array[]>()
  const closed = new Map<HeadRow, Closed>()
  const successions = new Map<HeadRow, readonly Lost[]>()
  const grown: Grown[] = []
  const checkpoints: NewCheckpointRow[] = []
  const signatures: SignatureRow[] = []
  const tiles: object[] = []
  /** Caches the base64 of each hash, because the receipts of one batch share most hashes. */
  const written = new Map<Uint8Array, string>()
  const inText = (hash: Uint8Array): string => {
    const text = written.get(hash) ?? inBase64(hash)
    written.set(hash, text)
    return text
  }
  async function signed(all: readonly Unsigned[]): Promise<readonly SignatureRow[]> {
    const lines = await keys.signLines(all.map(({ log: origin, text }) => ({ origin, text })))
    return all.map(({ head: { center_id, domain }, size }, at) => ({
      ...{ center_id, domain, size },
      line: lines[at] as string,
    }))
  }
  async function sign(): Promise<readonly SignatureRow[]> {
    const all = Array.from(closed, ([head, { log, growth, text }]) => ({ head, log, size: growth.frontier.size, text }))
    const rows = await signed(all)
    for (const [at, each] of [...closed.values()].entries()) each.note = `${each.text}\n${rows[at]?.line}`
    return rows
  }
  return {
    checkpoints,
    signatures,
    tiles,
    grown,
    fault(head) {
      if (frontiers.has(head)) return null
      const frontier = readFrontier(head)
      const fault = frontier === null ? treeIsGone : headFault(book, head, frontier)
      if (frontier !== null && fault === null) frontiers.set(head, frontier)
      return fault
    },
    add(head, hash) {
      const added = leaves.get(head)
      if (added) added.push(leafHash(hash))
      else leaves.set(head, [leafHash(hash)])
    },
    succeed(head, generation, { root, signed: covered }, lost) {
      const frontier = readFrontier(head)
      if (frontier === null) return treeIsGone
      const { size } = frontier
      if (inHex(rootOf(frontier)) !== root) return "the chain's tree isn't the one that was restored"
      const line = head.signed?.size === size ? head.signed.line : null
      if (size > 0 && covered === size && !isSigned(nameOf(head), keys, line, { size, root }))
        return "no signed checkpoint covers the chain's last entry"
      head.generation = generation
      frontiers.set(head, frontier)
      successions.set(head, lost)
      return null
    },
    async close(created_at) {
      const continued: Unsigned[] = []
      for (const [head, added] of leaves) {
        const log = nameOf(head)
        const frontier = frontiers.get(head) as Frontier
        const growth = grow(frontier, added)
        const { center_id, domain, generation } = head
        head.frontier = `\\x${inHex(encodeFrontier(growth.frontier))}`
        const [from, size, root] = [frontier.size, growth.frontier.size, inHex(growth.root)]
        const before = from > 0 ? rootOf(frontier) : null
        const text = checkpointText(log, size, growth.root)
        closed.set(head, { log, growth, text, note: unsignedNote(text) })
        const lost = successions.get(head)
        // A closed log is never signed again, and the new one has no checkpoint of this size.
        if (before && !lost) continued.push({ head, log, size: from, text: checkpointText(log, from, before) })
        const replaces = lost ? null : (known.of(log).reserved ?? null)
        grown.push({
          ...{ log, from, fromRoot: before && inHex(before), size, root, replaces },
          ...(lost && {
            succeeds: lost.map(({ log: ended, size: most, root: last }) => ({ log: ended, size: most, root: last })),
          }),
        })
        checkpoints.push({ center_id, domain, generation, size, root, created_at })
        tiles.push(...growth.tiles.map(({ level, n, root }) => ({ center_id, domain, level, n, root: inHex(root) })))
      }
      signatures.push(...(await (isFenced ? signed(continued) : sign())))
    },
    sign,
    note: (head) => (closed.get(head) as Closed).note,
    receipt(head, index) {
      const { log, growth, note } = closed.get(head) as Closed
      const inclusionProof = growth.inclusion(index).map(inText)
      return { log, index, size: growth.frontier.size, inclusionProof, checkpoint: note }
    },
  }
}

export const treeIsGone = "the chain's tree is missing"

/**
 * Whether a head is the last one that this process, or another process of this host, signed. Other processes may have
 * sealed since the fence was read: the reservation of the batch decides about a head that it did not know then.
 */
function headFault(
  { nameOf, keys, known: { of }, isFenced }: TreeBook,
  head: HeadRow,
  frontier: Frontier,
): string | null {
  const log = nameOf(head)
  const known = of(log).confirmed
  const { size } = frontier
  if (known && known.size > size) {
    return `this server has seen a signed checkpoint at ${known.size} entries, but the chain has only ${size}`
  }
  if (size === 0) return null
  const root = inHex(rootOf(frontier))
  if (known?.size === size) return known.root === root ? null : "the chain's tree isn't the one that was signed"
  refuseOtherName(log, head.signed?.line)
  if (isFenced) return null
  const line = head.signed?.size === size ? head.signed.line : null
  return isSigned(log, keys, line, { size, root }) ? null : "no signed checkpoint covers the chain's last entry"
}

/**
 * A server with another TLOG_HOST computes another log name. That is a configuration error and does not mark the chain.
 */
function refuseOtherName(log: string, line: string | undefined): void {
  const begun = line?.split(' ')[1] ?? log
  if (isUpTo(begun, log)) return
  throw unavailable(
    "This server's settings don't match its data",
    new Error(
      `the log was begun as "${begun}" and cannot be continued as "${log}": start the server with the TLOG_HOST that it had`,
    ),
  )
}
