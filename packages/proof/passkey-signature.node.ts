import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** `signature` is r and s, 32 bytes each. */
export function es256Verify(x: Uint8Array, y: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = keyOf({ kty: 'EC', crv: 'P-256', x: text(x), y: text(y) })
  return key !== null && verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** RSASSA-PKCS1-v1_5 with SHA-256 and the exponent 65537. */
export function rs256Verify(modulus: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = keyOf({ kty: 'RSA', n: text(modulus), e: 'AQAB' })
  return key !== null && verify('sha256', message, key, signature)
}

/** Reading a key takes longer than a signature, and a person signs often: the newest keys are kept. */
const mostKept = 1000
const kept = new Map<string, KeyObject>()

/** Null for a point that is not on the curve. */
function keyOf(jwk: JsonWebKey): KeyObject | null {
  const name = jwk.x === undefined ? `${jwk.n}` : `${jwk.x} ${jwk.y}`
  const known = kept.get(name)
  if (known) return known
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const [oldest] = kept.keys()
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    kept.set(name, key)
    return key
  } catch {
    return null
  }
}
