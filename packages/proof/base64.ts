/** Base64 with padding, exactly one text for the same bytes: a reader that forgives lets proofs be altered unseen. */

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Null when this is not how `toBase64` writes anything. */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  const binary = atob(text)
  // Bits behind the last byte that are not zero.
  if (btoa(binary) !== text) return null
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}
