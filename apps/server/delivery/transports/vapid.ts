/** The identity of this server for push services: a key pair, and a token for each service (VAPID, RFC 8292). */
import { createECDH, createPrivateKey, sign } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { nowMs } from '../../lib/clock.ts'

export interface Vapid {
  /** For `applicationServerKey` of browsers, in base64url. */
  readonly publicKey: string
  /** The header `Authorization` for this endpoint. */
  authorization(endpoint: string): string
}

/** At most 24 hours; half of it leaves room for clocks that differ. */
const tokenSeconds = 12 * 3600
const reusedMs = 6 * 3600 * 1000

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** `contact` is whom the operator of a push service can write to. */
export function openVapid(privateKey: string, contact: string): Vapid {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey, 'base64url')
  const point = pair.getPublicKey()
  const publicKey = point.toString('base64url')
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' })
  const tokens = new LRUCache<string, { readonly token: string; readonly until: number }>({ max: 1000 })

  function tokenFor(aud: string): string {
    const known = tokens.get(aud)
    if (known && known.until > nowMs()) return known.token
    const exp = Math.floor(nowMs() / 1000) + tokenSeconds
    const signed = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded({ aud, exp, sub: contact })}`
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
    const token = `${signed}.${signature.toString('base64url')}`
    tokens.set(aud, { token, until: nowMs() + reusedMs })
    return token
  }

  return {
    publicKey,
    authorization: (endpoint) => `vapid t=${tokenFor(new URL(endpoint).origin)}, k=${publicKey}`,
  }
}
