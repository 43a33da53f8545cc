/** The canonical form that other implementations of RFC 8785 write, to the byte, for values that our parser accepts. */
import { canonical } from '@countersign/proof/canonical.ts'
import { parseExactly } from '@countersign/proof/parse.ts'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { askGo, askPythonPackages, describeWith } from './other-programs.ts'

/** A double from 64 random bits: every exponent is as likely as any other. */
const anyDouble = fc
  .bigInt({ min: 0n, max: 2n ** 64n - 1n })
  .map((bits) => new Float64Array(BigUint64Array.of(bits).buffer)[0] as number)
  .filter(Number.isFinite)
const around = fc
  .tuple(fc.constantFrom(0, 1e-7, 1e-6, 1e20, 1e21, 2 ** 53, 5e-324, 2 ** -1022, Number.MAX_VALUE), fc.nat(20))
  .map(([base, steps]) => {
    const bits = new BigInt64Array(Float64Array.of(base).buffer)
    return new Float64Array(BigInt64Array.of((bits[0] as bigint) - BigInt(steps)).buffer)[0] as number
  })
  .filter(Number.isFinite)
/** Other spellings of a number: an exponent, a capital E, zeros at the end. */
const spelling = fc
  .tuple(fc.oneof(anyDouble, around, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), fc.nat(4))
  .map(([value, form]) => {
    const plain = Object.is(value, -0) ? '-0' : String(value)
    return [plain, value.toExponential(), value.toExponential().toUpperCase(), `${value.toFixed(2)}00`, plain][
      form
    ] as string
  })
/** Texts with escapes that are not needed; NUL and lone surrogates have no canonical form. */
const quoted = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 12 }), fc.boolean())
  .filter(([text]) => !text.includes('\0'))
  .map(([text, escaped]) =>
    escaped
      ? `"${[...text].map((char) => [...char].flatMap(escapes).join('')).join('')}"`
      : JSON.stringify(text).replaceAll('/', '\\/'),
  )
const escapes = (char: string): string[] =>
  char.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`)
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    spelling,
    quoted,
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('json'), { maxLength: 6 }).map((items) => `[ ${items.join(' ,\n')}]`),
    fc
      .uniqueArray(fc.tuple(quoted, tie('json')), { maxLength: 8, selector: ([key]) => JSON.parse(key) })
      .map((members) => `{${members.map((each) => each.join('\t: ')).join(', ')} }`),
  ),
}))

const isAccepted = (text: string): boolean => {
  try {
    parseExactly(text)
    return true
  } catch {
    return false
  }
}

const times = process.env.TEST_LONG ? 20 : 1
const sampled = (texts: fc.Arbitrary<string>, numRuns: number): string[] =>
  fc.sample(texts, { numRuns: numRuns * times, seed: testSeed() })

let texts: string[]
let ours: string[]
beforeAll(() => {
  // In a list, because one of the libraries takes no bare number.
  texts = [...sampled(spelling, 6000), ...sampled(json, 2000)].map((text) => `[${text}]`).filter(isAccepted)
  ours = texts.map((text) => canonical(parseExactly(text)))
  expect(texts.length).toBeGreaterThan(6000 * times)
}, 300_000)

describeWith(['go'], 'two libraries in Go', () => {
  it('write the same canonical form', async () => {
    const theirs = await askGo<Record<string, string>>('canonical', texts)
    for (const library of ['github.com/gowebpki/jcs', 'github.com/cyberphone/json-canonicalization'])
      expect(theirs.map((each) => each[library])).toEqual(ours)
  })
})

describeWith(['pip'], 'rfc8785 of the Python index', () => {
  it('writes the same canonical form', async () => {
    expect(await askPythonPackages('canonical', texts)).toEqual(ours)
  })
})
