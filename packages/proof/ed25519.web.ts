/** For browsers: Ed25519 in WebCrypto is asynchronous, and many browsers do not have it. */
import { hashes, Point } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'

hashes.sha512 = sha512

const order = Point.CURVE().n

/**
 * Not the library's `verify`, which multiplies by the cofactor; OpenSSL does not. A dishonest signer could make
 * signatures that one accepts and the other refuses, so that the validity of a proof would depend on the verifier.
 */
export function ed25519Verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  const scalar = number(signature.subarray(32))
  if (scalar >= order) return false
  let key: Point
  try {
    key = Point.fromBytes(publicKey, false)
  } catch {
    return false
  }
  // A key of small order verifies many messages; OpenSSL refuses it as well.
  if (key.isSmallOrder()) return false
  const input = new Uint8Array(64 + message.length)
  input.set(signature.subarray(0, 32))
  input.set(publicKey, 32)
  input.set(message, 64)
  const challenge = number(sha512(input)) % order
  const point = Point.BASE.multiply(scalar, false).subtract(key.multiply(challenge, false)).toBytes()
  return point.every((byte, at) => byte === signature[at])
}

const number = (littleEndian: Uint8Array): bigint =>
  BigInt(`0x${Array.from(littleEndian.toReversed(), (byte) => byte.toString(16).padStart(2, '0')).join('')}`)
