/** Brings registered and removed keys into the centers of their owners, where they are sealed. */
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Directory } from '../../../data/directory.ts'
import { type CenterOutbox, centerOutbox } from '../../../delivery/centers.ts'
import { now } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { type Delivery, deliveries, deliveriesOf, noteDelivered, takeChanges } from './outbox-queries.ts'
import { bind, unbind } from './seal.ts'
import { passkeyRows } from './signed.ts'

const maxChanges = 500

interface OutboxNeeds {
  readonly directory: Directory
  readonly centers: CenterProfiles
  readonly sequencer: Sequencer
  readonly log: Logger
}

const job = { requestId: 'passkeys', actorId: 'passkeys', centerId: 0 }

export function passkeyOutbox({ directory, centers, sequencer, log }: OutboxNeeds): CenterOutbox {
  async function seal(centerId: number, due: readonly Delivery[]): Promise<void> {
    const caller = { ...job, centerId }
    const ids = due.flatMap(({ id, confirmed_by }) => (confirmed_by === null ? [id] : [id, confirmed_by]))
    await sequencer.seal({
      center: await centers.profile(centerId),
      caller,
      holds: { chains: ['history'], rows: [...new Set(ids)].map((id) => need(passkeyRows, { id })) },
      judge(batch) {
        for (const { action, ...key } of due) {
          if (action === 'bound') bind(batch, caller, key)
          else unbind(batch, caller, key.id)
        }
      },
    })
    failpoint('passkeys.sealed')
  }

  return centerOutbox<Delivery, void>({
    what: 'passkeys',
    directory,
    log,
    table: deliveries,
    seal,
    deliveriesOf,
    async isDue() {
      for (;;) {
        const { taken, due } = await directory.identity(job, (tx) => takeChanges(tx, maxChanges, now()))
        if (taken < maxChanges) return taken > 0 || due
      }
    },
    noteDelivered: (tx, centerId, delivered) => noteDelivered(tx, centerId, delivered, now()),
  })
}
