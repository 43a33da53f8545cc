import { verify } from 'node:crypto'
import { base64url, publicKeyOf } from './public-key.node.ts'

/** `signature` is r and s, 32 bytes each. */
export function es256Verify(x: Uint8Array, y: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = publicKeyOf({ kty: 'EC', crv: 'P-256', x: base64url(x), y: base64url(y) })
  return key !== null && verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** RSASSA-PKCS1-v1_5 with SHA-256 and the exponent 65537. */
export function rs256Verify(modulus: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = publicKeyOf({ kty: 'RSA', n: base64url(modulus), e: 'AQAB' })
  return key !== null && verify('sha256', message, key, signature)
}
