/** Base64 with padding, exactly one text for the same bytes: a lenient reader would accept an altered proof. */

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Null when `toBase64` cannot have written this text. */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  const binary = atob(text)
  // Trailing bits after the last byte are not zero.
  if (btoa(binary) !== text) return null
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** Base64url without padding (RFC 4648, section 5), the form of WebAuthn and JWK. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Null when `toBase64Url` cannot have written this text. */
export function fromBase64Url(text: unknown): Uint8Array | null {
  if (typeof text !== 'string' || !/^[A-Za-z0-9_-]*$/.test(text)) return null
  const padding = '='.repeat((4 - (text.length % 4)) % 4)
  return fromBase64(`${text.replaceAll('-', '+').replaceAll('_', '/')}${padding}`)
}
