/** Group commit of events. Each caller is answered after the commit of its event. */
import { type GroupCommit, groupCommit, type Submission } from '../../../concurrency/group-commit.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import type { PreparedEvent } from './event.ts'

const limits = {
  batchItems: 128,
  /** Two, so that one batch is gathered and answered while the other commits. Events have no order to keep. */
  inFlight: { small: 2, large: 1, waiting: 1, alone: 2 },
}
/** The interval between updates of a center's counts. A list counts later events itself. */
const countEvery = 2000

type Recordable = Omit<PreparedEvent, 'event'>

export interface Recorder {
  /** True for a new event, false when its decisionId was taken. */
  record(cell: string, centerId: number, event: Recordable): Promise<boolean>
}

export function recorder(cells: Cells, jobs: Jobs): Recorder {
  const queues = new Map<string, GroupCommit<Recordable, boolean>>()
  return {
    record(name, centerId, event) {
      let queue = queues.get(name)
      if (!queue) {
        queue = cellRecorder(cells.of(name), jobs)
        queues.set(name, queue)
      }
      return queue.submit(centerId, event.row.length, event)
    },
  }
}

type WaitingEvent = Submission<Recordable, boolean>

function cellRecorder(cell: Cell, jobs: Jobs): GroupCommit<Recordable, boolean> {
  const uncounted = new Map<number, number>()
  const count = (centerId: number) => {
    const events = (uncounted.get(centerId) ?? 0) + 1
    uncounted.set(centerId, events % countEvery)
    if (events === countEvery) jobs.wake(cell.name, 'count-events', { centerId })
  }
  return groupCommit({
    what: 'decisions to record',
    ordered: false,
    limits,
    async commit(batch) {
      const recorded = new Set(await insert(cell, batch))
      for (const { centerId, input, resolve } of batch) {
        resolve(recorded.has(input.uuid))
        count(centerId)
      }
      return {}
    },
  })
}

function insert(cell: Cell, batch: readonly WaitingEvent[]): Promise<readonly string[]> {
  // The same order in every process, which prevents deadlocks between processes that record the same keys.
  const ordered = batch.toSorted(
    (a, b) => a.centerId - b.centerId || (a.input.decisionId < b.input.decisionId ? -1 : 1),
  )
  const centers = new Set(ordered.map((item) => item.centerId))
  const fresh = batch.every((item) => item.input.fingerprint === null)
  return cell.recordBatch([...centers], `[${ordered.map((item) => item.input.row).join(',')}]`, fresh)
}
