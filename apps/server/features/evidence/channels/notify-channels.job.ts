/** Sends pending notifications to chat channels. */
import type { Logger } from 'pino'
import type { CenterProfiles, KnownCenter } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import { afterFailure, afterSuccess, isDead } from '../../../delivery/health.ts'
import { tableLeases } from '../../../delivery/lease-queries.ts'
import { outbox } from '../../../delivery/leases.ts'
import type { DeliveryOutcome } from '../../../delivery/outcome.ts'
import { letter } from '../../../delivery/transport.ts'
import { type ChatKind, type ChatMessage, chatRules } from '../../../delivery/transports/chat.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { approvalAddress } from '../decision-events/api.ts'
import { auditDisabled, urlContext } from './channel.ts'
import { testMessage, waitingMessage } from './message.ts'
import { channels, type DueChannel, type Ended, endLease, newestAnnounced } from './queries.ts'

export interface NotifyNeeds {
  readonly box: SecretBox
  readonly cells: Cells
  readonly centers: CenterProfiles
  readonly config: Pick<Config, 'authUrl'>
  readonly log: Logger
  readonly transports: Pick<Transports, ChatKind>
}

const job = 'notify-channels'
const most = 20
/** A burst is folded into one message, as in mail. */
const silenceSeconds = 600

export async function notifyChannelsJob(needs: NotifyNeeds, cellName: string): Promise<void> {
  const { box, centers, log, transports } = needs
  const cell = needs.cells.of(cellName)
  const sending = outbox<DueChannel>({
    name: 'channels',
    store: tableLeases<DueChannel>(channels, (work) => cell.asJobs(work)),
    most,
    log,
    fields: (channel) => ({ centerId: channel?.center_id }),
    rules: chatRules,
    failures: ({ failures }) => failures,
    async letterOf(channel) {
      const center = await centers.profile(channel.center_id)
      const message = await messageFor(needs, cell, center, channel)
      const url = box.open(channel.sealed, urlContext(channel.id)).toString()
      return message && letter(transports[channel.kind], url, message)
    },
    async record(channel, outcome) {
      const ended = endOf(channel, outcome)
      await cell.inTenantJob(channel.center_id, job, async (tx) => {
        const isHeld = await endLease(tx, channel, ended)
        if (isHeld && channel.active && !ended.active) await auditDisabled(tx, channel.id, ended.disabled_reason ?? '')
      })
    },
  })
  await sending.sendDue()
}

async function messageFor(
  { config }: NotifyNeeds,
  cell: Cell,
  { centerId, name: centerName, locale, status }: KnownCenter,
  { testing }: DueChannel,
): Promise<ChatMessage | null> {
  if (status !== 'ACTIVE') return null
  if (testing) return testMessage(locale, centerName, `${new URL(config.authUrl).origin}/`)
  const newest = await cell.inTenantJob(centerId, job, (tx) => newestAnnounced(tx, now()))
  if (!newest) return null
  const { id, action, total } = newest
  const url = approvalAddress(config)(typedId('decisionEvent', id))
  return waitingMessage(locale, { centerName, total, description: action.description ?? action.type, url })
}

/** A test is sent once, whatever becomes of it, and decides only whether the channel is active. */
function endOf(channel: DueChannel, outcome: DeliveryOutcome | null): Ended {
  const { testing, active, disabled_reason, not_before, owed, failures, failing_since } = channel
  const same = { testing, active, disabled_reason, not_before, failures, failing_since, told: null }
  if (outcome === null) return { ...same, told: owed, last: null }
  const at = now()
  if (outcome.kind === 'delivered') {
    const last = { at, status: 'success', message: null } as const
    const healthy = { ...same, ...afterSuccess(channel), active: true, disabled_reason: null, last }
    return testing ? healthy : { ...healthy, told: owed, not_before: secondsFromNow(silenceSeconds).toISOString() }
  }
  const last = { at, status: 'failed', message: outcome.reason } as const
  const gone = (reason: string) => ({ ...same, last, active: false, disabled_reason: reason, told: owed })
  if (outcome.kind === 'gone') return gone(outcome.reason)
  if (testing) return { ...same, last }
  const health = afterFailure(channel, at.toISOString(), outcome.kind === 'later' ? outcome.at : null)
  if (isDead(health, at.getTime())) return gone(`Every message has failed for 5 days. ${outcome.reason}`)
  return { ...same, ...health, last, told: outcome.kind === 'later' ? null : owed }
}
