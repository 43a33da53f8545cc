/**
 * The public key of a passkey as a JWK: ES256 on P-256, EdDSA on Ed25519, or RS256 with 2,048 to 4,096 bits and the
 * exponent 65537. A smaller exponent is refused: with 1, anybody can make a signature.
 */
import { ed25519Verify } from '#ed25519'
import { es256Verify, rs256Verify } from '#passkey-signature'
import { sha256Bytes } from '#sha256'
import { fromBase64Url, toBase64Url } from './base64.ts'
import { canonical } from './canonical.ts'
import { derItem, derItems } from './der.ts'

/** Exactly these members. */
export type PasskeyKey =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: 'AQAB' }

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** RFC 7638: base64url of SHA-256. The members of PasskeyKey are the ones that it hashes. */
export const thumbprintOf = (key: PasskeyKey): string => toBase64Url(sha256Bytes(bytesOf(canonical({ ...key }))))

/** What a signature is checked with, of a key and a signature whose forms are right. */
export type PasskeySignature = { readonly message: Uint8Array; readonly signature: Uint8Array } & PasskeyNumbers

type PasskeyNumbers =
  | { readonly algorithm: 'ES256'; readonly x: Uint8Array; readonly y: Uint8Array }
  | { readonly algorithm: 'EdDSA'; readonly point: Uint8Array }
  | { readonly algorithm: 'RS256'; readonly modulus: Uint8Array }

/** Null for a value that is no key of these three kinds. Whether a point is on its curve shows at the signature. */
export function passkeyNumbers(key: unknown): PasskeyNumbers | null {
  if (typeof key !== 'object' || key === null) return null
  const { kty, crv, x, y, n, e } = key as Readonly<Record<string, unknown>>
  const members = Object.keys(key).sort().join()
  if (kty === 'EC' && crv === 'P-256' && members === 'crv,kty,x,y') {
    const [px, py] = [fromBase64Url(x), fromBase64Url(y)]
    return px?.length === 32 && py?.length === 32 ? { algorithm: 'ES256', x: px, y: py } : null
  }
  if (kty === 'OKP' && crv === 'Ed25519' && members === 'crv,kty,x') {
    const point = fromBase64Url(x)
    return point?.length === 32 ? { algorithm: 'EdDSA', point } : null
  }
  if (kty === 'RSA' && e === 'AQAB' && members === 'e,kty,n') {
    const modulus = fromBase64Url(n)
    return modulus !== null && isModulus(modulus) ? { algorithm: 'RS256', modulus } : null
  }
  return null
}

/** With the signature in the form in which it is checked; null where it is in no form of its algorithm. */
export function signatureBy(
  numbers: PasskeyNumbers,
  message: Uint8Array,
  signature: Uint8Array,
): PasskeySignature | null {
  if (numbers.algorithm === 'ES256') {
    const both = fromDer(signature)
    return both && { ...numbers, message, signature: both }
  }
  if (numbers.algorithm === 'RS256' && signature.length !== numbers.modulus.length) return null
  return { ...numbers, message, signature }
}

export function signatureHolds(made: PasskeySignature): boolean {
  if (made.algorithm === 'ES256') return es256Verify(made.x, made.y, made.message, made.signature)
  if (made.algorithm === 'EdDSA') return ed25519Verify(made.point, made.message, made.signature)
  return rs256Verify(made.modulus, made.message, made.signature)
}

/** 2,048 to 4,096 bits, odd, without leading zeros. */
function isModulus(bytes: Uint8Array): boolean {
  const [first = 0, last = 0] = [bytes[0], bytes.at(-1)]
  const bits = bytes.length * 8 - (Math.clz32(first) - 24)
  return first !== 0 && (last & 1) === 1 && bits >= 2048 && bits <= 4096
}

/** r and s of 32 bytes each. Null unless the DER is the only one for these two numbers, with nothing after it. */
function fromDer(signature: Uint8Array): Uint8Array | null {
  try {
    const sequence = derItem(signature)
    const numbers = derItems(sequence.body)
    // 2 * (2 + 33) bytes at most: one byte is enough for every length.
    if (sequence.tag !== 0x30 || sequence.whole.length !== signature.length || numbers.length !== 2) return null
    if (sequence.whole.length !== sequence.body.length + 2) return null
    const both = new Uint8Array(64)
    for (const [at, { tag, body, whole }] of numbers.entries()) {
      const [first = 0x80, second = 0] = body
      const shortest = first < 0x80 && (first > 0 || (body.length > 1 && second >= 0x80))
      if (tag !== 2 || whole.length !== body.length + 2 || !shortest) return null
      const magnitude = first === 0 ? body.subarray(1) : body
      if (magnitude.length > 32) return null
      both.set(magnitude, 32 * (at + 1) - magnitude.length)
    }
    return both
  } catch {
    return null
  }
}
