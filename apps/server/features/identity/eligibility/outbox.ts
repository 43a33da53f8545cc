/** Enters memberships that may approve, and the end of that right, in the history of their centers, and announces new ones. */

import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { Directory, IdentityTx } from '../../../data/directory.ts'
import { type CenterOutbox, centerOutbox } from '../../../delivery/centers.ts'
import { needPolicies } from '../../../governance/rules.ts'
import { now } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import type { Mail } from '../../../mail/mail.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { changesOf, forgetChanges, memberChanges, noteAgain, toldOf } from './outbox-queries.ts'
import { type Entered, eligibilityRows, enter, type MemberChange } from './seal.ts'

/** The chain `proof` is held too: nothing is sealed while the rules change. */
export const chains = ['history', 'proof'] as const

interface OutboxNeeds {
  readonly config: Pick<Config, 'eligibilitySeconds' | 'publicUrl'>
  readonly directory: Directory
  readonly centers: CenterProfiles
  readonly mail: Pick<Mail, 'canSend' | 'queue'>
  readonly sequencer: Sequencer
  readonly log: Logger
}

export interface Eligibility extends CenterOutbox {
  /** Brings into a center what it lacks about a membership, before the next turn of the outbox. */
  catchUp(centerId: number, membershipId: string): Promise<void>
}

const job = { requestId: 'eligibility', actorId: 'eligibility', centerId: 0 }
const maxRecipients = 100

type Counting = ReadonlyMap<number, Entered | null>

export function eligibilityOutbox(needs: OutboxNeeds): Eligibility {
  const { config, directory, centers, mail, sequencer, log } = needs

  async function seal(centerId: number, changes: readonly MemberChange[]): Promise<Counting> {
    const center = await centers.profile(centerId)
    const caller = { ...job, centerId }
    const people = new Set(changes.flatMap(({ makers }) => makers))
    const outcome = await sequencer.seal({
      center,
      caller,
      holds: {
        chains,
        rows: [
          needPolicies,
          ...changes.map(({ membership_id: id }) => need(eligibilityRows, { id })),
          ...[...people].map((actor_id) => need(eligibilityRows, { actor_id })),
        ],
      },
      judge: (batch) =>
        changes.map(
          (change) => [change.id, enter(batch, { center, caller }, change, config.eligibilitySeconds)] as const,
        ),
    })
    failpoint('eligibility.sealed')
    if ('replay' in outcome) throw new Error('a change of a membership has no idempotency key')
    return new Map(outcome.result)
  }

  /** In the transaction that records the delivery, so that each is announced once. */
  async function tell(tx: IdentityTx, centerId: number, change: MemberChange, entered: Entered | null): Promise<void> {
    const { actor_id: actorId, made_by: madeBy, action } = change
    if (!entered || action === 'existing' || !mail.canSend || isSandboxCenter(centerId)) return
    const { countsFrom: from, roles } = entered
    const recipients = await toldOf(tx, { centerId, actorId, madeBy }, maxRecipients)
    if (!recipients) return
    const { center: centerName, domain, name, maker, addresses } = recipients
    const waits = Date.parse(from) > now().getTime()
    // The person who created the center already knows, and is not notified.
    if (!waits && addresses.length === 1) return
    const url = `${config.publicUrl}/c/${domain}/members`
    const facts = { centerName, name, role: roles.join(), maker, countsFrom: waits ? from : null, url } as const
    for (const to of addresses) await mail.queue(tx, { to, centerId, mail: 'mayApprove', facts })
  }

  const outbox = centerOutbox<MemberChange, Counting>({
    what: 'eligibilities',
    directory,
    log,
    table: memberChanges,
    seal,
    deliveriesOf: changesOf,
    async noteDelivered(tx, centerId, changes, counting) {
      const noted = await forgetChanges(
        tx,
        changes.map(({ id }) => id),
      )
      for (const change of changes) {
        if (noted.has(change.id)) await tell(tx, centerId, change, counting.get(change.id) ?? null)
      }
    },
  })
  return {
    ...outbox,
    async catchUp(centerId, membershipId) {
      await directory.identity(job, (tx) => noteAgain(tx, centerId, membershipId))
      await outbox.deliverTo(centerId)
    },
  }
}
