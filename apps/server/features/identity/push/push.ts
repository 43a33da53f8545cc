/**
 * Push messages are queued in the transaction that causes them and sent after the commit, as mail is; a job sends what a
 * crash left unsent. A crash between sending and recording repeats a message, which replaces the first in the browser.
 */
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Caller, Directory, IdentityTx } from '../../../data/directory.ts'
import { type Outbox, outbox } from '../../../delivery/leases.ts'
import type { DeliveryOutcome } from '../../../delivery/outcome.ts'
import { type Letter, letter } from '../../../delivery/transport.ts'
import type { Browser } from '../../../delivery/transports/web-push.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { type DueNotice, dropSubscription, endNotice, insertNotices, putOffNotice, takeNotices } from './queries.ts'

export interface PushNeeds {
  readonly box: SecretBox
  readonly centers: CenterProfiles
  readonly directory: Directory
  readonly log: Logger
  readonly transports: Pick<Transports, 'webPush'>
}

export interface Push extends Pick<Outbox, 'sendDue' | 'close'> {
  /** Null where the operator has set no key: nothing is queued then. */
  readonly publicKey: string | null
  /** To every browser of the person: this decision waits in this center. */
  queue(tx: IdentityTx, notice: { actorId: string; centerId: number; eventId: string }): Promise<void>
}

/** Binds the encrypted subscription to its person: it survives that a session enters another center. */
export const sealedFor = (actorId: string): string => `push subscription ${actorId}`

const caller: Caller = { requestId: 'push', actorId: null, centerId: 0 }
const most = 20
/** A server keeps trying for an hour. */
const keptSeconds = 3600

export function openPush({ box, centers, directory, log, transports: { webPush } }: PushNeeds): Push {
  /** What the service worker of the console shows: the kind, the name of the center, and a path of the same origin. */
  async function textOf({ center_id, center_domain, event_id }: DueNotice): Promise<string | null> {
    const { name, locale, status } = await centers.profile(center_id)
    if (status !== 'ACTIVE') return null
    const url = `/c/${center_domain}/inbox?id=${typedId('decisionEvent', event_id)}`
    const language = locale.startsWith('ko') ? 'ko' : 'en'
    return JSON.stringify({ kind: 'decisions_wait', center: [...name].slice(0, 100).join(''), language, url })
  }

  /** Null after a rotation of SECRET_KEY that removed the key: the browser has to subscribe again. */
  function openSealed({ actor_id, sealed }: DueNotice): Browser | null {
    try {
      return JSON.parse(box.open(sealed, sealedFor(actor_id)).toString()) as Browser
    } catch {
      return null
    }
  }

  async function letterOf(notice: DueNotice): Promise<Letter | 'gone' | null> {
    const text = await textOf(notice)
    if (text === null) return null
    const browser = openSealed(notice)
    return browser === null ? 'gone' : letter(webPush, browser, { text, topic: `center-${notice.center_id}` })
  }

  const record = (notice: DueNotice, outcome: DeliveryOutcome | null) =>
    directory.identity(caller, async (tx) => {
      if (outcome?.kind === 'gone') await dropSubscription(tx, notice.session_id)
      else if (outcome?.kind === 'later') await putOffNotice(tx, notice, outcome.at)
      else await endNotice(tx, notice)
    })

  const notices = outbox<DueNotice>({
    name: 'push',
    store: {
      take: (at, until, free, held) =>
        directory.identity(caller, (tx) =>
          takeNotices(tx, { at, until, most: free, held: held.map(({ center_id }) => center_id) }),
        ),
      release: async (notice, at) => void (await directory.identity(caller, (tx) => putOffNotice(tx, notice, at))),
    },
    most,
    log,
    fields: (notice) => ({ centerId: notice?.center_id }),
    rules: webPush.rules,
    failures: ({ epoch }) => Number(epoch) - 1,
    letterOf,
    record,
  })

  return {
    publicKey: webPush.publicKey,
    sendDue: async () => (webPush.publicKey === null ? 0 : notices.sendDue()),
    close: notices.close,
    async queue(tx, notice) {
      if (webPush.publicKey === null) return
      const rows = await insertNotices(tx, { ...notice, at: now(), until: secondsFromNow(keptSeconds) })
      if (rows > 0) tx.afterCommit(notices.soon)
    },
  }
}
