import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical, isCanonical, type Json, NotRepresentable } from '../canonical.ts'
import { json } from './arbitraries.ts'

function refusal(value: unknown): { message: string; path: string } {
  try {
    canonical(value as Json)
  } catch (error) {
    if (error instanceof NotRepresentable) return { message: error.message, path: error.path }
    throw error
  }
  throw new Error('was not refused')
}

describe('RFC 8785', () => {
  it('section 3.2.2: primitive values, to the byte', () => {
    const input = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    const bytes =
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e33333333333333' +
      '2c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d'
    expect(Buffer.from(canonical(JSON.parse(input))).toString('hex')).toBe(bytes)
  })

  it('section 3.2.3: members sorted by UTF-16 code units', () => {
    const input = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`
    expect(Object.values(JSON.parse(canonical(JSON.parse(input)).replaceAll('"1"', '"one"')))).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  it.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])('appendix B: refuses %s', (bits) => {
    expect(refusal(Buffer.from(bits, 'hex').readDoubleBE()).message).toMatch(/isn't a JSON number/)
  })

  it('does not normalize: é and e with a combining accent are two texts', () => {
    expect(canonical(['\u00e9', 'e\u0301'])).toBe('["\u00e9","e\u0301"]')
  })
})

it('writes the same text as the package canonicalize, for any JSON', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonical(value)).toBe(canonicalize(value))
    }),
    { numRuns: 5000 },
  )
})

it('writes a text that parses to the same value', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { numRuns: 1000 },
  )
})

describe('refuses a value and names its path', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['a lone surrogate', ['ok', { a: 'x\ud800' }], '/1/a', /lone surrogate/],
    ['a lone surrogate as a key', { a: { '\udc00': 1 } }, '/a/\udc00', /lone surrogate/],
    ['NUL', { a: [0, 'x\0y'] }, '/a/1', /NUL/],
    ['NUL in a key', { 'a\0': 1 }, '/a\0', /NUL/],
    ['NaN', { a: { b: Number.NaN } }, '/a/b', /NaN/],
    ['infinity', [[Number.NEGATIVE_INFINITY]], '/0/0', /-Infinity/],
    ['an undefined member, which libraries drop', { a: 1, b: undefined }, '/b', /undefined/],
    ['an undefined item, which libraries turn into null', [1, undefined], '/1', /undefined/],
    ['a hole', Array(2), '/0', /undefined/],
    ['a big integer', { n: 1n }, '/n', /bigint/],
    ['a function', { 'a/b': { '~': () => 1 } }, '/a~1b/~0', /function/],
    ['a symbol', Symbol('s'), '', /symbol/],
  ])('%s', (_, value, path, message) => {
    const refused = refusal(value)
    expect(refused.path).toBe(path)
    expect(refused.message).toMatch(message)
  })

  it('at any depth', () => {
    const bad = fc.constantFrom<unknown>('\ud83d', '\ude00\ud83d', 'a\0', Number.NaN, undefined, 1n)
    const layers = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.string()), { maxLength: 8 })
    fc.assert(
      fc.property(bad, layers, json, (value, path, beside) => {
        let whole = value
        for (const step of path.toReversed()) {
          whole = typeof step === 'number' ? [...Array(step).fill(beside), whole] : Object.fromEntries([[step, whole]])
        }
        expect(() => canonical(whole as Json)).toThrow(NotRepresentable)
      }),
    )
  })

  it('does not call toJSON', () => {
    expect(canonical({ toJSON: 'no' })).toBe('{"toJSON":"no"}')
    expect(() => canonical({ toJSON: () => 'other' } as unknown as Json)).toThrow(NotRepresentable)
  })
})

describe('isCanonical', () => {
  it('accepts every text that canonical() writes', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonical(value)
        expect(isCanonical(text, JSON.parse(text))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('agrees with serializing again, for any other text of the same value', () => {
    const other = fc.tuple(json, fc.constantFrom(0, 1), fc.boolean()).map(([value, indent, shuffled]) => {
      const reversed = (it: Json): Json => {
        if (Array.isArray(it)) return it.map(reversed)
        if (typeof it !== 'object' || it === null) return it
        return Object.fromEntries(
          Object.entries(it)
            .map(([key, inner]) => [key, reversed(inner as Json)] as const)
            .toReversed(),
        )
      }
      return JSON.stringify(shuffled ? reversed(value) : value, null, indent)
    })
    fc.assert(
      fc.property(other, (text) => {
        expect(isCanonical(text, JSON.parse(text))).toBe(canonicalize(JSON.parse(text)) === text)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '[1.0]',
    '[-0]',
    '[ 1]',
    '"\\u0041"',
    '"\\/"',
    '{"10":1,"9":1,"a":{"z":1,"y":1}}',
  ])('not %s', (text) => {
    expect(isCanonical(text, JSON.parse(text))).toBe(false)
  })

  it.each(['"\\ud800"', '"\\u0000"'])('refuses %s', (text) => {
    expect(() => isCanonical(text, JSON.parse(text))).toThrow(NotRepresentable)
  })
})
