/**
 * Checks one log of an export in constant memory: every hash and link, every value against its commitment, and every
 * checkpoint against the tree over the entries before it.
 */
import {
  type ChainEntry,
  type ChainVerifier,
  chainVerifier,
  commitment,
  type Domain,
  emptyFrontier,
  type Frontier,
  familyOf,
  grow,
  type Json,
  leafHash,
  parseCheckpoint,
  parseNote,
  rootOf,
  toBase64,
} from '@countersign/proof'
import { entryOf } from './entry-lines.ts'

/** What the changes of records explain: values that are gone. */
export interface Explained {
  /** A redaction names the path, or a later change has replaced the value. */
  covers(id: string, path: string): boolean
}

export interface LogLines {
  readonly entries: AsyncIterable<string>
  readonly committed: AsyncIterable<string>
  readonly checkpoints: AsyncIterable<string>
}

export interface LogPlan {
  readonly domain: Domain
  readonly log: string
  /** Null while the history itself is read. */
  readonly explained: Explained | null
  /** Whether the signatures of this note are good; false for a bad one. */
  readonly isSigned: (note: string) => boolean
  readonly watch?: (entry: ChainEntry, values: Readonly<Record<string, Json>>) => void
  readonly arrived: (entries: number) => void
}

export interface LogReport {
  readonly entries: number
  readonly root: Uint8Array
  /** Of the last entry. */
  readonly log: string | null
  /** The number of values that are shown, and of those that are gone and explained. */
  readonly shown: number
  readonly gone: number
  /** Checkpoints before the last one, and how many of them a key of the policy has signed. */
  readonly checkpoints: number
  readonly signed: number
  /** The first thing that does not hold. */
  readonly fault: string | null
}

interface Committed {
  readonly index: number
  readonly hash: string
  readonly values: Readonly<Record<string, Json>>
  readonly salts: Readonly<Record<string, string>>
}

export async function checkLog({ entries, committed, checkpoints }: LogLines, plan: LogPlan): Promise<LogReport> {
  const verifier = chainVerifier({ log: familyOf(plan.log).first, domain: plan.domain })
  const tree = growing()
  const [values, points] = [committed[Symbol.asyncIterator](), checkpoints[Symbol.asyncIterator]()]
  const counts = { entries: 0, shown: 0, gone: 0, checkpoints: 0, signed: 0 }
  let fault: string | null = null
  let point = await nextPoint(points)
  for await (const line of entries) {
    const entry = entryOf(line)
    fault ??= add(verifier, tree, entry)
    const own = readCommitted((await values.next()).value)
    const told =
      own === null ? 'the values that the entry commits to are missing' : committedFault(entry, own, plan, counts)
    if (told !== null) fault ??= `entry ${entry.index}: ${told}`
    else plan.watch?.(entry, (own as Committed).values)
    counts.entries++
    while (point && point.size <= counts.entries) {
      fault ??= pointFault(point, tree, plan, counts)
      point = await nextPoint(points)
    }
    if (counts.entries % 1000 === 0) plan.arrived(counts.entries)
  }
  if (point) fault ??= `there's a checkpoint for ${point.size} entries, but fewer entries`
  if (!(await values.next()).done) fault ??= 'there are more values than entries'
  const { valid, brokenAt, reason, log } = verifier.result()
  if (!valid) fault = `entry ${brokenAt ?? 0}: ${reason}`
  return { ...counts, root: tree.root(), log, fault }
}

interface Growing {
  add(leaf: Uint8Array): void
  root(): Uint8Array
}

const atOnce = 1024

function growing(): Growing {
  let frontier: Frontier = emptyFrontier
  let waiting: Uint8Array[] = []
  const settle = () => {
    frontier = grow(frontier, waiting).frontier
    waiting = []
  }
  return {
    add(leaf) {
      waiting.push(leaf)
      if (waiting.length === atOnce) settle()
    },
    root() {
      settle()
      return rootOf(frontier)
    },
  }
}

/** The statement that begins a generation of the log names the root of the entries before it. */
function add(verifier: ChainVerifier, tree: Growing, entry: ChainEntry): string | null {
  const before = verifier.result().successions.length
  verifier.add(entry)
  const said = verifier.result().successions[before]
  const differs = said !== undefined && toBase64(tree.root()) !== said.restored.root
  try {
    tree.add(leafHash(entry.hash))
  } catch {
    // The verifier reports an entry without a hash.
    tree.add(new Uint8Array(32))
  }
  return differs ? `entry ${entry.index}: the loss declaration names a different root hash` : null
}

function readCommitted(line: string | undefined): Committed | null {
  try {
    const read = JSON.parse(line ?? 'null') as Committed | null
    return read && typeof read.values === 'object' && typeof read.salts === 'object' ? read : null
  } catch {
    return null
  }
}

function committedFault(
  entry: ChainEntry,
  { index, hash, values, salts }: Committed,
  { explained }: LogPlan,
  counts: { shown: number; gone: number },
): string | null {
  if (index !== entry.index || hash !== entry.hash) return 'the values at its position belong to another entry'
  const { commitments = {}, id } = contentOf(entry)
  for (const [path, expected] of Object.entries(commitments)) {
    const [value, salt] = [values[path], salts[path]]
    if (value !== undefined && salt !== undefined) {
      if (commitment(salt, path, value) !== expected) return `${path} isn't what was sealed`
      counts.shown++
    } else if (explained && !explained.covers(id, path)) return `${path} is missing, and no redaction accounts for it`
    else counts.gone++
  }
  const added = Object.keys({ ...values, ...salts }).find((path) => !Object.hasOwn(commitments, path))
  return added === undefined ? null : `${added} was added: no commitment covers it`
}

export interface EntryContent {
  readonly id: string
  readonly type?: string
  readonly target?: string
  readonly commitments?: Readonly<Record<string, string>>
}

/** An entry that cannot be read is reported by the verifier of the chain. */
export function contentOf({ content }: ChainEntry): EntryContent {
  try {
    return (typeof content === 'string' ? JSON.parse(content) : content) as EntryContent
  } catch {
    return { id: '' }
  }
}

interface Point {
  readonly size: number
  readonly note: string
}

async function nextPoint(points: AsyncIterator<string>): Promise<Point | null> {
  const { value, done } = await points.next()
  return done ? null : (JSON.parse(value) as Point)
}

function pointFault(
  { size, note }: Point,
  tree: Growing,
  { isSigned }: LogPlan,
  counts: { entries: number; checkpoints: number; signed: number },
): string | null {
  try {
    const { size: named, root } = parseCheckpoint(parseNote(note).text)
    if (named !== size || size !== counts.entries) return `the checkpoint for ${size} entries is in the wrong position`
    if (!Buffer.from(tree.root()).equals(root)) return `the checkpoint for ${size} entries has a different root hash`
    counts.checkpoints++
    if (isSigned(note)) counts.signed++
    return null
  } catch (error) {
    return `the checkpoint for ${size} entries can't be read: ${(error as Error).message}`
  }
}
