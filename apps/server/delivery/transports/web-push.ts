/** A message to a browser, by the push service of its maker. */
import type { AnswerRules } from '../outcome.ts'
import { doubling } from '../schedule.ts'
import type { Transport, TransportNeeds } from '../transport.ts'
import { type BrowserKeys, encrypt } from './push-encryption.ts'
import { openVapid } from './vapid.ts'

export interface Browser {
  readonly endpoint: string
  readonly keys: BrowserKeys
}

export interface PushMessage {
  readonly text: string
  /** A newer message of the same topic replaces one that the browser has not fetched. */
  readonly topic: string
}

export interface WebPush extends Transport<Browser, PushMessage> {
  refusalOf(browser: Pick<Browser, 'endpoint'>): string | null
  /** Null where the operator has set no key: then nothing can be sent. */
  readonly publicKey: string | null
}

const services = ['fcm.googleapis.com', 'updates.push.services.mozilla.com']
const domains = ['.push.services.mozilla.com', '.notify.windows.com', '.push.apple.com']
/** A browser that is off gets the message when it is on again within this time. */
const ttlSeconds = 12 * 3600

export const pushRules: AnswerRules = {
  schedule: doubling(30, 7),
  gone: [404, 410],
  refusals: 'final',
  answered: ({ responseStatus }) => `The push service responded with ${responseStatus}.`,
}

export function webPush({ config, guard, outbound }: TransportNeeds): WebPush {
  const contact = `mailto:${/<([^>]+)>\s*$/.exec(config.mailFrom)?.[1] ?? config.mailFrom}`
  const vapid = config.vapidKey && openVapid(config.vapidKey(), contact)
  return {
    publicKey: vapid?.publicKey ?? null,
    rules: pushRules,
    refusalOf({ endpoint }) {
      if (vapid === null) return "This server can't send push notifications yet. Ask the operator to set them up."
      const refusal = guard.refusalOfUrl(endpoint)
      if (refusal !== null) return refusal
      const { hostname } = new URL(endpoint)
      const isKnown = services.includes(hostname) || domains.some((domain) => hostname.endsWith(domain))
      if (isKnown || config.notificationHosts.includes(hostname)) return null
      return `${hostname} isn't a known browser's push service. Ask the operator to allow it.`
    },
    send({ endpoint, keys }, { text, topic }) {
      const headers = {
        authorization: vapid?.authorization(endpoint) ?? '',
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(ttlSeconds),
        urgency: 'normal',
        topic,
        'user-agent': 'Countersign-Push/1',
      }
      return outbound.post(endpoint, headers, encrypt(text, keys))
    },
  }
}
