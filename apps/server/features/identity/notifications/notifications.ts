/** The worker that tells people of the causes of the directory, and sends the emails that were collected for a day. */
import type { Logger } from 'pino'
import type { CenterProfiles, KnownCenter } from '../../../access/center-profiles.ts'
import { type LeaseWorker, leaseWorker } from '../../../concurrency/leases.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Directory, IdentityTx } from '../../../data/directory.ts'
import { tableLeases } from '../../../delivery/lease-queries.ts'
import { doubling, nextAttemptAt } from '../../../delivery/schedule.ts'
import { now } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { languageOf } from '../../../mail/compose.ts'
import { localeOf } from '../../../mail/queries.ts'
import {
  type CauseRow,
  causes,
  type DueCause,
  decidedSince,
  dueWaiting,
  peopleWithDigests,
  settleCause,
  takeDigest,
} from './queries.ts'
import { type TellNeeds, tellCause } from './tell.ts'

const everyMs = 2000
/** Each takes a connection of the directory. */
const most = 2
const maxListed = 20
const people = 100
const caller = { requestId: 'notifications', actorId: null, centerId: 0 }
const pauses = doubling(2, 10)

export interface Notifications extends Pick<LeaseWorker, 'start' | 'stop'> {
  /** Tells what is due now. */
  drain(): Promise<void>
  /** In one transaction; told again, it tells nobody twice. */
  tell(tx: IdentityTx, cause: CauseRow, center: KnownCenter): Promise<void>
  sendDigests(): Promise<void>
}

interface Needs extends TellNeeds {
  readonly cells: Pick<Cells, 'of'>
  readonly centers: Pick<CenterProfiles, 'profile'>
  readonly directory: Directory
  readonly log: Logger
}

export function openNotifications(needs: Needs): Notifications {
  const { config, cells, centers, directory, mail, log } = needs
  const worker = leaseWorker<DueCause>({
    name: 'notifications',
    store: tableLeases<DueCause>(causes, (work) => directory.identity(caller, ({ db }) => work(db))),
    most,
    seconds: 30,
    everyMs,
    async work(cause) {
      const center = cause.center_id === null ? null : await centers.profile(cause.center_id)
      const settled = await directory.identity(caller, async (tx) => {
        if (!(await settleCause(tx, cause))) return false
        await tellCause(needs, tx, cause, center)
        failpoint('notifications.told')
        return true
      })
      return settled ? 'done' : 'lost'
    },
    retryAt: ({ epoch }) =>
      nextAttemptAt(pauses, Number(epoch), { status: null, retryAfter: null, at: now() }) ?? now(),
    log,
    fields: (cause) => ({ event: cause?.event, centerId: cause?.center_id }),
  })

  /** The causes of items about decisions that were made since. A cell that can't say holds back no email. */
  async function decided(actorId: string): Promise<readonly string[]> {
    const items = await directory.identity(caller, (tx) => dueWaiting(tx, actorId), 'read')
    const found: string[] = []
    for (const [centerId, own] of Map.groupBy(items, ({ center_id }) => center_id)) {
      try {
        const { cell } = await centers.profile(centerId)
        const ids = own.map(({ event_id }) => event_id)
        const over = await cells.of(cell).inTenantJob(centerId, 'notifications', (tx) => decidedSince(tx, ids))
        found.push(...own.filter(({ event_id }) => over.has(event_id)).map(({ cause }) => cause))
      } catch (error) {
        log.warn({ err: error, centerId }, 'whether decisions still wait could not be read for a daily email')
      }
    }
    return found
  }

  async function sendDigest(actorId: string): Promise<void> {
    const over = await decided(actorId)
    await directory.identity(caller, async (tx) => {
      const rows = await takeDigest(tx, actorId, over)
      const to = rows[0]?.email
      if (!to || !mail.canSend) return
      const items = rows.slice(0, maxListed).map(({ event, center, url }) => ({ event: event as never, center, url }))
      const first = rows.find((row) => row.center_id !== null)?.center_id ?? null
      const locale = first === null ? null : await localeOf(tx, first)
      const facts = { items, total: rows.length, settingsUrl: `${config.publicUrl}/me#messages` }
      const language = locale && languageOf(locale)
      await mail.queue(tx, { to, centerId: 0, mail: 'digest', facts, ...(language && { language }) })
    })
  }

  return {
    start: worker.start,
    stop: worker.stop,
    drain: worker.drain,
    tell: (tx, cause, center) => tellCause(needs, tx, cause, center),
    async sendDigests() {
      for (;;) {
        const due = await directory.identity(caller, (tx) => peopleWithDigests(tx, people), 'read')
        for (const actorId of due) await sendDigest(actorId)
        if (due.length < people) return
      }
    },
  }
}
