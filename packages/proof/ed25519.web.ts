/** For browsers: their own Ed25519 is asynchronous, and younger than many of them. */
import { hashes, Point } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'

hashes.sha512 = sha512

const order = Point.CURVE().n

/**
 * By hand from the library's points: its `verify` multiplies by the cofactor, which OpenSSL does not. A signer could make
 * signatures about which the two disagree, and show one person a valid proof and another an invalid one.
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
  // Such a key fits many messages; OpenSSL refuses it as well.
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
