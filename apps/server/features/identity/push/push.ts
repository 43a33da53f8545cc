/**
 * Push messages are queued in the transaction that causes them and sent after the commit, as mail is; a job sends what a
 * crash left unsent. A crash between sending and recording repeats a message, which replaces the first in the browser.
 */

import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { Caller, Directory, IdentityTx } from '../../../data/directory.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import type { Exchange, Outbound } from '../../../lib/outbound-http.ts'
import { retryAfterMs } from '../../../lib/retry-after.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { type BrowserKeys, encrypt } from './encrypt.ts'
import { claimNotices, type DueNotice, dropSubscription, endNotice, insertNotices, putOffNotice } from './queries.ts'
import { refusalOf, type TargetRules } from './targets.ts'
import { openVapid } from './vapid.ts'

export interface PushNeeds extends TargetRules {
  readonly box: SecretBox
  readonly centers: CenterProfiles
  readonly config: Pick<Config, 'vapidKey' | 'mailFrom' | 'notificationHosts'>
  readonly directory: Directory
  readonly log: Logger
  readonly outbound: Outbound
}

export interface Push {
  /** Null where the operator has set no key: nothing is queued then. */
  readonly publicKey: string | null
  /** To every browser of the person: this decision waits in this center. */
  queue(tx: IdentityTx, notice: { actorId: string; centerId: number; eventId: string }): Promise<void>
  /** Sends what is due; returns how many messages a push service accepted. */
  sendDue(): Promise<number>
  /** Waits for messages that are being sent. */
  close(): Promise<void>
}

export interface Subscription {
  readonly endpoint: string
  readonly keys: BrowserKeys
}

/** Binds the encrypted subscription to its person: it survives that a session enters another center. */
export const sealedFor = (actorId: string): string => `push subscription ${actorId}`

const caller: Caller = { requestId: 'push', actorId: null, centerId: 0 }
const most = 20
const mostOfCenter = 5
const leaseSeconds = 60
/** A browser that is off gets the message when it is on again within this time; a server keeps trying for an hour. */
const ttlSeconds = 12 * 3600
const keptSeconds = 3600

export function openPush(needs: PushNeeds): Push {
  const { box, centers, config, directory, log, outbound } = needs
  const contact = `mailto:${/<([^>]+)>\s*$/.exec(config.mailFrom)?.[1] ?? config.mailFrom}`
  const vapid = config.vapidKey && openVapid(config.vapidKey(), contact)
  const sending = new Set<Promise<unknown>>()

  /** What the service worker of the console shows: the kind, the name of the center, and a path of the same origin. */
  async function messageOf({ center_id, center_domain, event_id }: DueNotice): Promise<string | null> {
    const { name, locale, status } = await centers.profile(center_id)
    if (status !== 'ACTIVE') return null
    const url = `/c/${center_domain}/inbox?id=${typedId('decisionEvent', event_id)}`
    const language = locale.startsWith('ko') ? 'ko' : 'en'
    return JSON.stringify({ kind: 'decisions_wait', center: [...name].slice(0, 100).join(''), language, url })
  }

  async function post({ center_id }: DueNotice, subscription: Subscription, message: string): Promise<Exchange | null> {
    const { endpoint, keys } = subscription
    if (vapid === null || refusalOf(endpoint, needs) !== null) return null
    const headers = {
      authorization: vapid.authorization(endpoint),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttlSeconds),
      urgency: 'normal',
      // A newer message replaces one that the browser has not fetched.
      topic: `center-${center_id}`,
      'user-agent': 'Countersign-Push/1',
    }
    return outbound.post(endpoint, headers, encrypt(message, keys))
  }

  async function send(notice: DueNotice): Promise<boolean> {
    const end = (work: (tx: IdentityTx) => Promise<unknown>) => directory.identity(caller, work)
    const message = await messageOf(notice)
    if (message === null) {
      await end((tx) => endNotice(tx, notice))
      return false
    }
    const subscription = openSealed(notice)
    const exchange = subscription && (await post(notice, subscription, message))
    const outcome = exchange ? outcomeOf(exchange, notice.attempts, now()) : ('gone' as const)
    if (outcome === 'gone') await end((tx) => dropSubscription(tx, notice.session_id))
    else if (outcome instanceof Date) await end((tx) => putOffNotice(tx, notice, outcome))
    else await end((tx) => endNotice(tx, notice))
    if (outcome === 'dropped') log.warn({ status: exchange?.responseStatus }, 'a push service refused a message')
    return outcome === 'sent'
  }

  /** Null after a rotation of SECRET_KEY that removed the key: the browser has to subscribe again. */
  function openSealed({ actor_id, sealed }: DueNotice): Subscription | null {
    try {
      return JSON.parse(box.open(sealed, sealedFor(actor_id)).toString()) as Subscription
    } catch {
      return null
    }
  }

  async function sendDue(): Promise<number> {
    if (vapid === null) return 0
    let sent = 0
    for (;;) {
      const claim = { at: now(), leaseUntil: secondsFromNow(leaseSeconds), most, mostOfCenter }
      const due = await directory.identity(caller, (tx) => claimNotices(tx, claim))
      if (due.length === 0) return sent
      const results = await Promise.all(
        due.map((notice) =>
          send(notice).catch((err: unknown) => {
            log.warn({ err, centerId: notice.center_id }, 'a push message was not sent; it will be tried again')
            return false
          }),
        ),
      )
      sent += results.filter(Boolean).length
    }
  }

  return {
    publicKey: vapid?.publicKey ?? null,
    sendDue,
    async queue(tx, notice) {
      if (vapid === null) return
      const rows = await insertNotices(tx, { ...notice, at: now(), until: secondsFromNow(keptSeconds) })
      if (rows === 0) return
      tx.afterCommit(() => {
        const round = sendDue()
          .catch((err: unknown) => log.warn({ err }, 'push messages were not sent; the job will try again'))
          .finally(() => sending.delete(round))
        sending.add(round)
      })
    },
    close: async () => {
      await Promise.all(sending)
    },
  }
}

/** `gone`: the browser takes no messages any more. `dropped`: the service refuses this one. A date: tried again then. */
function outcomeOf(
  { responseStatus: status, retryAfter }: Exchange,
  attempts: number,
  at: Date,
): 'sent' | 'gone' | 'dropped' | Date {
  if (status !== null && status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  const isPassing = status === null || status >= 500 || status < 400 || [408, 425, 429].includes(status)
  if (!isPassing) return 'dropped'
  const pause = 30_000 * 2 ** Math.min(attempts - 1, 6)
  const asked = status === 429 || status === 503 ? (retryAfterMs(retryAfter, at.getTime()) ?? 0) : 0
  return new Date(at.getTime() + Math.max(pause, asked))
}
