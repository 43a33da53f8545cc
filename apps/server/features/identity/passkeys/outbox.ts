/** Brings registered and removed keys into the centers of their owners, where they are sealed. */
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Directory } from '../../../data/directory.ts'
import { type CenterOutbox, centerOutbox } from '../../../delivery/centers.ts'
import { now } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { type TellNeeds, tellWaiting } from './confirmers.ts'
import { type Delivery, deliveries, deliveriesOf, noteDelivered, takeChanges } from './outbox-queries.ts'
import { bind, unbind } from './seal.ts'
import { passkeyRows } from './signed.ts'

const maxChanges = 500

/** The keys that count in the center after the seal. */
type Counting = ReadonlySet<string>

interface OutboxNeeds extends TellNeeds {
  readonly directory: Directory
  readonly centers: CenterProfiles
  readonly sequencer: Sequencer
  readonly log: Logger
}

const job = { requestId: 'passkeys', actorId: 'passkeys', centerId: 0 }

export function passkeyOutbox({ directory, centers, sequencer, log, ...telling }: OutboxNeeds): CenterOutbox {
  async function seal(centerId: number, due: readonly Delivery[]): Promise<Counting> {
    const caller = { ...job, centerId }
    const ids = due.flatMap(({ id, confirmed_by }) => (confirmed_by === null ? [id] : [id, confirmed_by]))
    const outcome = await sequencer.seal({
      center: await centers.profile(centerId),
      caller,
      holds: { chains: ['history'], rows: [...new Set(ids)].map((id) => need(passkeyRows, { id })) },
      judge(batch) {
        for (const { action, ...key } of due) {
          if (action === 'bound') bind(batch, caller, key)
          else unbind(batch, caller, key.id)
        }
        return due.filter(({ id }) => batch.rows(passkeyRows).find(id)?.counts === true).map(({ id }) => id)
      },
    })
    failpoint('passkeys.sealed')
    if ('replay' in outcome) throw new Error('a change of a passkey has no idempotency key')
    return new Set(outcome.result)
  }

  return centerOutbox<Delivery, Counting>({
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
    async noteDelivered(tx, centerId, delivered, counting) {
      const noted = await noteDelivered(tx, centerId, delivered, counting, now())
      const waiting = delivered.filter(({ id, action }) => action === 'bound' && noted.has(id) && !counting.has(id))
      for (const actorId of new Set(waiting.map(({ actor_id }) => actor_id))) {
        await tellWaiting(telling, tx, centerId, actorId)
      }
    },
  })
}
