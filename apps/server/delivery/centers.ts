/**
 * Brings changes of the directory into the centers that they concern, where they are sealed. A delivery is committed in the
 * cell first and noted in the directory after: a crash between the two repeats it, and the rows of the cell show that it is
 * there. A center whose chain or cell is in trouble does not delay the others.
 */
import type { Logger } from 'pino'
import { type Lease, leaseWorker } from '../concurrency/leases.ts'
import type { Loop } from '../concurrency/loop.ts'
import type { Directory, IdentityTx } from '../data/directory.ts'
import { now, secondsFromNow } from '../lib/clock.ts'
import { type CenterTable, putOffCenter, takeCenters } from './lease-queries.ts'

const everyMs = 5000
const most = { centers: 20, deliveries: 100 }
const pauseSeconds = 10

interface CenterLease extends Lease {
  readonly centerId: number
}

export interface CenterOutbox extends Loop {
  /** Delivers what is due now. */
  deliver(): Promise<void>
  /** Delivers to one center, even if its delivery was postponed. */
  deliverTo(centerId: number): Promise<void>
}

/** One kind of change. */
export interface CenterOutboxParts<Delivery, Sealed> {
  /** In messages of the log. */
  readonly what: string
  readonly directory: Directory
  readonly log: Logger
  readonly table: CenterTable
  /** Prepares deliveries where that takes a step of its own; false where nothing is due. */
  isDue?(): Promise<boolean>
  /** Of one center, in the order in which they are sealed. */
  deliveriesOf(tx: IdentityTx, centerId: number, most: number): Promise<readonly Delivery[]>
  /** A repeated call changes nothing. */
  seal(centerId: number, deliveries: readonly Delivery[]): Promise<Sealed>
  noteDelivered(tx: IdentityTx, centerId: number, delivered: readonly Delivery[], sealed: Sealed): Promise<unknown>
}

export function centerOutbox<Delivery, Sealed>(parts: CenterOutboxParts<Delivery, Sealed>): CenterOutbox {
  const { what, directory, log, table } = parts
  const job = { requestId: what, actorId: what, centerId: 0 }
  const putOff = async (centerId: number, until: Date): Promise<void> =>
    void (await directory.identity(job, ({ db }) => putOffCenter(db, table, centerId, until)))

  async function deliverTo(centerId: number): Promise<void> {
    try {
      for (;;) {
        const found = await directory.identity(job, (tx) => parts.deliveriesOf(tx, centerId, most.deliveries), 'read')
        if (found.length === 0) return
        const sealed = await parts.seal(centerId, found)
        await directory.identity(job, (tx) => parts.noteDelivered(tx, centerId, found, sealed))
        if (found.length < most.deliveries) return
      }
    } catch (error) {
      log.warn({ err: error, centerId }, `${what} were not sealed in a center; trying again in ten seconds`)
      await putOff(centerId, secondsFromNow(pauseSeconds))
    }
  }

  const worker = leaseWorker<CenterLease>({
    name: what,
    store: {
      async take(_at, until, free, held) {
        if ((await parts.isDue?.()) === false) return []
        // What was prepared is due from then on.
        const taking = { at: now(), until, most: free, held: held.map(({ centerId }) => centerId) }
        const centers = await directory.identity(job, ({ db }) => takeCenters(db, table, taking))
        return centers.map((centerId) => ({ centerId, epoch: 0, taken_over: false }))
      },
      release: ({ centerId }, at) => putOff(centerId, at),
    },
    most: most.centers,
    everyMs,
    async work({ centerId }) {
      await deliverTo(centerId)
      return 'done'
    },
    log,
    fields: (lease) => ({ centerId: lease?.centerId }),
  })
  return { ...worker, deliver: worker.drain, deliverTo }
}
