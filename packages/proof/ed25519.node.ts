import { createPublicKey, verify } from 'node:crypto'

/** The DER header before the 32 bytes of a public key. */
const spki = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00)

export function ed25519Verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64 || !isCanonical(publicKey)) return false
  const der = new Uint8Array(spki.length + 32)
  der.set(spki)
  der.set(publicKey, spki.length)
  const key = createPublicKey({ key: der as Buffer, format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
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
