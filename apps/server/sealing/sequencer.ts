/**
 * Group commit of seals. One batch is in flight per process and cell; items that arrive meanwhile form the next batch.
 * There is no timer: when idle, a seal waits for one commit; under load, one commit carries hundreds. Each caller is
 * answered after the commit of its item, with the outcome or the refusal.
 */
import type { Logger } from 'pino'
import type { Cell, Cells } from '../data/cells.ts'
import { isAboutData, sqlState } from '../data/transaction.ts'
import type { StoredAnswer } from '../http/idempotency.ts'
import { isStorable, keptSeconds } from '../http/idempotency.ts'
import { raiseAlarm } from '../integrity/alarm.ts'
import { now, secondsFromNow } from '../lib/clock.ts'
import { failpoint } from '../lib/failpoint.ts'
import { Problem } from '../lib/problem.ts'
import { makeBatch, type OpenBatch, refusal } from './batch.ts'
import { type BrokenLink, brokenLink } from './broken-link.ts'
import type { Claim, SealItem, SealOutcome } from './item.ts'
import { openBatch, writeBatch } from './queries.ts'
import type { HeadRow, TakenRow } from './rows.ts'
import { type LogBook, makeTrees } from './trees.ts'

export interface Limits {
  readonly maxBatch: number
  /** One, because the next batch would wait for the same heads, and gathers more items meanwhile. */
  readonly maxInFlight: number
}
const usual: Limits = { maxBatch: 256, maxInFlight: 1 }
/** Beyond this many waiting items, callers get 503 with Retry-After. */
const maxWaiting = 4096

export interface Sequencer {
  seal<T>(item: SealItem<T>, claim?: Claim<T>): Promise<SealOutcome<T>>
}

interface WaitingItem {
  readonly item: SealItem<unknown>
  readonly claim: Claim<unknown> | null
  resolve(outcome: SealOutcome<unknown>): void
  reject(error: unknown): void
}

/** What the queue of a cell works with. */
interface SequencerTools {
  readonly cell: Cell
  readonly book: LogBook
  readonly log: Logger
  readonly trees: typeof makeTrees
}

export function sequencer(
  cells: Cells,
  book: LogBook,
  log: Logger,
  limits: Limits = usual,
  /** A benchmark passes trees that do nothing, to measure the cost of trees. */
  trees: typeof makeTrees = makeTrees,
): Sequencer {
  const lines = new Map<string, (waiting: WaitingItem) => void>()
  return {
    seal: <T>(item: SealItem<T>, claim?: Claim<T>) =>
      new Promise<SealOutcome<T>>((resolve, reject) => {
        let join = lines.get(item.center.cell)
        if (!join) {
          join = makeQueue({ cell: cells.of(item.center.cell), book, log, trees }, limits)
          lines.set(item.center.cell, join)
        }
        join({ item, claim: claim ?? null, resolve, reject } as WaitingItem)
      }),
  }
}

function makeQueue(tools: SequencerTools, { maxBatch, maxInFlight }: Limits): (waiting: WaitingItem) => void {
  let waiting: WaitingItem[] = []
  let inFlight = 0

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const { batch, rest } = nextBatch(waiting, maxBatch)
      waiting = rest
      await commit(tools, batch)
    }
    inFlight--
  }

  return (each) => {
    if (waiting.length >= maxWaiting) {
      each.reject(
        new Problem('SERVICE_UNAVAILABLE', 'Too many decisions are waiting to be sealed; try again in a second.', {
          retryAfter: 1,
        }),
      )
      return
    }
    waiting.push(each)
    failpoint('seal.queued')
    if (inFlight >= maxInFlight) return
    inFlight++
    // Starts after this turn of the event loop, so that requests read in the same turn share the first batch.
    setImmediate(() => void drain())
  }
}

/**
 * Items with the same Idempotency-Key do not share a batch: the second finds the answer of the first in the next batch.
 */
function nextBatch(waiting: readonly WaitingItem[], maxBatch: number): { batch: WaitingItem[]; rest: WaitingItem[] } {
  const keys = new Set<string>()
  const batch: WaitingItem[] = []
  const rest: WaitingItem[] = []
  for (const each of waiting) {
    const key = each.claim ? placeOf(each.item.center.centerId, each.claim.request) : null
    if (batch.length >= maxBatch || (key !== null && keys.has(key))) {
      rest.push(each)
      continue
    }
    if (key !== null) keys.add(key)
    batch.push(each)
  }
  return { batch, rest }
}

const placeOf = (
  centerId: number,
  { principal, method, path, key }: Omit<TakenRow, 'center_id' | 'fingerprint' | 'status' | 'body'>,
) => [centerId, principal, method, path, key].join('\n')

/** The judge function of an item failed after its first write: the batch is repeated without the item. */
class Poisoned extends Error {
  readonly culprit: WaitingItem
  constructor(culprit: WaitingItem, cause: unknown) {
    super('an item failed halfway', { cause })
    this.culprit = culprit
  }
}

type Settled = { readonly outcome: SealOutcome<unknown> } | { readonly problem: unknown }

async function commit(tools: SequencerTools, batch: readonly WaitingItem[], again = true): Promise<void> {
  if (batch.length === 0) return
  let settled: readonly Settled[]
  try {
    settled = await attempt(tools, batch)
  } catch (error) {
    if (error instanceof Poisoned) {
      error.culprit.reject(error.cause)
      return commit(
        tools,
        batch.filter((each) => each !== error.culprit),
      )
    }
    if (isAboutData(error) && batch.length > 1) {
      // One of the items cannot be stored. Each is tried alone, so that only that one fails.
      for (const each of batch) await commit(tools, [each])
      return
    }
    // Another transaction recorded the same decision at the same time; the retry sees its commit.
    if (isTaken(error) && again) return commit(tools, batch, false)
    for (const each of batch) each.reject(await meaningOf(tools, each.item.center.centerId, error))
    return
  }
  failpoint('seal.committed')
  batch.forEach((each, index) => {
    const result = settled[index] as Settled
    failpoint('seal.answer')
    if ('problem' in result) each.reject(result.problem)
    else each.resolve(result.outcome)
    failpoint('seal.answered')
  })
}

async function attempt(
  { cell, book, log, trees }: SequencerTools,
  waiting: readonly WaitingItem[],
): Promise<readonly Settled[]> {
  failpoint('seal.begin')
  const centers = [...new Set(waiting.map(({ item }) => item.center.centerId))].sort((a, b) => a - b)
  const { settled, open } = await cell.inBatch(centers, async (tx) => {
    failpoint('seal.begun')
    const opened = await openBatch(tx, waiting, now().toISOString(), secondsFromNow(keptSeconds).toISOString(), book)
    // Read while the chains are locked, so that times are ordered as the holders of the locks are.
    const at = now().toISOString()
    failpoint('seal.opened')
    const open = makeBatch(opened, at, book.nameOf, trees(book))
    const taken = new Map((opened.taken ?? []).map((row) => [placeOf(row.center_id, row), row]))
    const settled = waiting.map((each) => settle(each, open, taken))
    failpoint('seal.judged')
    await open.trees.close(at)
    for (const [index, each] of waiting.entries()) keepResult(open, each, settled[index] as Settled)
    await writeBatch(tx, open)
    failpoint('seal.written')
    return { settled, open }
  })
  open.trees.remember()
  await reportFaults({ cell, log }, open.heads.faults)
  return settled
}

/** Marks the chain before any caller is answered: a caller who gets CHAIN_BROKEN finds the chain marked. */
async function reportFaults(
  tools: Pick<SequencerTools, 'cell' | 'log'>,
  faults: ReadonlyMap<HeadRow, string>,
): Promise<void> {
  for (const [{ center_id, domain, next_index }, reason] of faults)
    await report(tools, center_id, { domain, at: Math.max(0, next_index - 1), reason })
}

const report = (
  { cell, log }: Pick<SequencerTools, 'cell' | 'log'>,
  centerId: number,
  { domain, at, reason }: BrokenLink,
) =>
  cell
    .inTenantJob(centerId, 'sequencer', (tx) => raiseAlarm(tx, log, 'chain', domain, { at, reason }))
    .catch((error: unknown) => log.error({ err: error, centerId, domain, reason }, 'an alarm could not be raised'))

/** The database refused an entry because of the stored entry before it: marks the chain and refuses the item. */
async function meaningOf(tools: SequencerTools, centerId: number, error: unknown): Promise<unknown> {
  const broken = brokenLink(error)
  if (!broken) return error
  await report(tools, centerId, broken)
  return refusal(broken.domain, broken.at, `does not hold: ${broken.reason}`)
}

function settle(each: WaitingItem, open: OpenBatch, taken: ReadonlyMap<string, TakenRow>): Settled {
  const { item, claim } = each
  const record = claim && taken.get(placeOf(item.center.centerId, claim.request))
  if (claim && record) return replay(claim, record)
  const before = effects(open)
  try {
    const result = item.judge(open.batch)
    failpoint('seal.settled')
    return { outcome: { result } }
  } catch (error) {
    if (effects(open) !== before) throw new Poisoned(each, error)
    if (claim)
      keepAnswer(open, each.item, claim, error instanceof Problem && !error.passing ? claim.refuse(error) : null)
    return { problem: error }
  }
}

/** Rendered after the trees have grown, because an answer includes the receipt. */
function keepResult(open: OpenBatch, each: WaitingItem, settled: Settled): void {
  if (!each.claim || !('outcome' in settled) || !('result' in settled.outcome)) return
  try {
    keepAnswer(open, each.item, each.claim, each.claim.render(settled.outcome.result))
  } catch (error) {
    throw new Poisoned(each, error)
  }
}

function replay(claim: Claim<unknown>, { fingerprint, status, body }: TakenRow): Settled {
  if (fingerprint !== claim.request.fingerprint.toString('hex')) {
    return {
      problem: new Problem(
        'CONFLICT',
        'This Idempotency-Key was used for another request; use a new key for a new action.',
      ),
    }
  }
  return { outcome: { replay: { status, body: Buffer.from(body ?? '', 'base64').toString() } } }
}

/** Expired by every clock, also one that is behind. */
const longAgo = '1970-01-01T00:00:00.000Z'

/** Stores the answer with the effect. An answer that must not be replayed releases its key. */
function keepAnswer(
  { writes }: OpenBatch,
  item: SealItem<unknown>,
  claim: Claim<unknown>,
  answer: StoredAnswer | null,
) {
  const { principal, method, path, key } = claim.request
  const place = { center_id: item.center.centerId, principal, method, path, key }
  writes.answers.push(
    answer && isStorable(answer.status)
      ? { ...place, status: answer.status, body: Buffer.from(answer.body).toString('base64') }
      : { ...place, expires_at: longAgo },
  )
}

const effects = ({ writes }: OpenBatch): number =>
  writes.entries.length +
  writes.events.length +
  writes.moves.size +
  writes.approvals.length +
  writes.dpus.length +
  writes.changedDpus.size +
  writes.history.length +
  writes.policies.length +
  writes.redactions.length +
  writes.completed.length +
  writes.published.length +
  writes.audit.length

const isTaken = (error: unknown): boolean => sqlState(error instanceof Problem ? error.cause : error) === '23505'
