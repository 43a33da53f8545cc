import { verify } from 'node:crypto'
import { base64url, publicKeyOf, type VerifyInput } from './public-key.node.ts'

export function ed25519Verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const input = ed25519Input(publicKey, message, signature)
  return input !== null && verify(...input)
}

/** What `verify` takes; null for a key or a signature that no signer makes. */
export function ed25519Input(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): VerifyInput | null {
  if (publicKey.length !== 32 || signature.length !== 64 || !isCanonical(publicKey)) return null
  const key = publicKeyOf({ kty: 'OKP', crv: 'Ed25519', x: base64url(publicKey) })
  return key && [null, message, key, signature]
}

/** OpenSSL accepts non-canonical encodings of some points, which RFC 8032 and the build for browsers refuse. */
function isCanonical(publicKey: Uint8Array): boolean {
  const [low = 0, high = 0] = [publicKey[0], publicKey[31]]
  const middle = publicKey.subarray(1, 31)
  if (middle.every((byte) => byte === 0xff) && (high & 0x7f) === 0x7f) {
    // y is 2^255 - 256 + low: from 2^255 - 19 on it is not reduced, and 2^255 - 20 has no point with a negative x.
    return low < 0xec || (low === 0xec && high === 0x7f)
  }
  return !(low === 1 && high === 0x80 && middle.every((byte) => byte === 0))
}
