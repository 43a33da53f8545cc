/**
 * Brings registered and removed keys into the centers of their owners, where they are sealed. A delivery is committed in
 * the cell first and noted in the directory after: a crash between the two repeats it, and the row of the key in the cell
 * shows that it is there.
 */
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { loop } from '../../../concurrency/loop.ts'
import type { Directory } from '../../../data/directory.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { type Delivery, deliveriesOf, dueCenters, noteDelivered, putOff, takeChanges } from './outbox-queries.ts'
import { bind, unbind } from './seal.ts'
import { passkeyRows } from './sealed-rows.ts'

const lookEveryMs = 5000
const most = { changes: 500, centers: 20, deliveries: 100 }
const pauseSeconds = 10

export interface PasskeyOutbox {
  start(): void
  stop(): Promise<void>
  /** Begins a delivery without a pause, in a process that has started it. */
  readonly wake: () => void
  /** Delivers what is due now. */
  deliver(): Promise<void>
}

interface OutboxNeeds {
  readonly directory: Directory
  readonly centers: CenterProfiles
  readonly sequencer: Sequencer
  readonly log: Logger
}

const job = { requestId: 'passkeys', actorId: 'passkeys', centerId: 0 }

export function passkeyOutbox({ directory, centers, sequencer, log }: OutboxNeeds): PasskeyOutbox {
  async function seal(centerId: number, deliveries: readonly Delivery[]): Promise<void> {
    const caller = { ...job, centerId }
    const ids = deliveries.flatMap(({ id, confirmed_by }) => (confirmed_by === null ? [id] : [id, confirmed_by]))
    await sequencer.seal({
      center: await centers.profile(centerId),
      caller,
      holds: { chains: ['history'], rows: [...new Set(ids)].map((id) => need(passkeyRows, { id })) },
      judge(batch) {
        for (const { action, ...key } of deliveries) {
          if (action === 'bound') bind(batch, caller, key)
          else unbind(batch, caller, key.id)
        }
      },
    })
    failpoint('passkeys.sealed')
  }

  async function deliverTo(centerId: number): Promise<void> {
    try {
      for (;;) {
        const deliveries = await directory.identity(job, (tx) => deliveriesOf(tx, centerId, most.deliveries), 'read')
        if (deliveries.length > 0) await seal(centerId, deliveries)
        await directory.identity(job, (tx) => noteDelivered(tx, centerId, deliveries, now()))
        if (deliveries.length < most.deliveries) return
      }
    } catch (error) {
      // A center whose chain or cell is in trouble does not delay the others.
      log.warn({ err: error, centerId }, 'passkeys were not sealed in a center; trying again in ten seconds')
      await directory.identity(job, (tx) => putOff(tx, centerId, secondsFromNow(pauseSeconds)))
    }
  }

  async function deliver(): Promise<void> {
    let found = await directory.identity(job, (tx) => takeChanges(tx, most.changes, now()))
    if (found.taken === 0 && !found.due) return
    while (found.taken === most.changes) {
      found = await directory.identity(job, (tx) => takeChanges(tx, most.changes, now()))
    }
    for (;;) {
      const due = await directory.identity(job, (tx) => dueCenters(tx, now(), most.centers), 'read')
      await Promise.all(due.map(deliverTo))
      if (due.length < most.centers) return
    }
  }

  const failure = 'passkeys could not be brought into their centers; trying again every five seconds'
  return { ...loop({ everyMs: lookEveryMs, turn: deliver, log, failure }), deliver }
}
