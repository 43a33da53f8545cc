/**
 * Group commit of events. Two batches are in flight per process and cell; events that arrive meanwhile form the next
 * batch. There is no timer: when idle, an event waits for one commit; under load, one commit carries hundreds. Each
 * caller is answered after the commit of its event.
 */
import type { Cell, Cells } from '../../../data/cells.ts'
import { isAboutData } from '../../../data/transaction.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PreparedEvent } from './event.ts'

const maxBatch = 128
/** Two, so that one batch is gathered and answered while the other commits. Events have no order to keep. */
const maxInFlight = 2
/** Beyond this many waiting events, callers get 503 with Retry-After. */
const maxWaiting = 4096
/** The interval between updates of a center's counts. A list counts later events itself. */
const countEvery = 2000

type Recordable = Omit<PreparedEvent, 'event'>

export interface Recorder {
  /** True for a new event, false when its decisionId was taken. */
  record(cell: string, centerId: number, event: Recordable): Promise<boolean>
}

interface WaitingEvent {
  readonly centerId: number
  readonly event: Recordable
  resolve(recorded: boolean): void
  reject(error: unknown): void
}

export function recorder(cells: Cells, jobs: Jobs): Recorder {
  const recorders = new Map<string, CellRecorder>()
  return {
    record(cellName, centerId, event) {
      let record = recorders.get(cellName)
      if (!record) {
        record = cellRecorder(cells.of(cellName), jobs)
        recorders.set(cellName, record)
      }
      return record(centerId, event)
    },
  }
}

type CellRecorder = (centerId: number, event: Recordable) => Promise<boolean>

function cellRecorder(cell: Cell, jobs: Jobs): CellRecorder {
  const waiting: WaitingEvent[] = []
  const uncounted = new Map<number, number>()
  let inFlight = 0

  async function drain(): Promise<void> {
    while (waiting.length > 0) await commit(cell, waiting.splice(0, maxBatch), uncounted, jobs)
    inFlight--
  }

  return (centerId, event) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) {
        reject(
          new Problem('SERVICE_UNAVAILABLE', 'Too many decisions are waiting to be recorded; try again in a second.', {
            retryAfter: 1,
          }),
        )
        return
      }
      waiting.push({ centerId, event, resolve, reject })
      // Starts after this turn of the event loop, so that requests read in the same turn share the first batch.
      if (inFlight < maxInFlight) {
        inFlight++
        setImmediate(() => void drain())
      }
    })
}

async function commit(
  cell: Cell,
  batch: readonly WaitingEvent[],
  uncounted: Map<number, number>,
  jobs: Jobs,
): Promise<void> {
  let recorded: ReadonlySet<string>
  try {
    recorded = new Set(await insert(cell, batch))
  } catch (error) {
    if (batch.length > 1 && isAboutData(error)) {
      // One of the events cannot be stored. Each is tried alone, so that only that one fails.
      for (const item of batch) await commit(cell, [item], uncounted, jobs)
      return
    }
    for (const item of batch) item.reject(error)
    return
  }
  for (const { centerId, event, resolve } of batch) {
    resolve(recorded.has(event.uuid))
    noteUncounted(cell, centerId, uncounted, jobs)
  }
}

function insert(cell: Cell, batch: readonly WaitingEvent[]): Promise<readonly string[]> {
  // The same order in every process, which prevents deadlocks between processes that record the same keys.
  const ordered = [...batch].sort(
    (a, b) => a.centerId - b.centerId || (a.event.decisionId < b.event.decisionId ? -1 : 1),
  )
  const centers = new Set(ordered.map((item) => item.centerId))
  const fresh = batch.every((item) => item.event.fingerprint === null)
  return cell.recordBatch([...centers], `[${ordered.map((item) => item.event.row).join(',')}]`, fresh)
}

function noteUncounted(cell: Cell, centerId: number, uncounted: Map<number, number>, jobs: Jobs): void {
  const count = (uncounted.get(centerId) ?? 0) + 1
  uncounted.set(centerId, count % countEvery)
  if (count === countEvery) jobs.wake(cell.name, 'count-events', { centerId })
}
