/** For browsers: WebCrypto is asynchronous. */
import { weierstrass } from '@noble/curves/abstract/weierstrass.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** The points of P-256. Not the library's `ecdsa`: what it has for signing would take the page above its size. */
const Point = weierstrass({
  p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  h: 1n,
  a: 0xffffffff00000001000000000000000000000000fffffffffffffffffffffffcn,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  Gx: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  Gy: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
})

/** `signature` is r and s, 32 bytes each (FIPS 186-5, 6.4.2). Authenticators make either of the two values of s. */
export function es256Verify(x: Uint8Array, y: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const { Fn } = Point
  const [r, s] = [number(signature.subarray(0, 32)), number(signature.subarray(32))]
  if (signature.length !== 64 || r === 0n || r >= Fn.ORDER || s === 0n || s >= Fn.ORDER) return false
  try {
    const key = Point.fromBytes(Uint8Array.of(4, ...x, ...y))
    const inverse = Fn.inv(s)
    const ofBase = Fn.mul(number(sha256(message)) % Fn.ORDER, inverse)
    const sum = Point.BASE.multiplyUnsafe(ofBase).add(key.multiplyUnsafe(Fn.mul(r, inverse)))
    return !sum.is0() && sum.x % Fn.ORDER === r
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
