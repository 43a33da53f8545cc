/**
 * Sends what channels are owed: leases due channels, posts outside any transaction, and records what became of it under the
 * lease. A crash between sending and recording repeats a message after the lease has expired, and loses none.
 */
import type { Logger } from 'pino'
import type { CenterProfiles, KnownCenter } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { AddressGuard } from '../../../lib/address-guard.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import type { Outbound } from '../../../lib/outbound-http.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { approvalAddress } from '../decision-events/api.ts'
import { auditDisabled, urlContext } from './channel.ts'
import { bodies, type Message, testMessage, waitingMessage } from './message.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { type DueChannel, type Ended, endLease, leaseDue, newestAnnounced } from './queries.ts'
import { refusalOf } from './targets.ts'

export interface NotifyNeeds {
  readonly addressGuard: AddressGuard
  readonly box: SecretBox
  readonly cells: Cells
  readonly centers: CenterProfiles
  readonly config: Pick<Config, 'authUrl' | 'notificationHosts'>
  readonly log: Logger
  readonly outbound: Outbound
}

const job = 'notify-channels'
/** At a time. Longer than a post takes, so that a lease does not expire under its worker. */
const most = 20
const leaseSeconds = 60
/** A burst is folded into one message, as in mail. */
const silenceSeconds = 600

export async function notifyChannelsJob(needs: NotifyNeeds, cellName: string): Promise<void> {
  const cell = needs.cells.of(cellName)
  for (;;) {
    const due = await cell.asJobs((db) => leaseDue(db, now(), secondsFromNow(leaseSeconds), most))
    await Promise.all(
      due.map((channel) =>
        notify(needs, cell, channel).catch((err: unknown) =>
          needs.log.error({ err, centerId: channel.center_id }, 'a chat channel was not told; it will be tried again'),
        ),
      ),
    )
    if (due.length < most) return
  }
}

async function notify(needs: NotifyNeeds, cell: Cell, channel: DueChannel): Promise<void> {
  const center = await needs.centers.profile(channel.center_id)
  const message = await messageFor(needs, cell, center, channel)
  const url = needs.box.open(channel.sealed, urlContext(channel.id)).toString()
  const outcome = message && (await post(needs, channel, url, message))
  const ended = endOf(channel, outcome)
  await cell.inTenantJob(channel.center_id, job, async (tx) => {
    const isHeld = await endLease(tx, channel, ended)
    if (isHeld && channel.active && !ended.active) await auditDisabled(tx, channel.id, ended.disabled_reason ?? '')
  })
}

/** Null where nothing waits any more, or the center is closed. */
async function messageFor(
  { config }: NotifyNeeds,
  cell: Cell,
  { centerId, name: centerName, locale, status }: KnownCenter,
  { testing }: DueChannel,
): Promise<Message | null> {
  if (status !== 'ACTIVE') return null
  if (testing) return testMessage(locale, centerName, `${new URL(config.authUrl).origin}/`)
  const newest = await cell.inTenantJob(centerId, job, (tx) => newestAnnounced(tx, now()))
  if (!newest) return null
  const { id, action, total } = newest
  const url = approvalAddress(config)(typedId('decisionEvent', id))
  return waitingMessage(locale, { centerName, total, description: action.description ?? action.type, url })
}

async function post(
  { addressGuard: guard, config, outbound }: NotifyNeeds,
  channel: DueChannel,
  url: string,
  message: Message,
): Promise<Outcome> {
  const refusal = refusalOf(channel.kind, url, { guard, allowedHosts: config.notificationHosts })
  if (refusal !== null) return { kind: 'gone', message: refusal }
  const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Countersign-Notifications/1' }
  const exchange = await outbound.post(url, headers, Buffer.from(JSON.stringify(bodies[channel.kind](message))))
  return outcomeOf(exchange, channel, now())
}

/** A test is sent once, whatever becomes of it, and decides only whether the channel is active. */
function endOf(channel: DueChannel, outcome: Outcome | null): Ended {
  const { testing, active, disabled_reason, not_before, owed, failures, failing_since } = channel
  const same = { testing, active, disabled_reason, not_before, failures, failing_since, told: null }
  if (outcome === null) return { ...same, told: owed, last: null }
  const at = now()
  if (outcome.kind === 'sent') {
    const last = { at, status: 'success', message: null } as const
    const healthy = { ...same, active: true, disabled_reason: null, failures: 0, failing_since: null, last }
    return testing ? healthy : { ...healthy, told: owed, not_before: secondsFromNow(silenceSeconds) }
  }
  const { kind, message } = outcome
  const last = { at, status: 'failed', message } as const
  if (kind === 'gone') return { ...same, last, active: false, disabled_reason: message, told: owed }
  if (testing) return { ...same, last }
  const failed = { ...same, last, failures: failures + 1, failing_since: failing_since ?? at }
  return kind === 'later' ? { ...failed, not_before: outcome.at } : { ...failed, told: owed }
}
