/** Looks for executions that are due and nobody is at, and runs them. Every worker does, of every cell. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cell, Cells } from '../../../data/cells.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import type { Metrics } from '../../../lib/metrics.ts'
import { perform, type Tools, traceOf } from './execute.ts'
import { giveBack, type Lease, leaseExecutions, renewExecutions } from './runner-queries.ts'
import { keepSchedules, type SchedulesTools } from './schedules.ts'
import { recording } from './step-commits.ts'

/** Steps mostly wait, for the database or for a model; what each holds in memory is its outputs. */
const mostRunning = 256
/** How long a run waits at most before somebody looks; looking takes a fraction of it. */
const lookEveryMs = 150
/** A worker that dies is missed after this long. */
const leaseSeconds = 6
const renewEveryMs = 2000

export interface Runner {
  start(): void
  /** Something was written that is due now. */
  wake(cell: string): void
  stop(): Promise<void>
}

export interface RunnerOptions extends Omit<Tools, 'cell' | 'record' | 'ended'>, Omit<SchedulesTools, 'fired'> {
  readonly cells: Cells
  readonly metrics: Metrics
}

interface InHand {
  readonly lease: Lease
  readonly gone: AbortController
  readonly done: Promise<void>
}

export function runner({ cells, metrics, ...options }: RunnerOptions): Runner {
  const { catalogue, log } = options
  const stopping = new AbortController()
  const working: Promise<unknown>[] = []
  const wakers = new Map<string, () => void>()
  const keys = catalogue.all.map(({ definition }) => definition.key)
  const ended = (status: string) => metrics.executionEnded(status)

  async function look(cell: Cell): Promise<void> {
    const inHand = new Map<string, InHand>()
    const tools: Tools = { ...options, cell, record: recording(cell), ended }
    let full = false
    let wake = () => {}
    wakers.set(cell.name, () => wake())

    const begin = (lease: Lease) => {
      if (lease.taken_over) metrics.executionTakeover()
      const gone = new AbortController()
      const done = work(tools, lease, gone.signal).finally(() => {
        inHand.delete(lease.id)
        if (full && inHand.size <= mostRunning / 2) wake()
      })
      inHand.set(lease.id, { lease, gone, done })
    }

    const renewing = renew(cell, inHand)
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const most = mostRunning - inHand.size
      const leases = most === 0 ? [] : await lease(cell, most)
      if (leases.length > 0) failpoint('workflow.leased')
      leases.forEach(begin)
      full = leases.length === most
      const rest = new AbortController()
      await Promise.race([woken, sleep(lookEveryMs, undefined, { signal: rest.signal }).catch(() => {})])
      rest.abort()
    }
    for (const { gone } of inHand.values()) gone.abort()
    await Promise.all([...inHand.values()].map(({ done }) => done))
    await renewing
  }

  const lease = (cell: Cell, most: number): Promise<Lease[]> =>
    cell
      .asRunner((db) => leaseExecutions(db, keys, { at: now(), until: secondsFromNow(leaseSeconds), most }))
      .catch((error: unknown) => {
        log.warn({ err: error, cell: cell.name }, 'could not look for executions; will look again')
        return []
      })

  async function work(tools: Tools, held: Lease, gone: AbortSignal): Promise<void> {
    const back = (at: Date) => tools.cell.asRunner((db) => giveBack(db, held, at))
    try {
      if ((await perform(tools, held, gone)) === 'abandoned') await back(now())
    } catch (error) {
      log.error({ err: error, ...traceOf(held) }, 'an execution could not go on; it is tried again')
      await back(secondsFromNow(1)).catch((err: unknown) =>
        log.warn({ err, ...traceOf(held) }, 'a lease was not given back; it expires'),
      )
    }
  }

  /** Whoever lost its lease is told, so that its step can end. */
  async function renew(cell: Cell, inHand: ReadonlyMap<string, InHand>): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(renewEveryMs, undefined, { signal: stopping.signal }).catch(() => {})
      const held = [...inHand.values()]
      if (held.length === 0 || stopping.signal.aborted) continue
      const leases = held.map((each) => each.lease)
      await cell
        .asRunner((db) => renewExecutions(db, leases, secondsFromNow(leaseSeconds)))
        .then((kept) => {
          const still = new Set(kept)
          for (const { lease: each, gone } of held) if (!still.has(each.id)) gone.abort()
        })
        .catch((error: unknown) => log.warn({ err: error, cell: cell.name }, 'leases were not renewed; will try again'))
    }
  }

  return {
    start() {
      for (const cell of cells.all) {
        const fired = () => wakers.get(cell.name)?.()
        working.push(look(cell), keepSchedules({ ...options, fired }, cell, stopping.signal))
      }
    },
    wake: (cell) => wakers.get(cell)?.(),
    async stop() {
      stopping.abort()
      for (const wake of wakers.values()) wake()
      await Promise.all(working)
    },
  }
}
