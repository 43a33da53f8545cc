/**
 * Notifies members of waiting decisions by mail and in their browsers, each person at most once in ten minutes, and marks chat
 * channels for a notification. Pending notifications are stored in the cell; the mail, the push messages and the time of the last
 * ones are one transaction of the directory. A crash between the two repeats a notification ten minutes later and never loses one.
 */
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { KnownCenter } from '../../../access/center-profiles.ts'
import type { Cell, TenantTx } from '../../../data/cells.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { tellWaiting } from '../../identity/notifications/api.ts'
import { announce } from '../channels/api.ts'
import { approvalAddress, policyCopy } from '../decision-events/api.ts'
import { type Asking, askedMembers, linesOf, newlyAsked, nextEscalation } from './asked.ts'
import { type Staff, staffNow } from './people.ts'
import type { ApproverRow } from './queries.ts'
import { waitingConfirmations } from './tell-emergencies.ts'
import type { TellNeeds } from './tell-needs.ts'
import {
  changesOf,
  claimAddress,
  newestWaiting,
  noteTold,
  owedNotices,
  oweNotice,
  settleNotice,
  untold,
} from './waiting-queries.ts'

const job = 'waiting-decisions'
const step = 200
const maxListed = 10
const silenceSeconds = 600

/** Rows are locked only after the directory has answered. */
const staffOf = ({ directory }: TellNeeds, cell: Cell, centerId: number): Promise<Staff> =>
  cell.inTenantJob(centerId, job, (tx) => staffNow(directory, tx))

const askingNow = async (tx: TenantTx, center: KnownCenter, { candidates, deputies }: Staff): Promise<Asking> => ({
  ...{ copy: await policyCopy(tx), center, candidates, deputies },
  at: now().getTime(),
})

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** Records whom to notify of each decision that is new, whose next step is now the current one, or that escalates now. */
export async function noteAsked(needs: TellNeeds, cell: Cell, center: KnownCenter): Promise<void> {
  const { centerId } = center
  const hasWork = await cell.inTenantJob(centerId, job, async (tx) => (await untold(tx, now(), 1)).length > 0)
  if (!hasWork) return
  const staff = await staffOf(needs, cell, centerId)
  for (;;) {
    const noted = await cell.inTenantJob(centerId, job, async (tx) => {
      const rows = await untold(tx, now(), step)
      const asking = await askingNow(tx, center, staff)
      const asked = new Set(rows.flatMap((row) => [...newlyAsked(row, asking)]))
      if (asked.size > 0) await oweNotice(tx, [...asked])
      const isAnnounced = await announce(tx, rows.filter(({ waiting }) => !waiting.announced).length)
      const told = rows.map((row) => ({
        event_id: row.event.id,
        changes: changesOf(row.approvals),
        escalates_at: timeOf(nextEscalation(linesOf(row, asking), asking.at)),
      }))
      await noteTold(tx, told, new Date(asking.at))
      return { rows: rows.length, isAnnounced }
    })
    if (noted.isAnnounced) needs.jobs.wake(cell.name, 'notify-channels', { centerId })
    if (noted.rows < step) return
  }
}

/** Sends pending notifications to those who got none within the last ten minutes. */
export async function tellMembers(needs: TellNeeds, cell: Cell, center: KnownCenter): Promise<void> {
  const { centerId } = center
  const owed = await cell.inTenantJob(centerId, job, owedNotices)
  if (owed.length === 0) return
  const staff = await staffOf(needs, cell, centerId)
  const { waiting, asking, confirming } = await cell.inTenantJob(centerId, job, async (tx) => ({
    waiting: await newestWaiting(tx, step),
    asking: await askingNow(tx, center, staff),
    confirming: await waitingConfirmations(tx, staff),
  }))
  const asked = [
    ...waiting.map((row) => ({ eventId: row.event.id, members: askedMembers(row, asking) })),
    ...confirming,
  ]
  for (const { actor_id, owed: count } of owed) {
    const member = staff.members.find((each) => each.actor_id === actor_id)
    const own = asked.flatMap(({ eventId, members }) => (members.has(actor_id) ? [eventId] : []))
    const settled = !member || (await tellMember(needs, center, member, own))
    if (settled) await cell.inTenantJob(centerId, job, (tx) => settleNotice(tx, actor_id, count))
  }
}

/** False where the person has to wait. */
async function tellMember(
  { config, directory, log, mail, push }: TellNeeds,
  center: KnownCenter,
  { actor_id: actorId, email }: ApproverRow,
  own: readonly string[],
): Promise<boolean> {
  const { name: centerName, centerId } = center
  if (own.length === 0) return true
  // Before the address is claimed: a notice that a sandbox may not send delays no other.
  if (!(await mail.reaches(centerId, email ?? ''))) return true
  const urlOf = approvalAddress(config)
  const decisions = own.map((id) => ({ id, url: urlOf(typedId('decisionEvent', id)) }))
  const shown = decisions.slice(0, maxListed).map(({ url }) => ({ url }))
  const facts = { centerName, shown, total: own.length }
  const address = email ?? `actor:${actorId}`
  const claimed = isSandboxCenter(centerId) ? `sandbox:${address}` : address
  const caller = { requestId: job, actorId: null, centerId: 0 }
  return directory.identity(caller, async (tx) => {
    if (!(await claimAddress(tx, claimed, now(), secondsFromNow(silenceSeconds)))) return false
    if (!mail.canSend)
      log.warn({ centerId }, 'members cannot be told by mail that decisions wait: this server has no SMTP_URL')
    const letter = { mail: 'decisionsWait', facts } as const
    await tellWaiting({ mail, push }, tx, { actorId, email, center, decisions, letter })
    return true
  })
}
