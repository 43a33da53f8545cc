/**
 * Brings changes of the directory into the centers that they concern, where they are sealed. A delivery is committed in the
 * cell first and noted in the directory after: a crash between the two repeats it, and the rows of the cell show that it is
 * there. A center whose chain or cell is in trouble does not delay the others.
 */
import type { Logger } from 'pino'
import { type Loop, loop } from '../concurrency/loop.ts'
import type { Directory, IdentityTx } from '../data/directory.ts'
import { now, secondsFromNow } from '../lib/clock.ts'

const lookEveryMs = 5000
const most = { centers: 20, deliveries: 100 }
const pauseSeconds = 10

export interface CenterOutbox extends Loop {
  /** Delivers what is due now. */
  deliver(): Promise<void>
  /** Delivers to one center, whether or not it was put off. */
  deliverTo(centerId: number): Promise<void>
}

/** One kind of change. */
export interface OutboxParts<Delivery, Sealed> {
  /** In messages of the log. */
  readonly what: string
  readonly directory: Directory
  readonly log: Logger
  /** Prepares deliveries where that takes a step of its own; false where nothing is due. */
  isDue(): Promise<boolean>
  dueCenters(tx: IdentityTx, at: Date, most: number): Promise<readonly number[]>
  /** Of one center, in the order in which they are sealed. */
  deliveriesOf(tx: IdentityTx, centerId: number, most: number): Promise<readonly Delivery[]>
  /** A repeated call changes nothing. */
  seal(centerId: number, deliveries: readonly Delivery[]): Promise<Sealed>
  noteDelivered(tx: IdentityTx, centerId: number, delivered: readonly Delivery[], sealed: Sealed): Promise<unknown>
  putOff(tx: IdentityTx, centerId: number, until: Date): Promise<unknown>
}

export function centerOutbox<Delivery, Sealed>(parts: OutboxParts<Delivery, Sealed>): CenterOutbox {
  const { what, directory, log } = parts
  const job = { requestId: what, actorId: what, centerId: 0 }

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
      await directory.identity(job, (tx) => parts.putOff(tx, centerId, secondsFromNow(pauseSeconds)))
    }
  }

  async function deliver(): Promise<void> {
    if (!(await parts.isDue())) return
    for (;;) {
      const due = await directory.identity(job, (tx) => parts.dueCenters(tx, now(), most.centers), 'read')
      await Promise.all(due.map(deliverTo))
      if (due.length < most.centers) return
    }
  }

  const failure = `${what} could not be brought into their centers; trying again every five seconds`
  return { ...loop({ everyMs: lookEveryMs, turn: deliver, log, failure }), deliver, deliverTo }
}
