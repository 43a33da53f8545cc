/**
 * Group commit of seals. Each caller is answered after the commit of its item, with the outcome or the refusal. A chain
 * that another transaction holds delays the items of its own center only.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  type BatchKind,
  type GroupCommit,
  type GroupLimits,
  type GroupWatch,
  groupCommit,
  type Returned,
} from '../concurrency/group-commit.ts'
import type { Cells } from '../data/cells.ts'
import { classifyFailure, sqlState } from '../data/transaction.ts'
import { failpoint } from '../lib/failpoint.ts'
import { Problem, unavailable } from '../lib/problem.ts'
import {
  type Attempt,
  attempt,
  type LockedChains,
  lockedChains,
  Poisoned,
  type SequencerTools,
  type Waiting,
} from './attempt.ts'
import { explainBrokenLink, type OnFault, type SealItem, type WaitingSeal } from './batch.ts'
import { type Claim, claimName, type SealOutcome } from './claims.ts'
import { refused } from './fence/current-database.ts'
import { NotReserved, OtherDatabase, StoreSilent } from './fence/fence.ts'
import { HeadsLocked } from './queries.ts'
import { chainRanges } from './ranges/ranges.ts'
import { signReplayed } from './replayed-receipts.ts'
import { type LogBook, makeTrees } from './trees.ts'

export interface Sequencer {
  seal<T>(item: SealItem<T>, claim?: Claim<T>): Promise<SealOutcome<T>>
  /** Chains that another transaction has held for longer than a batch waits, by cell. */
  locked(): ReadonlyMap<string, ReturnType<LockedChains['now']>>
}

type Seals = GroupCommit<WaitingSeal, SealOutcome<unknown>>

/** Metrics; and replacements for benchmarks: other limits, batches that wait for heads, and trees that do nothing. */
export interface SequencerOptions {
  readonly limits?: Partial<GroupLimits>
  readonly ordered?: boolean
  readonly waits?: boolean
  readonly trees?: typeof makeTrees
  readonly watch?: (cell: string) => GroupWatch
  /** How long a process keeps a range of chains for itself. */
  readonly turnMs?: number
  /** Throws while nothing may be sealed. */
  readonly admit?: () => void
}

export function sequencer(
  cells: Cells,
  book: LogBook,
  log: Logger,
  onFault: OnFault,
  options: SequencerOptions = {},
): Sequencer {
  const { limits, ordered = true, waits = false, trees = makeTrees, watch, admit, turnMs } = options
  const queues = new Map<string, { readonly seals: Seals; readonly locked: LockedChains }>()
  const open = (name: string) => {
    const cell = cells.of(name)
    const locked = lockedChains(cell, log)
    const ranges = chainRanges(cell, turnMs)
    const tools: SequencerTools = { cell, book, fence: book.fenceOf(name), log, trees, locked, ranges, onFault }
    const seals = groupCommit<WaitingSeal, SealOutcome<unknown>>({
      what: 'decisions to seal',
      ordered,
      keyOf: ({ claim }) => claim && claimName(claim),
      classify: classifyFailure,
      commit: (batch, kind) => commit(tools, batch, waits ? 'waiting' : kind),
      explain: (item, error) => explainBrokenLink(tools, item.centerId, error),
      ...(limits && { limits }),
      ...(watch && { watch: watch(name) }),
    })
    const queue = { seals, locked }
    queues.set(name, queue)
    return queue
  }
  return {
    async seal<T>(item: SealItem<T>, claim?: Claim<T>) {
      admit?.()
      failpoint('seal.queued')
      const { cell, centerId } = item.center
      const { seals } = queues.get(cell) ?? open(cell)
      const waiting = { item, claim: claim ?? null } as WaitingSeal
      const outcome = (await seals.submit(centerId, item.bytes ?? 0, waiting)) as SealOutcome<T>
      if (!('replay' in outcome)) return outcome
      return { replay: await signReplayed(cells.of(cell), book, centerId, outcome.replay) }
    },
    locked: () => new Map(Array.from(queues, ([name, { locked }]) => [name, locked.now()])),
  }
}

/**
 * A store that stalls executes a reservation late, and then refuses the next one once. On a host without a free core it stalls
 * several times in a row: with two repetitions 3 of 34,525 requests failed during rolling restarts.
 */
const mostRepetitions = 6
const pauseMs = 20

async function commit(
  tools: SequencerTools,
  batch: readonly Waiting[],
  kind: BatchKind,
  repetitions = mostRepetitions,
): Promise<Returned<WaitingSeal, SealOutcome<unknown>>> {
  if (batch.length === 0) return {}
  let attempted: Attempt
  try {
    attempted = await attempt(tools, batch, kind)
  } catch (error) {
    if (error instanceof Poisoned) {
      error.culprit.reject(error.cause)
      const others = batch.filter((each) => each !== error.culprit)
      return commit(tools, others, kind)
    }
    // Another transaction recorded the same decision at the same time; the retry sees its commit.
    if (isTaken(error) && batch.length === 1 && repetitions > 0) return commit(tools, batch, kind, repetitions - 1)
    if (error instanceof OtherDatabase) {
      await tools.fence.settle()
      if (repetitions > 0) return commit(tools, batch, kind, repetitions - 1)
      throw unavailable('The service is switching to another server', error)
    }
    if (error instanceof NotReserved) {
      // What the batch knew of the fence may be outdated; a repetition reads it again, after the other process had time to write.
      if (repetitions > 0) {
        await sleep(pauseMs * (mostRepetitions - repetitions))
        return commit(tools, batch, kind, repetitions - 1)
      }
      throw refused(error.message)
    }
    if (error instanceof StoreSilent) {
      // A busy host stalls a store for a moment. The locks are free meanwhile, and a late reservation is replaced.
      if (repetitions > 0) return commit(tools, batch, kind, repetitions - 1)
      throw unavailable("A safety check couldn't be completed", error)
    }
    if (error instanceof HeadsLocked)
      return { locked: kind === 'alone' ? await tools.locked.report(batch, error) : batch }
    throw error
  }
  const { settled, locked, larger, elsewhere } = attempted
  for (const [each, result] of settled) {
    failpoint('seal.answer')
    if ('problem' in result) each.reject(result.problem)
    else each.resolve(result.outcome)
    failpoint('seal.answered')
  }
  return { locked, larger, elsewhere }
}

const isTaken = (error: unknown): boolean => sqlState(error instanceof Problem ? error.cause : error) === '23505'
