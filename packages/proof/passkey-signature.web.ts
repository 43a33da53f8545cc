/** For browsers: WebCrypto is asynchronous. */
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** `signature` is r and s, 32 bytes each. Authenticators make either of the two values of s. */
export function es256Verify(x: Uint8Array, y: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return p256.verify(signature, message, Uint8Array.of(4, ...x, ...y), { lowS: false })
  } catch {
    return false
  }
}

/** DigestInfo of SHA-256, before the digest. */
const digestInfo = [0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 0x20]

/**
 * RSASSA-PKCS1-v1_5 with SHA-256 and the exponent 65537. It compares the whole block and parses nothing: a lenient
 * reader of the padding would accept forged signatures.
 */
export function rs256Verify(modulus: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const [n, s] = [number(modulus), number(signature)]
  if (s >= n) return false
  let power = s
  for (let squarings = 0; squarings < 16; squarings++) power = (power * power) % n
  const end = [0, ...digestInfo, ...sha256(message)]
  const block = new Uint8Array(modulus.length).fill(0xff)
  block.set([0, 1])
  block.set(end, block.length - end.length)
  return (power * s) % n === number(block)
}

const number = (bigEndian: Uint8Array): bigint =>
  BigInt(`0x${Array.from(bigEndian, (byte) => byte.toString(16).padStart(2, '0')).join('')}`)
