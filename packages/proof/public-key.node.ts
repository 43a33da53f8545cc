import { createPublicKey, type JsonWebKey, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto'

/** Reading a key takes longer than checking a signature with it, and few keys sign most of what is checked. */
const mostKept = 1000
const kept = new Map<string, KeyObject>()

/** Null for a key that OpenSSL refuses, as a point that is not on its curve. */
export function publicKeyOf(jwk: JsonWebKey): KeyObject | null {
  const name = `${jwk.kty} ${jwk.crv} ${jwk.x} ${jwk.y} ${jwk.n}`
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

/** The arguments of `verify`. */
export type VerifyInput = [
  algorithm: 'sha256' | null,
  message: Uint8Array,
  key: KeyObject | VerifyKeyObjectInput,
  signature: Uint8Array,
]

export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
