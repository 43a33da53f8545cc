/**
 * Leases on rows that are work. A worker takes a due row for a few seconds and gets an epoch, the fencing token: each take
 * raises it, and every later write names it. A write with an old epoch changes nothing, so a worker that was merely slow
 * cannot overwrite what its successor wrote. A worker that dies leaves a lease that expires, and nothing else to clean up.
 */
import type { Logger } from 'pino'
import { now, secondsFromNow } from '../lib/clock.ts'
import { failpoint } from '../lib/failpoint.ts'
import { type Loop, loop } from './loop.ts'

/**
 * Three times as long as a renewal may take. Two in a row, when the second worker dies too, stay below the fifteen seconds
 * after which work must go on.
 */
export const leaseSeconds = 6
/** How often a lease is renewed at least, by `renew` or by the worker's own writes. */
export const renewEveryMs = 2000
/** The longest that due work waits for a worker that has work; the query takes a fraction of it. */
const lookEveryMs = 150
/** A worker that took nothing for this long polls only when it is woken, and otherwise this often. */
const restAfterMs = 10_000
const restMs = 30_000
/** The pause after a failure, before another worker tries. */
const retrySeconds = 1

export interface Lease {
  readonly epoch: number | string
  /** The previous worker did not release it: it died, or it is too slow. */
  readonly taken_over: boolean
}

/** The statements behind a kind of lease. Each is one transaction. */
export interface LeaseStore<L extends Lease> {
  /**
   * Takes at most `most` rows that are due at `at` and under no lease, each until `until` and with a higher epoch. `held`
   * are the leases of this worker, by which a store divides its places fairly.
   */
  take(at: Date, until: Date, most: number, held: readonly L[]): Promise<readonly L[]>
  /** Extends what is still held, and answers with it. Left out where every write of the worker renews the lease. */
  renew?(leases: readonly L[], until: Date): Promise<readonly L[]>
  /** Ends the lease; the row is due again at `at`. Does nothing where the epoch is an old one. */
  release(lease: L, at: Date): Promise<void>
}

/**
 * How work on a lease ended. `done`: a write of the worker has ended the lease. `lost`: a write was refused, because the
 * epoch is an old one. `unfinished`: the worker holds the lease and gives up; the row is due again at once.
 */
export type LeaseEnd = 'done' | 'lost' | 'unfinished'

export interface LeaseWorkerOptions<L extends Lease> {
  /** The kind of work, in failpoints (`deliver.take`, `deliver.taken`) and in the log. */
  readonly name: string
  readonly store: LeaseStore<L>
  /** How many leases this process holds at a time. */
  readonly most: number
  /** `stop` aborts when the lease is lost and when the process stops. */
  readonly work: (lease: L, stop: AbortSignal) => Promise<LeaseEnd>
  /** How long a lease lasts, for a store without `renew` whose work writes once; by default `leaseSeconds`. */
  readonly seconds?: number
  /** The pause between two polls, if it does not depend on what was taken. */
  readonly everyMs?: number
  /** When a lease whose work failed is due again; by default after a second. */
  readonly retryAt?: (lease: L) => Date
  readonly takenOver?: () => void
  readonly fenced?: () => void
  readonly log: Logger
  readonly fields: (lease?: L) => object
}

interface Held<L> {
  readonly lease: L
  readonly stop: AbortController
  readonly ended: Promise<void>
}

export interface LeaseWorker extends Loop {
  /** Takes what is due and works on it until nothing is, whether or not the worker was started. */
  drain(): Promise<void>
}

/**
 * Takes leases as work becomes due, and runs `work` on each; `wake` tells that some is due (jobs/due-work.ts). Stopping
 * ends the work on all of them first.
 */
export function leaseWorker<L extends Lease>(options: LeaseWorkerOptions<L>): LeaseWorker {
  const { name, store, most, work, seconds = leaseSeconds, everyMs, takenOver, fenced, log, fields } = options
  const { retryAt = () => secondsFromNow(retrySeconds) } = options
  const held = new Set<Held<L>>()
  let full = false
  let tookAt = Number.NEGATIVE_INFINITY

  /** One take at a time: two that count the same free places would hold twice as many leases as `most`. */
  let last: Promise<unknown> = Promise.resolve()
  function take(): Promise<number> {
    const mine = last.then(takeFree)
    last = mine.catch(() => {})
    return mine
  }

  async function takeFree(): Promise<number> {
    const free = most - held.size
    if (free <= 0) return 0
    failpoint(`${name}.take`)
    const holding = [...held].map(({ lease }) => lease)
    const leases = await store.take(now(), secondsFromNow(seconds), free, holding)
    if (leases.length > 0) failpoint(`${name}.taken`)
    full = leases.length === free
    if (leases.length > 0) tookAt = performance.now()
    leases.forEach(begin)
    return leases.length
  }

  let draining: Promise<void> | null = null
  let calledAgain = false
  /** Whoever calls it during a drain waits for that one, which looks once more: their row may be newer than its last take. */
  function drain(): Promise<void> {
    calledAgain = draining !== null
    draining ??= drainAll()
    return draining
  }

  async function drainAll(): Promise<void> {
    try {
      for (;;) {
        calledAgain = false
        const taken = await take()
        if (held.size === 0 && taken === 0 && !calledAgain) return
        // Several at a time, so that not every finished lease costs a statement.
        const left = taken > 0 ? Math.floor(most / 2) : Math.max(held.size - 1, 0)
        while (held.size > left) await Promise.race([...held].map(({ ended }) => ended))
      }
    } finally {
      draining = null
    }
  }

  function begin(lease: L): void {
    if (lease.taken_over) takenOver?.()
    const stop = new AbortController()
    const ended = hold(lease, stop.signal).finally(() => {
      held.delete(each)
      if (full && held.size <= most / 2) taking.wake()
    })
    const each = { lease, stop, ended }
    held.add(each)
  }

  async function hold(lease: L, stop: AbortSignal): Promise<void> {
    try {
      const end = await work(lease, stop)
      if (end === 'lost') fenced?.()
      if (end === 'unfinished') await store.release(lease, now())
    } catch (error) {
      log.error({ err: error, ...fields(lease) }, `work on a lease (${name}) failed; a worker will try again`)
      await store
        .release(lease, retryAt(lease))
        .catch((err: unknown) =>
          log.warn({ err, ...fields(lease) }, `a lease (${name}) was not released; it will expire`),
        )
    }
  }

  /** A worker that lost its lease learns of it before its next write is refused. */
  async function renew(): Promise<void> {
    const holding = [...held]
    if (!store.renew || holding.length === 0) return
    const leases = holding.map(({ lease }) => lease)
    const kept = new Set(await store.renew(leases, secondsFromNow(leaseSeconds)))
    for (const { lease, stop } of holding) if (!kept.has(lease)) stop.abort()
  }

  const pauseMs = () => everyMs ?? (held.size > 0 || performance.now() - tookAt < restAfterMs ? lookEveryMs : restMs)
  const repeat = (everyMs: number | (() => number), turn: () => Promise<unknown>, what: string) =>
    loop({ everyMs, turn, log, failure: `leases (${name}) were not ${what}; will try again`, fields: fields() })
  const taking = repeat(pauseMs, take, 'taken')
  const renewing = repeat(renewEveryMs, renew, 'renewed')
  return {
    start() {
      tookAt = performance.now()
      taking.start()
      if (store.renew) renewing.start()
    },
    wake: taking.wake,
    drain,
    async stop() {
      await taking.stop()
      for (const { stop } of held) stop.abort()
      await Promise.all([...held].map(({ ended }) => ended))
      await renewing.stop()
    },
  }
}
