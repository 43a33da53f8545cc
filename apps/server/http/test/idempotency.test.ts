import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprintOf, readIdempotencyKey } from '../../idempotency/idempotency.ts'
import { Problem } from '../../lib/problem.ts'

/** The same value with the keys of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, shuffled(inner)]),
  )
}

// Parsed from text, as a request arrives: there is no -0 and no undefined, and the JSON parser refuses NUL.
const json = fc
  .jsonValue({ maxDepth: 4, stringUnit: 'binary' })
  .filter((value) => !JSON.stringify(value).includes('\\u0000'))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

describe('the fingerprint of a body', () => {
  it('does not depend on the order of keys or the spelling of numbers', () => {
    fc.assert(fc.property(json, (value) => fingerprintOf(value).equals(fingerprintOf(shuffled(value)))))
    expect(fingerprintOf(JSON.parse('{"a":1.0,"b":1e2}'))).toEqual(fingerprintOf(JSON.parse('{"b":100,"a":1}')))
  })

  it('differs whenever the meaning differs', () => {
    fc.assert(
      fc.property(
        json,
        json,
        (one, other) => fingerprintOf(one).equals(fingerprintOf(other)) === isDeepStrictEqual(one, other),
      ),
      { numRuns: 2000 },
    )
    const alike = [
      1,
      '1',
      [1],
      [[1]],
      { a: 1 },
      { a: '1' },
      [1, 2],
      [2, 1],
      null,
      '',
      [],
      {},
      'null',
      true,
      'true',
      { a: null },
    ]
    expect(new Set(alike.map((value) => fingerprintOf(value).toString('hex'))).size).toBe(alike.length)
  })
})

describe('the header Idempotency-Key', () => {
  it('may be absent', () => expect(readIdempotencyKey(undefined)).toBeNull())

  it('is accepted unchanged: 1 to 255 visible ASCII characters', () => {
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 255,
    })
    fc.assert(fc.property(visible, (key) => readIdempotencyKey(key) === key))
  })

  it.each(['', ' ', 'a b', 'a\tb', 'é', 'x'.repeat(256), 'a\n', '\u007f'])('is refused: %j', (key) => {
    expect(() => readIdempotencyKey(key)).toThrow(Problem)
  })

  it('is refused when it is sent twice', () => expect(() => readIdempotencyKey(['a', 'b'])).toThrow(Problem))
})
