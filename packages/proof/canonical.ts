/**
 * The canonical form of JSON, RFC 8785: one text for one value, so that equal values have equal hashes.
 * Not a library, because libraries repair what must be refused: they drop `undefined`, call `toJSON` and pass NUL.
 * A property test compares the result with the package `canonicalize`.
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json }

/** A value that has no canonical form, or that a database or another language would read differently. */
export class NotRepresentable extends Error {
  /** Where, as a JSON pointer (RFC 6901). */
  path: string

  constructor(message: string) {
    super(message)
    this.path = ''
  }
}

export function canonical(value: Json): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotRepresentable(`${value} isn't a JSON number`)
    return String(value)
  }
  if (value === null || value === true || value === false) return String(value)
  if (typeof value !== 'object') throw new NotRepresentable(`${typeof value} isn't a JSON value`)
  return Array.isArray(value) ? list(value) : object(value as { readonly [member: string]: Json })
}

/** Whether `text`, which JSON.parse read as `value`, is already canonical. Faster than writing it again. */
export function isCanonical(text: string, value: Json): boolean {
  // An escape may spell a character that canonical() refuses.
  if (text.includes('\\u')) return canonical(value) === text
  return JSON.stringify(value) === text && isSorted(value)
}

function isSorted(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isSorted)
  const members = value as { readonly [member: string]: Json }
  let last = ''
  for (const key in members) {
    if (key < last || !isSorted(members[key] as Json)) return false
    last = key
  }
  return true
}

function list(items: readonly Json[]): string {
  let text = '['
  let at = 0
  try {
    for (; at < items.length; at++) {
      if (at > 0) text += ','
      text += canonical(items[at] as Json)
    }
  } catch (error) {
    throw within(error, at)
  }
  return `${text}]`
}

function object(members: { readonly [member: string]: Json }): string {
  const keys = sorted(Object.keys(members))
  let text = '{'
  let key = ''
  try {
    for (let at = 0; at < keys.length; at++) {
      key = keys[at] as string
      text += `${at > 0 ? ',' : ''}${quoted(key)}:${canonical(members[key] as Json)}`
    }
  } catch (error) {
    throw within(error, key)
  }
  return `${text}}`
}

/** In the order of UTF-16 code units, as RFC 8785 requires. For a few keys sort() costs more than their object. */
function sorted(keys: string[]): string[] {
  if (keys.length > 16) return keys.sort()
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at] as string
    let to = at
    for (; to > 0 && (keys[to - 1] as string) > key; to--) keys[to] = keys[to - 1] as string
    keys[to] = key
  }
  return keys
}

/** Characters that JSON.stringify may escape, lone surrogates among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters
const escapable = /[\u0000-\u001f"\\\ud800-\udfff]/

function quoted(text: string): string {
  if (!escapable.test(text)) return `"${text}"`
  const written = JSON.stringify(text)
  if (!text.isWellFormed()) throw new NotRepresentable("a lone surrogate can't be written as UTF-8")
  if (text.includes('\0')) throw new NotRepresentable("the character NUL can't be stored")
  return written
}

/** Builds the path while the error propagates, so that a valid value does not pay for paths. */
export function within(error: unknown, key: string | number): unknown {
  if (error instanceof NotRepresentable) {
    error.path = `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}${error.path}`
  }
  return error
}
