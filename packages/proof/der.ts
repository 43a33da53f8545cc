/** Reads DER (X.690): definite lengths of at most four bytes. Errors are RangeErrors. */

export interface DerItem {
  readonly tag: number
  /** The value, without tag and length. */
  readonly body: Uint8Array
  /** Tag, length and value. */
  readonly whole: Uint8Array
}

/** The item that begins at `at`. Bytes after it are not read. */
export function derItem(bytes: Uint8Array, at = 0): DerItem {
  const first = bytes[at + 1] ?? 0x80
  const more = first < 0x80 ? 0 : first - 0x80
  if (first === 0x80 || more > 4) throw new RangeError("The bytes aren't DER.")
  let length = more === 0 ? first : 0
  for (let step = 0; step < more; step++) length = length * 256 + (bytes[at + 2 + step] ?? 0)
  const start = at + 2 + more
  if (start + length > bytes.length) throw new RangeError('The DER item ends too early.')
  return {
    tag: bytes[at] as number,
    body: bytes.subarray(start, start + length),
    whole: bytes.subarray(at, start + length),
  }
}

/** All items in `bytes`, which must follow each other without a gap. */
export function derItems(bytes: Uint8Array): readonly DerItem[] {
  const found: DerItem[] = []
  for (let at = 0; at < bytes.length; at += (found.at(-1) as DerItem).whole.length) found.push(derItem(bytes, at))
  return found
}

/** The items in the value of a constructed item; none where the item is missing. */
export const derChildren = (item: DerItem | undefined): readonly DerItem[] => (item ? derItems(item.body) : [])

/** PKCS #8 around the 32 bytes of an Ed25519 seed, as node:crypto reads a private key. */
export const ed25519Pkcs8 = (seed: Uint8Array): Uint8Array =>
  // SEQUENCE { INTEGER 0, SEQUENCE { OID 1.3.101.112 }, OCTET STRING { OCTET STRING seed } }
  Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20, ...seed)
