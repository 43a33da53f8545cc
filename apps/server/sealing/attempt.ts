/** One attempt to commit a batch: locks heads, loads rows, judges the items one after another, and writes. */
import type { Logger } from 'pino'
import type { BatchKind, Submission } from '../concurrency/group-commit.ts'
import type { Cell } from '../data/cells.ts'
import { standbyAway } from '../data/write-health.ts'
import { now } from '../lib/clock.ts'
import { failpoint } from '../lib/failpoint.ts'
import { Problem, unavailable } from '../lib/problem.ts'
import {
  headKey,
  makeBatch,
  type OnFault,
  type OpenBatch,
  reportFaults,
  type SealItem,
  type WaitingSeal,
} from './batch.ts'
import { answerRow, type Claim, claimName, replay, type SealOutcome, type TakenRow } from './claims.ts'
import { type Fence, OtherDatabase } from './fence/fence.ts'
import { whereaboutsOf } from './fence/queries.ts'
import { otherDatabase } from './fence/store.ts'
import { type HeadsLocked, headHolders, loadRows, lockHeads, wantedHeads, writeBatch } from './queries.ts'
import { type Ranges, rangeOf, type Waits } from './ranges/ranges.ts'
import type { HeadRow, LogBook, makeTrees } from './trees.ts'

/** Chains that another transaction holds: which process holds them is logged, counted and shown as a metric. */
/** As long as a statement waits for any other lock. */
const waitMs = 3000
const logEveryMs = 1000

export interface LockedChain {
  readonly centerId: number
  readonly domain: string
  /** The process of the database that holds it; null where it has ended meanwhile. */
  readonly pid: number | null
  readonly since: number
}

export interface LockedChains {
  /** Refuses the items that have waited too long, and returns the others. */
  report<In, Out>(batch: readonly Submission<In, Out>[], error: HeadsLocked): Promise<readonly Submission<In, Out>[]>
  /** A batch has locked the heads that these items wanted. */
  clear(items: Iterable<{ readonly centerId: number }>): void
  now(): readonly LockedChain[]
}

export function lockedChains(cell: Cell, log: Logger): LockedChains {
  const chains = new Map<number, LockedChain>()
  let loggedAt = Number.NEGATIVE_INFINITY

  /** A batch that waits is of one center. Returns whether the one who holds its chain waits for a standby. */
  async function note({ heads }: HeadsLocked): Promise<boolean> {
    const holders = await headHolders(cell, heads).catch(() => [])
    const { center_id: centerId, domain, pid = null } = { pid: undefined, ...heads[0], ...holders[0] }
    const awaitsStandby = holders.some(({ awaits_standby }) => awaits_standby)
    if (centerId === undefined || domain === undefined) return awaitsStandby
    const since = chains.get(centerId)?.since ?? performance.now()
    chains.set(centerId, { centerId, domain, pid, since })
    if (performance.now() - loggedAt < logEveryMs) return awaitsStandby
    loggedAt = performance.now()
    const seconds = Math.round((loggedAt - since) / 1000)
    const what = awaitsStandby
      ? 'a commit waits for the synchronous standby; its center waits'
      : 'another transaction holds a chain; its center waits'
    log.warn({ cell: cell.name, centerId, domain, pid, seconds }, what)
    return awaitsStandby
  }

  return {
    async report(batch, error) {
      const why = (await note(error)) ? standbyAway : "Another change to this center's chain is still in progress"
      return batch.filter((item) => {
        if (performance.now() - item.since < waitMs) return true
        item.reject(unavailable(why, error.cause))
        return false
      })
    },
    clear(items) {
      if (chains.size > 0) for (const { centerId } of items) chains.delete(centerId)
    },
    now: () => [...chains.values()],
  }
}

export type Waiting = Submission<WaitingSeal, SealOutcome<unknown>>

/** What the batches of a cell work with. */
export interface SequencerTools {
  readonly cell: Cell
  readonly book: LogBook
  readonly fence: Fence
  readonly log: Logger
  readonly trees: typeof makeTrees
  readonly locked: LockedChains
  readonly ranges: Ranges
  readonly onFault: OnFault
}

/** Stored rows above this size are read in a batch of large items. */
const smallRowBytes = 16 * 1024
const anySize = 2 ** 31 - 1

/** The judge function of an item failed after its first write: the batch is repeated without the item. */
export class Poisoned extends Error {
  readonly culprit: Waiting
  constructor(culprit: Waiting, cause: unknown) {
    super('an item failed halfway', { cause })
    this.culprit = culprit
  }
}

/** `isReplay`: the record of the Idempotency-Key belongs to an earlier request. */
type Settled = { readonly isReplay?: true } & (
  | { readonly outcome: SealOutcome<unknown> }
  | { readonly problem: unknown }
)

export interface Attempt {
  readonly settled: ReadonlyMap<Waiting, Settled>
  readonly locked: readonly Waiting[]
  readonly larger: readonly Waiting[]
  /** Another process seals for their centers now: milliseconds until its turn is over. */
  readonly elsewhere: ReadonlyMap<Waiting, number>
}

export async function attempt(tools: SequencerTools, all: readonly Waiting[], kind: BatchKind): Promise<Attempt> {
  const { cell, book, fence, trees, locked, ranges } = tools
  await fence.opened
  failpoint('seal.begin')
  const { waits, isNew } = await ranges.take(all.map(({ centerId }) => centerId))
  const [batch, elsewhere] = apart(all, waits)
  if (batch.length === 0) return { settled: new Map(), locked: [], larger: [], elsewhere }
  const centers = [...new Set(batch.map(({ centerId }) => centerId))].sort((a, b) => a - b)
  const { nameOf, keys } = book
  // Refuses before anything is committed that could not be signed.
  keys.signing()
  const wanted = wantedHeads(batch.map(({ input }) => input))
  // Before BEGIN: a store on another machine must not be awaited while heads are locked, except for the reservation.
  // The generations of the logs are known once the heads are; the fence finds them by the first ones.
  const known = await fence.read(wanted.map((head) => nameOf({ ...head, generation: 1 })))
  const { open, identity, ...attempted } = await cell.inBatch(centers, async (tx) => {
    failpoint('seal.begun')
    // The last batch of the process that had the range before may still be on its way.
    const mayWait = kind === 'waiting' || kind === 'alone' || isNew
    const [lost, where, heads] = await Promise.all([
      ranges.lost(tx, centers),
      fence.knowsDatabases ? whereaboutsOf(tx) : null,
      lockHeads(tx, wanted, mayWait),
    ])
    if (where && !known.is(where)) throw new OtherDatabase(otherDatabase)
    const ours = { nameOf, keys, known, isFenced: fence.knowsDatabases }
    const [ourOwn, lately] = apart(batch, lost)
    for (const [each, ms] of lately) elsewhere.set(each, ms)
    const [held = [], others = []] = partition(ourOwn, (each) => holdsAll(each, heads))
    if (held.length === 0)
      return { open: null, identity: null, settled: new Map(), locked: others, larger: [], elsewhere }
    const waiting = held.map(({ input }) => input)
    const request = { waiting, heads, at: now().toISOString(), mostBytes: mostBytes(held, kind), book: ours }
    const { rows, taken, oversize } = await loadRows(tx, request)
    // Read while the chains are locked, so that times are ordered as the holders of the locks are.
    const at = now().toISOString()
    failpoint('seal.opened')
    const open = makeBatch({ at, heads, loaded: rows, nameOf, trees: trees(ours) })
    const earlier = earlierRecords(held, taken)
    // A request whose key has a record needs no rows, and its record must not be released.
    const [larger = [], judged = []] = partition(held, (each) => !earlier.has(each) && isLarger(each, oversize))
    const settled = new Map(judged.map((each) => [each, settle(open, each, earlier.get(each))]))
    failpoint('seal.judged')
    await open.trees.close(at)
    const answers = [...larger, ...judged].flatMap((each) => answerOf(each, settled.get(each)) ?? [])
    const identity = where?.identity ?? null
    await both(
      writeBatch(tx, open, answers).then(() => failpoint('seal.written')),
      fence.reserve(identity, open.trees.grown).then(() => failpoint('seal.reserved')),
    )
    return { open, identity, settled, locked: others, larger, elsewhere }
  })
  if (open) {
    failpoint('seal.committed')
    await fence.confirm(identity, open.trees.grown)
    failpoint('seal.confirmed')
    if (fence.knowsDatabases) book.resting.keep(cell.name, await signed(open))
    locked.clear(attempted.settled.keys())
    await reportFaults(tools, open.heads.faults)
  }
  return attempted
}

/** The items of ranges that this process has, and how long the others wait. */
function apart(all: readonly Waiting[], waits: Waits): readonly [readonly Waiting[], Map<Waiting, number>] {
  if (waits.size === 0) return [all, new Map()]
  const elsewhere = new Map<Waiting, number>()
  const ours = all.filter((each) => {
    const ms = waits.get(rangeOf(each.centerId))
    if (ms !== undefined) elsewhere.set(each, ms)
    return ms === undefined
  })
  return [ours, elsewhere]
}

const signed = (open: OpenBatch) =>
  open.trees.sign().catch((error: unknown) => {
    const message = "The decision is sealed, but its checkpoint couldn't be signed yet."
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      `${message} Try again with the same idempotency key; the decision won't be sealed twice.`,
      {
        retryAfter: 1,
        cause: error,
      },
    )
  })

/** Neither is left running: a reservation that begins after the rollback could replace that of the next batch. */
async function both(...work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}

const holdsAll = ({ centerId, input }: Waiting, heads: ReadonlyMap<string, HeadRow>): boolean =>
  input.item.holds.chains.every((domain) => heads.has(headKey(centerId, domain)))

/** Bounds what a batch reads: an item that needs a larger row than this is put into a batch of large items. */
const mostBytes = (held: readonly Waiting[], kind: BatchKind): number => {
  if (held.length === 1) return anySize
  return kind === 'small' ? smallRowBytes : Math.max(smallRowBytes, ...held.map(({ bytes }) => bytes))
}

function isLarger(each: Waiting, oversize: ReadonlyMap<number, number>): boolean {
  const bytes = oversize.get(each.centerId)
  if (bytes === undefined || (each.input.item.holds.rows ?? []).length === 0) return false
  each.bytes = Math.max(each.bytes, bytes)
  return true
}

function partition<T>(all: readonly T[], first: (each: T) => boolean): readonly T[][] {
  const { yes = [], no = [] } = Object.groupBy(all, (each) => (first(each) ? 'yes' : 'no'))
  return [yes, no]
}

/** The records of Idempotency-Keys that belong to earlier requests. */
function earlierRecords(items: readonly Waiting[], taken: readonly TakenRow[]): ReadonlyMap<Waiting, TakenRow> {
  if (taken.length === 0) return new Map()
  const nameOf = (centerId: number, name: string) => `${centerId}\n${name}`
  const records = new Map(
    taken.map((row) => [nameOf(row.center_id, [row.principal, row.method, row.path, row.key].join('\n')), row]),
  )
  return new Map(
    items.flatMap((each) => {
      const { claim } = each.input
      const record = claim && records.get(nameOf(each.centerId, claimName(claim)))
      return record ? [[each, record] as const] : []
    }),
  )
}

function settle(open: OpenBatch, each: Waiting, record: TakenRow | undefined): Settled {
  const { item, claim } = each.input
  return claim && record ? replayed(claim, record) : judgeOne(open, each, item)
}

function replayed(claim: Claim<unknown>, record: TakenRow): Settled {
  try {
    return { outcome: { replay: replay(claim, record) }, isReplay: true }
  } catch (problem) {
    return { problem, isReplay: true }
  }
}

function judgeOne(open: OpenBatch, each: Waiting, item: SealItem<unknown>): Settled {
  const before = open.effects()
  try {
    const result = item.judge(open.of(each.centerId))
    failpoint('seal.settled')
    return { outcome: { result } }
  } catch (error) {
    if (open.effects() !== before) throw new Poisoned(each, error)
    return { problem: error }
  }
}

/**
 * The record of the item's Idempotency-Key. It is rendered after the trees have grown, because an answer includes the
 * receipt, and before the checkpoint may be signed: replayed-receipts.ts adds the signature. Null where the item has no key, or where the record belongs to an earlier request.
 */
function answerOf(each: Waiting, settled: Settled | undefined): object | null {
  const { item, claim } = each.input
  if (!claim || settled?.isReplay) return null
  const row = (answer: Parameters<typeof answerRow>[2]) => answerRow(item.center.centerId, claim, answer)
  // The item goes to another batch, which claims the key again.
  if (!settled) return row(null)
  if ('problem' in settled) {
    const { problem } = settled
    return row(problem instanceof Problem && !problem.passing ? claim.refuse(problem) : null)
  }
  try {
    return row(claim.render((settled.outcome as { result: unknown }).result))
  } catch (error) {
    throw new Poisoned(each, error)
  }
}
