/** Every worker takes leases on due executions, in every cell, and runs them; it also starts executions of schedules. */
import { leaseWorker } from '../../../concurrency/leases.ts'
import { loops, type Startable } from '../../../concurrency/loop.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { DueWork } from '../../../jobs/due-work.ts'
import type { Metrics } from '../../../lib/metrics.ts'
import { type ExecutionTools, perform, traceOf } from './execute.ts'
import { executionLeases } from './runner-queries.ts'
import { type SchedulesTools, scheduleLoop } from './schedules.ts'
import { recording } from './step-commits.ts'

/** Steps mostly wait, for the database or for a model; an execution holds only its outputs in memory. */
const maxExecutions = 256
/** Leaves places for others while one center has a backlog of slow executions. */
const maxPerCenter = 192

export interface Runner extends Startable {
  /** Called after an execution was written that is due now. */
  wake(cell: string): void
}

export interface RunnerOptions
  extends Omit<ExecutionTools, 'cell' | 'record' | 'ended'>,
    Omit<SchedulesTools, 'fired'> {
  readonly due: DueWork
  readonly cells: Cells
  readonly metrics: Metrics
}

export function runner({ cells, metrics, due, ...options }: RunnerOptions): Runner {
  const { catalogue, log } = options
  const keys = catalogue.all.map(({ definition }) => definition.key)
  const ended = (status: string) => metrics.executionEnded(status)
  const workerOf = (cell: Cell) => {
    const tools: ExecutionTools = { ...options, cell, record: recording(cell), ended }
    return leaseWorker({
      name: 'workflow',
      store: executionLeases(cell, keys, maxPerCenter),
      most: maxExecutions,
      work: (lease, stop) => perform(tools, lease, stop),
      takenOver: metrics.executionTakeover,
      log,
      fields: (lease) => ({ cell: cell.name, ...(lease && traceOf(lease)) }),
    })
  }
  const workers = new Map(cells.worked.map((cell) => [cell.name, workerOf(cell)]))
  const wake = (cell: string) => workers.get(cell)?.wake()
  const scheduling = cells.worked.flatMap((cell) => {
    const schedules = scheduleLoop({ ...options, fired: () => wake(cell.name) }, cell)
    return [schedules, due.tell(cell, 'schedule', schedules.wake)]
  })
  const dueListeners = cells.worked.map((cell) => due.tell(cell, 'workflow', () => wake(cell.name)))
  return { ...loops([...dueListeners, ...workers.values(), ...scheduling]), wake }
}
