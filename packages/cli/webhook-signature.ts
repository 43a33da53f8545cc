/** The headers of a delivery, as the server signs them: docs/formats/webhook-signatures.md. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const prefix = 'whsec_'
export const isSecret = (text: string): boolean => /^whsec_[A-Za-z0-9+/]{43}=$/.test(text)

const standardOf = (secret: string, id: string, seconds: string, body: Buffer): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(`${id}.${seconds}.`)
    .update(body)
    .digest('base64')}`

const serviceOf = (secret: string, body: Buffer): string => createHmac('sha256', secret).update(body).digest('hex')

export function deliveryHeaders(secret: string, id: string, body: Buffer, at: Date): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000))
  return {
    'content-type': 'application/json',
    'user-agent': 'Countersign-Webhooks/1',
    'x-service-signature': serviceOf(secret, body),
    'x-service-event-id': id,
    'x-service-delivery-attempt': '1',
    'x-service-timestamp': at.toISOString(),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': standardOf(secret, id, seconds, body),
  }
}

export type SignatureFault = 'headers' | 'signature' | 'time'

const tolerance = 300
const equal = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Null where a signature fits. `now` in milliseconds; null to accept a delivery of any age. */
export function signatureFault(
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  secrets: readonly string[],
  now: number | null,
): SignatureFault | null {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': given } = headers
  if (id === undefined || given === undefined || seconds === undefined || !/^\d{1,12}$/.test(seconds)) return 'headers'
  const fits = secrets.some((secret) =>
    given.split(' ').some((each) => equal(each, standardOf(secret, id, seconds, body))),
  )
  if (!fits) return 'signature'
  return now !== null && Math.abs(now / 1000 - Number(seconds)) > tolerance ? 'time' : null
}
