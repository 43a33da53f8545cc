/** Group commit of events. Each caller is answered after the commit of its event. */

import { type GroupCommit, type GroupWatch, groupCommit, type Submission } from '../../../concurrency/group-commit.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import { classifyFailure } from '../../../data/transaction.ts'
import type { EventRow } from '../../../governance/rows.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { type PolicyCopies, policyCopies } from './policy-copies.ts'
import { recordBatch } from './queries.ts'
import type { PolicyCopy } from './waiting.ts'

const limits = {
  batchItems: 128,
  /** Two, so that one batch is gathered and answered while the other commits. Events have no order to keep. */
  inFlight: { small: 2, large: 1, waiting: 1, alone: 2 },
}
/** The interval between updates of a center's counts. A list counts later events itself. */
const countEvery = 2000

export interface Recordable {
  readonly event: EventRow
  /** The event for `cell.record_events`. */
  readonly row: string
  /** The row of an event that waits under these policies, as JSON; null if none asks for an approval. */
  readonly waiting?: (copy: PolicyCopy) => string | null
}

export interface Recorder {
  /** True for a new event, false when its decisionId was taken. */
  record(cell: string, centerId: number, event: Recordable): Promise<boolean>
}

export function recorder(cells: Cells, jobs: Jobs, watch: (cell: string) => GroupWatch): Recorder {
  const queues = new Map<string, GroupCommit<Recordable, boolean>>()
  return {
    record(name, centerId, event) {
      let queue = queues.get(name)
      if (!queue) {
        queue = cellRecorder(cells.of(name), jobs, watch(name))
        queues.set(name, queue)
      }
      return queue.submit(centerId, event.row.length, event)
    },
  }
}

type WaitingEvent = Submission<Recordable, boolean>

function cellRecorder(cell: Cell, jobs: Jobs, watch: GroupWatch): GroupCommit<Recordable, boolean> {
  const copies = policyCopies(cell)
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
    watch,
    classify: classifyFailure,
    async commit(batch) {
      const { ids, asked } = await insert(cell, copies, batch)
      const recorded = new Set(ids)
      for (const { centerId, input, resolve } of batch) {
        resolve(recorded.has(input.event.id))
        count(centerId)
      }
      for (const centerId of asked) jobs.wake(cell.name, 'waiting-decisions', { centerId })
      return {}
    },
  })
}

/** A batch that was judged on policies which have changed is judged again; after this many times as it stands. */
const mostJudgements = 3

interface Inserted {
  readonly ids: readonly string[]
  /** Centers in which an event waits. */
  readonly asked: ReadonlySet<number>
}

async function insert(cell: Cell, copies: PolicyCopies, batch: readonly WaitingEvent[]): Promise<Inserted> {
  // The same order in every process, which prevents deadlocks between processes that record the same keys.
  const ordered = batch.toSorted(
    (a, b) => a.centerId - b.centerId || (a.input.event.decision_id < b.input.event.decision_id ? -1 : 1),
  )
  const centerIds = [...new Set(ordered.map((item) => item.centerId))]
  const fresh = batch.every((item) => item.input.event.fingerprint === null)
  const events = `[${ordered.map((item) => item.input.row).join(',')}]`
  for (let judged = 1; ; judged++) {
    const known = await copies.of(centerIds)
    const rows: string[] = []
    const asked = new Set<number>()
    for (const { centerId, input } of ordered) {
      const row = input.waiting?.(known.get(centerId) as PolicyCopy) ?? null
      if (row === null) continue
      rows.push(row)
      asked.add(centerId)
    }
    // The row of an event that was judged on an older version says so, and is judged again by a job.
    const versions = judged < mostJudgements ? centerIds.map((id) => known.get(id)?.versions ?? 0) : null
    const waiting = rows.length === 0 ? null : `[${rows.join(',')}]`
    const ids = await recordBatch(cell, { centerIds, events, fresh, versions, waiting })
    if (ids) return { ids, asked }
    copies.forget(centerIds)
  }
}
