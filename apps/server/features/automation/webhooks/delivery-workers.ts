/** Every worker takes leases on endpoints with due deliveries, in every cell, and delivers to each. */
import type { Logger } from 'pino'
import { leaseWorker } from '../../../concurrency/leases.ts'
import { loops, type Startable } from '../../../concurrency/loop.ts'
import { semaphore } from '../../../concurrency/semaphore.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { Transports } from '../../../delivery/transports.ts'
import type { DueWork } from '../../../jobs/due-work.ts'
import type { Metrics } from '../../../lib/metrics.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import type { Tracing } from '../../../lib/tracing.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { deliver } from './delivery-worker.ts'
import { endpointLeases } from './delivery-worker-queries.ts'

/** An endpoint that hangs holds a lease for the length of an attempt; enough leases must remain for all others. */
const maxEndpoints = 1000
const maxInFlight = 1000

export interface DeliveryWorkersOptions {
  readonly due: DueWork
  readonly cells: Cells
  readonly book: LogBook
  readonly transports: Transports
  readonly box: SecretBox
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly log: Logger
}

export function deliveryWorkers(options: DeliveryWorkersOptions): Startable {
  const { due, cells, book, transports, box, metrics, tracing, log } = options
  const inFlight = semaphore(maxInFlight)
  const workerOf = (cell: Cell) => {
    const tools = { cell, book, transports, box, inFlight, tracing, attempted: metrics.webhookAttempt }
    return leaseWorker({
      name: 'deliver',
      store: endpointLeases(cell),
      most: maxEndpoints,
      work: (lease, stop) => deliver(tools, lease, stop),
      takenOver: metrics.webhookTakeover,
      fenced: metrics.webhookTakeover,
      log,
      fields: (lease) => ({ cell: cell.name, webhookId: lease?.webhook_id }),
    })
  }
  return loops(
    cells.worked.flatMap((cell) => {
      const worker = workerOf(cell)
      return [worker, due.tell(cell, 'deliver', worker.wake)]
    }),
  )
}
