/** Reads the COSE key (RFC 9052) that an authenticator gives at registering. Later only its JWK is used. */
import { toBase64Url } from './base64.ts'
import { type PasskeyKey, passkeyNumbers } from './passkey-key.ts'

/** Throws a RangeError for another algorithm, a further member, a longer form of a number, and bytes after the key. */
export function jwkOfCose(bytes: Uint8Array): PasskeyKey {
  const members = readMap(bytes)
  const labels = [...members.keys()].sort((one, other) => other - one).join()
  const text = (label: number): string => {
    const value = members.get(label)
    return value instanceof Uint8Array ? toBase64Url(value) : ''
  }
  const is = (kty: number, algorithm: number, curve?: number): boolean =>
    members.get(1) === kty && members.get(3) === algorithm && (curve === undefined || members.get(-1) === curve)
  let key: unknown
  if (is(2, -7, 1) && labels === '3,1,-1,-2,-3') key = { kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) }
  if (is(1, -8, 6) && labels === '3,1,-1,-2') key = { kty: 'OKP', crv: 'Ed25519', x: text(-2) }
  if (is(3, -257) && labels === '3,1,-1,-2') key = { kty: 'RSA', n: text(-1), e: text(-2) }
  if (passkeyNumbers(key) === null) {
    throw new RangeError("The public key isn't ES256, EdDSA or RS256 with the exponent 65537.")
  }
  return key as PasskeyKey
}

/** A CBOR map of integers to integers and byte strings, of definite length. */
function readMap(bytes: Uint8Array): ReadonlyMap<number, number | Uint8Array> {
  let at = 0
  const head = (): { readonly major: number; readonly value: number } => {
    const first = bytes[at++] ?? 0xff
    const info = first & 31
    if (info < 24) return { major: first >> 5, value: info }
    const more = info === 24 ? 1 : 2
    if (info > 25 || at + more > bytes.length) throw new RangeError("The public key isn't a COSE key.")
    let value = 0
    for (let step = 0; step < more; step++) value = value * 256 + (bytes[at++] as number)
    if (value < (more === 1 ? 24 : 256)) throw new RangeError("A number in the COSE key isn't in its shortest form.")
    return { major: first >> 5, value }
  }
  const item = (): number | Uint8Array => {
    const { major, value } = head()
    if (major === 0) return value
    if (major === 1) return -1 - value
    if (major !== 2 || at + value > bytes.length) throw new RangeError("The public key isn't a COSE key.")
    at += value
    return bytes.slice(at - value, at)
  }
  const { major, value: size } = head()
  if (major !== 5) throw new RangeError("The public key isn't a COSE key.")
  const members = new Map<number, number | Uint8Array>()
  for (let step = 0; step < size; step++) {
    const label = item()
    if (typeof label !== 'number' || members.has(label)) throw new RangeError("A label in the COSE key isn't unique.")
    members.set(label, item())
  }
  if (at !== bytes.length) throw new RangeError('There are bytes after the COSE key.')
  return members
}
