/**
 * The trees over the chains that a batch appends to. A chain is continued only from a head that this host signed, so
 * that rewritten rows are never signed with the next seal. Signatures are made while the heads are locked and released
 * after the commit, so that no two roots of one size are published.
 */
import { checkpointText, parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { checkNote, parseNote } from '@countersign/proof/signed-note.ts'
import { encodeFrontier, type Frontier, type Growth, grow, leafHash, rootOf } from '@countersign/proof/tree.ts'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../lib/problem.ts'
import type { Fence, Growth as Grown } from './fence/fence.ts'
import type { KnownLogs } from './fence/known-logs.ts'
import { readFrontier } from './frontier.ts'
import type { HeadRow } from './head-row.ts'
import type { LogKeys } from './log-keys.ts'
import { inBase64, inHex, type Receipt } from './receipt.ts'

/** What signing needs, for the life of the process. */
export interface LogBook {
  readonly nameOf: (head: Pick<HeadRow, 'center_id' | 'domain'>) => string
  readonly keys: LogKeys
  readonly fenceOf: (cell: string) => Fence
}

/** What the trees of a batch need. */
export interface TreeBook extends Pick<LogBook, 'nameOf' | 'keys'> {
  readonly known: KnownLogs
}

interface NewCheckpointRow {
  readonly center_id: number
  readonly domain: string
  readonly size: number
  readonly root: string
  readonly note: string
  readonly created_at: string
}

export interface Trees {
  /** Null when the head is the one that was signed last, otherwise the reason why it is not. */
  fault(head: HeadRow): string | null
  add(head: HeadRow, hash: string): void
  /** Called after the last append: grows the trees and signs one checkpoint per log. */
  close(at: string): Promise<void>
  /** The receipt of an entry of this batch, once the batch is closed. */
  receipt(head: HeadRow, index: number): Receipt
  /** The signed checkpoint of a log, once the batch is closed. */
  note(head: HeadRow): string
  /** Rows to write with the batch. */
  readonly checkpoints: NewCheckpointRow[]
  readonly tiles: object[]
  /** What the fence reserves before the commit and confirms after it, once the batch is closed. */
  readonly grown: Grown[]
}

interface Closed {
  readonly log: string
  readonly growth: Growth
  readonly note: string
}

export function makeTrees(book: TreeBook): Trees {
  const frontiers = new Map<HeadRow, Frontier>()
  const leaves = new Map<HeadRow, Uint8Array[]>()
  const closed = new Map<HeadRow, Closed>()
  const grown: Grown[] = []
  const checkpoints: NewCheckpointRow[] = []
  const tiles: object[] = []
  /** Caches the base64 of each hash, because the receipts of one batch share most hashes. */
  const written = new Map<Uint8Array, string>()
  const inText = (hash: Uint8Array): string => {
    const text = written.get(hash) ?? inBase64(hash)
    written.set(hash, text)
    return text
  }
  return {
    checkpoints,
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
    async close(created_at) {
      const drafts = Array.from(leaves, ([head, added]) => {
        const log = book.nameOf(head)
        const frontier = frontiers.get(head) as Frontier
        const growth = grow(frontier, added)
        return { head, log, from: frontier.size, growth, text: checkpointText(log, growth.frontier.size, growth.root) }
      })
      const lines = await book.keys.signLines(drafts.map(({ log: origin, text }) => ({ origin, text })))
      for (const [at, { head, log, from, growth, text }] of drafts.entries()) {
        const note = `${text}\n${lines[at]}`
        const { center_id, domain } = head
        head.frontier = `\\x${inHex(encodeFrontier(growth.frontier))}`
        const [size, root] = [growth.frontier.size, inHex(growth.root)]
        closed.set(head, { log, growth, note })
        grown.push({ log, from, size, root })
        checkpoints.push({ center_id, domain, size, root, note, created_at })
        tiles.push(...growth.tiles.map(({ level, n, root }) => ({ center_id, domain, level, n, root: inHex(root) })))
      }
    },
    note: (head) => (closed.get(head) as Closed).note,
    receipt(head, index) {
      const { log, growth, note } = closed.get(head) as Closed
      const inclusionProof = growth.inclusion(index).map(inText)
      return { log, index, size: growth.frontier.size, inclusionProof, checkpoint: note }
    },
  }
}

export const treeIsGone = 'the tree over it is gone'

/** Whether a head is the last one that this process, or another process of this host, signed. */
function headFault(
  { nameOf, keys, known: { of, isComplete } }: TreeBook,
  head: HeadRow,
  frontier: Frontier,
): string | null {
  const log = nameOf(head)
  const known = of(log)
  const { size } = frontier
  if (known && known.size > size) {
    return `this server has seen a signed checkpoint of ${known.size} entries, and the chain has ${size}`
  }
  if (size === 0) return null
  const root = inHex(rootOf(frontier))
  if (known?.size === size) return known.root === root ? null : 'its tree is not the one that was signed'
  refuseOtherName(log, head.note)
  if (isComplete) {
    throw unavailable(`The fence has confirmed ${known?.size ?? 0} entries of this log, and the chain has ${size}.`)
  }
  return isSigned(log, keys, head.note, size, root) ? null : 'no signed checkpoint covers its end'
}

/**
 * A server with another TLOG_HOST computes another log name. That is a configuration error and does not mark the chain.
 */
function refuseOtherName(log: string, note: string | undefined): void {
  const begun = note?.slice(0, note.indexOf('\n')) ?? log
  if (begun === log) return
  throw unavailable(
    `This log was begun as "${begun}" and cannot be continued as "${log}": TLOG_HOST never changes. Start the server with the TLOG_HOST that it had.`,
  )
}

/** Whether a note has this content and a signature of this host. */
export function isSigned(log: string, keys: LogKeys, text: string | null | undefined, size: number, root: string) {
  const said = text ? saidBy(log, keys, text) : null
  return said !== null && said.origin === log && said.size === size && said.root === root
}

interface Said {
  readonly origin: string
  readonly size: number
  readonly root: string
}

/**
 * Caches verified notes: every proof needs the newest one of a log, and verifying a signature is the costliest step.
 */
const known = new WeakMap<LogKeys, LRUCache<string, Said>>()
const mostKnown = 5000

function saidBy(log: string, keys: LogKeys, text: string): Said | null {
  let checked = known.get(keys)
  if (!checked) {
    checked = new LRUCache({ max: mostKnown })
    known.set(keys, checked)
  }
  const before = checked.get(text)
  if (before) return before
  try {
    const note = parseNote(text)
    const { origin, size, root } = parseCheckpoint(note.text)
    const { signedBy, bad } = checkNote(note, keys.verifiersOf(log))
    if (signedBy.length === 0 || bad.length > 0) return null
    const said = { origin, size, root: inHex(root) }
    checked.set(text, said)
    return said
  } catch {
    return null
  }
}
