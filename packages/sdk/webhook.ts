/** Verifies webhook deliveries by their raw bytes: docs/formats/webhook-signatures.md. */

import type { WebhookData } from './api.generated.ts'
import { type Clock, systemClock } from './clock.ts'
import { CountersignError } from './errors.ts'

export type WebhookEvent = {
  readonly [T in keyof WebhookData]: {
    /** The same for every delivery of this event. Store it, and ignore events you've already handled. */
    readonly id: string
    readonly type: T
    readonly createdAt: string
    readonly data: WebhookData[T]
    readonly deliveryAttempt: number
  }
}[keyof WebhookData]

export interface WebhookDelivery {
  /** The raw bytes or text that arrived, not a parsed object. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** The request's headers: a `Headers` object, or an object with lowercase names as in Node. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** One signing secret, or all that are valid now. */
  readonly secrets: string | readonly string[]
  /**
   * `standard` (default) checks `webhook-signature`, which also covers the time. `service` checks `X-Service-Signature` and
   * `X-Service-Signature-Previous`, which don't, so an old delivery can be replayed.
   */
  readonly scheme?: 'standard' | 'service'
  readonly clock?: Pick<Clock, 'now'>
}

/** `reason` is `headers` if headers are missing, `time` if the time is off by more than five minutes, or `signature` if no signature matches. */
export class WebhookSignatureError extends CountersignError {
  override readonly name = 'WebhookSignatureError'
  readonly reason: 'headers' | 'time' | 'signature'

  constructor(reason: WebhookSignatureError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

const toleranceSeconds = 300

/** Returns the event, or throws `WebhookSignatureError`; if it throws, respond with 401. */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookEvent> {
  const { scheme = 'standard', clock = systemClock } = delivery
  const body = bytesOf(delivery.body)
  const secrets = [delivery.secrets].flat()
  if (secrets.length === 0 || secrets.some((secret) => !/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))) {
    throw new TypeError(
      'A signing secret is whsec_ followed by base64. Copy it exactly as it was shown, without quotes or spaces.',
    )
  }
  const header = headerOf(delivery.headers)
  const given = scheme === 'standard' ? standard(header, body, clock.now()) : service(header, body)
  for (const secret of secrets) {
    const key = scheme === 'standard' ? fromBase64(secret.slice('whsec_'.length)) : utf8.encode(secret)
    const expected = await hmac(key, given.signed)
    if (given.signatures.some((signature) => isEqual(signature, expected))) return eventOf(body)
  }
  throw new WebhookSignatureError(
    'signature',
    "The signature doesn't match. Check the signing secret, and pass the raw body exactly as it arrived.",
  )
}

const utf8 = new TextEncoder()

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return utf8.encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError("body isn't the request's raw body. Read it as bytes or text before anything parses it.")
}

type Header = (name: string) => string

function headerOf(headers: WebhookDelivery['headers']): Header {
  const isHeaders = typeof (headers as Headers).get === 'function'
  return (name) => {
    const value = isHeaders ? (headers as Headers).get(name) : (headers as Record<string, string>)[name]
    if (typeof value !== 'string' || value === '') {
      throw new WebhookSignatureError('headers', `The ${name} header is missing or appears more than once.`)
    }
    return value
  }
}

interface Signed {
  readonly signed: Uint8Array
  readonly signatures: readonly Uint8Array[]
}

function standard(header: Header, body: Uint8Array, now: number): Signed {
  const [id, time, list] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  if (!/^\d{1,12}$/.test(time) || Math.abs(Math.floor(now / 1000) - Number(time)) > toleranceSeconds) {
    throw new WebhookSignatureError(
      'time',
      "The delivery's time differs from this machine's clock by more than five minutes. Check that the clock is synchronized.",
    )
  }
  const start = utf8.encode(`${id}.${time}.`)
  const signed = new Uint8Array(start.length + body.length)
  signed.set(start)
  signed.set(body, start.length)
  const signatures = list.split(' ').filter((each) => /^v1,[A-Za-z0-9+/]{43}=$/.test(each))
  return { signed, signatures: signatures.map((each) => fromBase64(each.slice(3))) }
}

function service(header: Header, body: Uint8Array): Signed {
  const optional = (name: string): string[] => {
    try {
      return [header(name)]
    } catch {
      return []
    }
  }
  const given = [header('x-service-signature'), ...optional('x-service-signature-previous')]
  const signatures = given.filter((each) => /^[0-9a-f]{64}$/.test(each))
  return {
    signed: body,
    signatures: signatures.map((each) => Uint8Array.from(each.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))),
  }
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

async function hmac(secret: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret as Uint8Array<ArrayBuffer>, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message as Uint8Array<ArrayBuffer>))
}

/** In constant time: both have 32 bytes. */
function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < other.length; at++) difference |= (one[at] ?? 0) ^ (other[at] ?? 0)
  return difference === 0
}

const eventOf = (body: Uint8Array): WebhookEvent => JSON.parse(new TextDecoder().decode(body))

export interface DecidedCall extends Readonly<WebhookData['agent.approval.decided']> {
  /** The ID of the guarded call, without the suffix of a guard that asked again. */
  readonly callId: string
  /** The run of the agent, if an adapter named the call: what stands before the last `/`. Null if there is none. */
  readonly runId: string | null
}

/**
 * For an agent that wakes up when a person has decided: what was decided, if the event is `agent.approval.decided` about one of these
 * agents; otherwise null. A center's webhooks get the events of all its agents.
 */
export function decidedCall(event: WebhookEvent, agentIds: string | readonly string[]): DecidedCall | null {
  if (event.type !== 'agent.approval.decided' || ![agentIds].flat().includes(event.data.agentId)) return null
  const callId = event.data.decisionId.replace(/~[1-9]$/, '')
  const slash = callId.lastIndexOf('/')
  return { ...event.data, callId, runId: slash < 0 ? null : callId.slice(0, slash) }
}
