/**
 * The exact parser for JSON. It refuses what JSON.parse would change or PostgreSQL cannot store: numbers that lose
 * digits in a double, duplicate keys, lone surrogates, and NUL. It bounds depth and number of values before parsing,
 * so that a hostile text costs one linear scan.
 */
import { type Json, NotRepresentable, within } from './canonical.ts'

export class NotJson extends Error {}

export interface ParseLimits {
  readonly maxDepth: number
  readonly maxValues: number
}

/** For files that the reader chose to open. Requests over the network get lower limits. */
const fileLimits: ParseLimits = { maxDepth: 100, maxValues: Number.POSITIVE_INFINITY }

/** Throws NotJson for invalid JSON and NotRepresentable, with a path, for values that cannot be kept exactly. */
export function parseExactly(text: string, limits = fileLimits): Json {
  const { keysWritten, inexactAt } = scan(text, limits)
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    throw new NotJson("This isn't valid JSON.")
  }
  if (inexactAt !== null) {
    const token = text.slice(inexactAt, endOfNumber(text, inexactAt))
    throw refusal(`The number ${token.slice(0, 40)} can't be stored exactly. Send it as a string.`, text, inexactAt)
  }
  const escapes = text.includes('\\u')
  // An escape may spell any key.
  const keysRead = inspect(value, escapes, escapes || text.includes('__proto__'))
  if (keysRead !== keysWritten) throw refusal('An object has the same key twice. Send each key once.', text, null)
  return value
}

/** One pass over the text: bounds, keys and the first number that would change. JSON.parse checks the grammar. */
function scan(text: string, { maxDepth, maxValues }: ParseLimits): { keysWritten: number; inexactAt: number | null } {
  let depth = 0
  let values = 0
  let keysWritten = 0
  let inexactAt: number | null = null
  const count = (): void => {
    if (++values > maxValues)
      throw new NotRepresentable(`There are more than ${maxValues} values. Send fewer at a time.`)
  }
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 0x22) {
      i = endOfString(text, i)
    } else if (char === 0x3a) {
      keysWritten++
    } else if (char === 0x2c) {
      count()
    } else if (char === 0x7b || char === 0x5b) {
      count()
      if (++depth > maxDepth)
        throw new NotRepresentable(`Values are nested more than ${maxDepth} levels deep. Send a flatter structure.`)
    } else if (char === 0x7d || char === 0x5d) {
      depth--
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const end = endOfNumber(text, i)
      // A double keeps fifteen significant digits; only longer or exponential forms need the exact check.
      const doubtful = end - i > 15 || hasExponent(text, i, end)
      if (doubtful && inexactAt === null && !isExact(text.slice(i, end))) inexactAt = i
      i = end - 1
    }
  }
  return { keysWritten, inexactAt }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  for (; end < text.length; end++) {
    const char = text.charCodeAt(end)
    const part =
      (char >= 0x30 && char <= 0x39) ||
      char === 0x2e ||
      char === 0x2d ||
      char === 0x2b ||
      char === 0x65 ||
      char === 0x45
    if (!part) break
  }
  return end
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((text.charCodeAt(i) | 0x20) === 0x65) return true
  return false
}

/** The longest number that a double keeps has fewer than 400 characters; the rest allows for zeros that pad it. */
const maxNumber = 1000

function isExact(token: string): boolean {
  const parsed = Number(token)
  if (Number.isNaN(parsed)) return true // not a JSON number: JSON.parse reports it
  return token.length <= maxNumber && decimal(token) === decimal(String(parsed))
}

/** Significant digits and exponent, so that 1.50, 15e-1 and 1.5 are the same number. */
function decimal(token: string): string {
  const match = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(token)
  if (!match) return token
  const [, whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  // Not /0+$/, which takes quadratic time on zeros that are not at the end.
  let length = digits.length
  while (digits.charCodeAt(length - 1) === 0x30) length--
  const trimmed = digits.slice(0, length)
  if (trimmed === '') return '0'
  return `${trimmed}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - trimmed.length)}`
}

/** Counts keys and checks strings for characters that UTF-8 cannot encode. */
function inspect(value: Json, escapes: boolean, poisoned: boolean): number {
  if (typeof value === 'string') {
    if (escapes && (!value.isWellFormed() || value.includes('\0'))) {
      throw new NotRepresentable('A string contains a lone surrogate or a NUL character. Remove that character.')
    }
    return 0
  }
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  let at: string | number = 0
  try {
    if (Array.isArray(value)) {
      for (; at < value.length; at++) keys += inspect(value[at], escapes, poisoned)
      return keys
    }
    for (const key of Object.keys(value)) {
      at = key
      if (poisoned && key === '__proto__')
        throw new NotRepresentable('The key "__proto__" isn\'t accepted. Use another name.')
      if (escapes) inspect(key, true, false)
      keys += 1 + inspect((value as Record<string, Json>)[key] as Json, escapes, poisoned)
    }
    return keys
  } catch (error) {
    throw within(error, at)
  }
}

/** Computed only for an error: the path of the value at `offset`, or else of the first duplicate key. */
function refusal(message: string, text: string, offset: number | null): NotRepresentable {
  const open: { at: string | number; keys: Set<string> | null; awaitsKey: boolean }[] = []
  for (let i = 0; i < text.length && i !== offset; i++) {
    const char = text[i]
    const inner = open.at(-1)
    if (char === '"') {
      const end = endOfString(text, i)
      if (inner?.keys && inner.awaitsKey) {
        inner.at = JSON.parse(text.slice(i, end + 1)) as string
        inner.awaitsKey = false
        if (inner.keys.has(inner.at) && offset === null) break
        inner.keys.add(inner.at)
      }
      i = end
    } else if (char === '{') {
      open.push({ at: '', keys: new Set(), awaitsKey: true })
    } else if (char === '[') {
      open.push({ at: 0, keys: null, awaitsKey: false })
    } else if (char === '}' || char === ']') {
      open.pop()
    } else if (char === ',' && inner) {
      if (typeof inner.at === 'number') inner.at++
      else inner.awaitsKey = true
    }
  }
  const error = new NotRepresentable(message)
  for (const { at } of open.toReversed()) within(error, at)
  return error
}
