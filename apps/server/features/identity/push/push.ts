/**
 * Push messages are queued in the transaction that causes them and sent after the commit, as mail is; a job sends what a
 * crash left unsent. A crash between sending and recording repeats a message, which replaces the first in the browser.
 */
import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Caller, Directory, IdentityTx } from '../../../data/directory.ts'
import { tableLeases } from '../../../delivery/lease-queries.ts'
import { type Outbox, outbox } from '../../../delivery/leases.ts'
import type { DeliveryOutcome } from '../../../delivery/outcome.ts'
import { type Letter, letter } from '../../../delivery/transport.ts'
import type { Browser } from '../../../delivery/transports/web-push.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { type DueNotice, dropSubscription, endNotice, insertNotices, notices, type Shown } from './queries.ts'

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
  queue(tx: IdentityTx, notice: { actorId: string; centerId: number; eventId: string; at?: Date }): Promise<void>
  /** To every browser of the person, from `at` on. The same cause, queued again, is one message. */
  queueMessage(tx: IdentityTx, notice: PushMessageNotice): Promise<void>
}

interface PushMessageNotice {
  readonly actorId: string
  /** Null for what concerns an account and no center. */
  readonly centerId: number | null
  readonly cause: string
  readonly message: Shown
  readonly at: Date
}

/** Binds the encrypted subscription to its person: it survives that a session enters another center. */
export const sealedFor = (actorId: string): string => `push subscription ${actorId}`

/** A newer notice of the same cause replaces one that the browser has not fetched. */
const topicOf = ({ center_id, event_id, cause }: DueNotice): string =>
  event_id === null ? hash('sha256', cause, 'base64url').slice(0, 32) : `center-${center_id}`

const caller: Caller = { requestId: 'push', actorId: null, centerId: 0 }
const most = 20
/** A server keeps trying for an hour. */
const keptSeconds = 3600

export function openPush({ box, centers, directory, log, transports: { webPush } }: PushNeeds): Push {
  /** What the service worker of the console shows: the kind, the name of the center, and a path of the same origin. */
  async function textOf({ center_id, center_domain, event_id, message }: DueNotice): Promise<string | null> {
    if (center_id === null) return JSON.stringify(message)
    const { name, locale, status } = await centers.profile(center_id)
    if (status !== 'ACTIVE') return null
    if (event_id === null) return JSON.stringify(message)
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
    return browser === null ? 'gone' : letter(webPush, browser, { text, topic: topicOf(notice) })
  }

  const store = tableLeases<DueNotice>(notices, (work) => directory.identity(caller, ({ db }) => work(db)))

  async function record(notice: DueNotice, outcome: DeliveryOutcome | null): Promise<void> {
    if (outcome?.kind === 'later') return store.release(notice, outcome.at)
    await directory.identity<unknown>(caller, (tx) =>
      outcome?.kind === 'gone' ? dropSubscription(tx, notice.session_id) : endNotice(tx, notice),
    )
  }

  const sending = outbox<DueNotice>({
    name: 'push',
    store,
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
    sendDue: async () => (webPush.publicKey === null ? 0 : sending.sendDue()),
    close: sending.close,
    async queue(tx, notice) {
      if (webPush.publicKey === null) return
      const cause = `decisions ${notice.centerId}`
      const at = notice.at ?? now()
      const until = new Date(at.getTime() + keptSeconds * 1000)
      const rows = await insertNotices(tx, { ...notice, cause, at, until })
      if (rows > 0) tx.afterCommit(sending.soon)
    },
    async queueMessage(tx, notice) {
      if (webPush.publicKey === null) return
      const until = new Date(notice.at.getTime() + keptSeconds * 1000)
      const rows = await insertNotices(tx, { ...notice, eventId: null, until })
      if (rows > 0) tx.afterCommit(sending.soon)
    },
  }
}
