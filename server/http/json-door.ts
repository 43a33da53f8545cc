/**
 * The door for JSON. What cannot be kept exactly is refused here and never silently changed: numbers that lose
 * digits in a double, duplicate keys, lone surrogates, NUL (PostgreSQL cannot store it), bytes that are not UTF-8.
 * Depth and node count are bounded before the text is parsed, so a bomb costs one linear scan.
 */
import { isUtf8 } from 'node:buffer'
import { Problem } from '../lib/problem.ts'

const maxDepth = 32
const maxNodes = 20_000
/** The longest number that a double keeps is under 400 characters; zeros that pad it get some room. */
const maxNumber = 1000

export class MalformedJson extends Error {}

const refuse = (message: string): never => {
  throw new Problem('VALIDATION_ERROR', message, { details: { issues: [{ path: '', message }] } })
}

export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new MalformedJson('The body is not UTF-8.')
  const text = bytes.toString()
  const keysWritten = scan(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MalformedJson('The body is not valid JSON.')
  }
  const escapes = text.includes('\\u')
  // An escape may spell any key.
  const seen = inspect(value, escapes, escapes || text.includes('__proto__'))
  if (seen !== keysWritten) refuse('An object has the same key twice; send each key once.')
  return value
}

/** One pass over the text: bounds, and numbers. Returns how many keys were written; JSON.parse judges the grammar. */
function scan(text: string): number {
  let depth = 0
  let nodes = 0
  let keys = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 0x22) {
      i = endOfString(text, i)
    } else if (char === 0x3a) {
      keys++
    } else if (char === 0x2c) {
      if (++nodes > maxNodes) refuse(tooMany)
    } else if (char === 0x7b || char === 0x5b) {
      if (++nodes > maxNodes) refuse(tooMany)
      if (++depth > maxDepth) refuse(`The body is nested more than ${maxDepth} levels deep.`)
    } else if (char === 0x7d || char === 0x5d) {
      depth--
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const end = endOfNumber(text, i)
      // Fifteen significant digits always survive; only longer or exponential forms need a look.
      if (end - i > 15 || hasExponent(text, i, end)) checkNumber(text.slice(i, end))
      i = end - 1
    }
  }
  return keys
}

const tooMany = `The body has more than ${maxNodes} values.`

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

function checkNumber(token: string): void {
  const parsed = Number(token)
  if (Number.isNaN(parsed)) return // not a JSON number: JSON.parse will say so
  if (token.length > maxNumber || decimal(token) !== decimal(String(parsed))) {
    refuse(`The number ${token.slice(0, 40)} cannot be kept exactly; send it as a string.`)
  }
}

/** Significant digits and exponent, so that 1.50, 15e-1 and 1.5 are the same number. */
function decimal(token: string): string {
  const match = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(token)
  if (!match) return token
  const [, whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  // By hand: /0+$/ takes quadratic time on zeros that do not stand at the end.
  let length = digits.length
  while (digits.charCodeAt(length - 1) === 0x30) length--
  const trimmed = digits.slice(0, length)
  if (trimmed === '') return '0'
  return `${trimmed}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - trimmed.length)}`
}

/** Counts keys and looks into strings that may hide what UTF-8 cannot carry. */
function inspect(value: unknown, escapes: boolean, poisoned: boolean): number {
  if (typeof value === 'string') {
    if (escapes && (!value.isWellFormed() || value.includes('\0'))) refuse('A string holds a lone surrogate or NUL.')
    return 0
  }
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (Array.isArray(value)) {
    for (const item of value) keys += inspect(item, escapes, poisoned)
    return keys
  }
  for (const key of Object.keys(value)) {
    if (poisoned && key === '__proto__') refuse('The key "__proto__" is not accepted.')
    if (escapes) inspect(key, true, false)
    keys += 1 + inspect((value as Record<string, unknown>)[key], escapes, poisoned)
  }
  return keys
}
