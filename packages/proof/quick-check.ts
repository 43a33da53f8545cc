/**
 * Checks in one pass over the bytes of a content that they are canonical and name the expected entry, at a third of the
 * cost of parsing the text and serializing it again. It accepts only plain contents: printable ASCII, no escapes, whole
 * numbers. False does not mean invalid: the caller then runs the full check. A property test compares the two.
 */

const maxDepth = 16
const maxDigits = 15

const [quote, comma, colon, zero, nine] = [0x22, 0x2c, 0x3a, 0x30, 0x39]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The bytes that a plain string may hold: all but quote and backslash. */
const plain = new Uint8Array(256)
plain.fill(1, 0x20, 0x7f)
plain[quote] = 0
plain[0x5c] = 0

/** Members with the same value in all entries of a chain. */
export interface Chain {
  readonly v: string
  readonly log: string
  readonly domain: string
}

/** Checks the content that begins `bytes` and ends at `length`. */
export type QuickCheck = (bytes: Uint8Array, length: number, index: number, id: string) => boolean

export function quickCheck({ v, log, domain }: Chain): QuickCheck {
  const [inDomain, inVersion] = [`domain":"${domain}"`, `v":"${v}"`]
  return (bytes, length, index, id) => {
    // A quote inside an expected value would end the string early.
    if (`${id}${log}${domain}`.includes('"')) return false
    // In canonical order; for any other order the full check finds the reason.
    const expected = [inDomain, `id":"${id}","index":${index},"log":"${log}"`, inVersion]
    let named = 0
    const end = objectEnd(bytes, 0, 0, (key) => {
      if (named < expected.length && isAt(bytes, key, expected[named] as string)) named++
    })
    return end === length && named === expected.length
  }
}

function isAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let step = 0; step < text.length; step++) if (bytes[at + step] !== text.charCodeAt(step)) return false
  return true
}

/** Called with the offset of each key, after its quote. */
type OnMember = (key: number) => void

/** Each of these returns the end of the value that begins at `at`, or -1 when it is not plain. */
function valueEnd(bytes: Uint8Array, at: number, depth: number): number {
  const first = bytes[at]
  if (first === quote) return stringEnd(bytes, at)
  if (first === openObject) return objectEnd(bytes, at, depth)
  if (first === openList) return listEnd(bytes, at, depth)
  return numberEnd(bytes, at)
}

function stringEnd(bytes: Uint8Array, at: number): number {
  let end = at + 1
  // Four at a time, because hashes make up most of a content. Offsets past the end are not plain.
  while (isPlain(bytes, end) & isPlain(bytes, end + 1) & isPlain(bytes, end + 2) & isPlain(bytes, end + 3)) end += 4
  while (isPlain(bytes, end)) end++
  return bytes[end] === quote ? end + 1 : -1
}

const isPlain = (bytes: Uint8Array, at: number): number => plain[bytes[at] as number] as number

function numberEnd(bytes: Uint8Array, at: number): number {
  let end = at
  while ((bytes[end] as number) >= zero && (bytes[end] as number) <= nine) end++
  const digits = end - at
  if (digits === 0 || digits > maxDigits) return -1
  return digits > 1 && bytes[at] === zero ? -1 : end
}

function listEnd(bytes: Uint8Array, at: number, depth: number): number {
  if (bytes[at + 1] === closeList) return at + 2
  if (depth === maxDepth) return -1
  for (let next = at + 1; ; next++) {
    next = valueEnd(bytes, next, depth + 1)
    if (next < 0) return -1
    if (bytes[next] === closeList) return next + 1
    if (bytes[next] !== comma) return -1
  }
}

function objectEnd(bytes: Uint8Array, at: number, depth: number, onMember?: OnMember): number {
  if (bytes[at] !== openObject || depth === maxDepth) return -1
  if (bytes[at + 1] === closeObject) return at + 2
  let last = -1
  for (let key = at + 2; ; ) {
    const end = bytes[key - 1] === quote ? stringEnd(bytes, key - 1) : -1
    if (end < 0 || bytes[end] !== colon || (last >= 0 && !isAfter(bytes, key, last))) return -1
    const next = valueEnd(bytes, end + 1, depth + 1)
    if (next < 0) return -1
    onMember?.(key)
    if (bytes[next] === closeObject) return next + 1
    if (bytes[next] !== comma) return -1
    last = key
    key = next + 2
  }
}

/** Whether the key at `one` comes after the key at `other`; both are plain, so a quote ends them. */
function isAfter(bytes: Uint8Array, one: number, other: number): boolean {
  for (let step = 0; ; step++) {
    const here = bytes[one + step] as number
    const there = bytes[other + step] as number
    if (there === quote) return here !== quote
    if (here === quote) return false
    if (here !== there) return here > there
  }
}
