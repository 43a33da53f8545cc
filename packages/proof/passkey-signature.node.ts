import { verify } from 'node:crypto'
import { base64url, publicKeyOf, type VerifyInput } from './public-key.node.ts'

/** `signature` is r and s, 32 bytes each. */
export function es256Verify(x: Uint8Array, y: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const input = es256Input(x, y, message, signature)
  return input !== null && verify(...input)
}

/** RSASSA-PKCS1-v1_5 with SHA-256 and the exponent 65537. */
export function rs256Verify(modulus: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const input = rs256Input(modulus, message, signature)
  return input !== null && verify(...input)
}

/** What `verify` takes; null for a key that OpenSSL refuses. */
export function es256Input(
  x: Uint8Array,
  y: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): VerifyInput | null {
  const key = publicKeyOf({ kty: 'EC', crv: 'P-256', x: base64url(x), y: base64url(y) })
  return key && ['sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature]
}

export function rs256Input(modulus: Uint8Array, message: Uint8Array, signature: Uint8Array): VerifyInput | null {
  const key = publicKeyOf({ kty: 'RSA', n: base64url(modulus), e: 'AQAB' })
  return key && ['sha256', message, key, signature]
}
