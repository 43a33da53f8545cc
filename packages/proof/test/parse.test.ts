import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NotRepresentable } from '../canonical.ts'
import { NotJson, parseExactly } from '../parse.ts'
import { json } from './arbitraries.ts'

function refusal(text: string): NotRepresentable {
  try {
    parseExactly(text)
  } catch (error) {
    if (error instanceof NotRepresentable) return error
    throw error
  }
  throw new Error('was not refused')
}

it('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      if (!text.includes('__proto__')) expect(parseExactly(text)).toStrictEqual(JSON.parse(text))
    }),
    { numRuns: 1000 },
  )
})

it.each(['', '{', '[1,]', 'nul', '{"a":1,}', '\ufeff1', '[01]', "{'a':1}", '9007199254740993x'])(
  '%j is no JSON',
  (text) => {
    expect(() => parseExactly(text)).toThrow(NotJson)
  },
)

describe('names the path of', () => {
  it.each([
    ['{"a":[1,{"b":12345678901234567890}]}', '/a/1/b', "The number 12345678901234567890 can't be stored exactly"],
    ['[[],[{"x":"[,{"},0.1000000000000000055]]', '/1/1', 'The number 0.1000000000000000055'],
    ['9007199254740993', '', 'The number 9007199254740993'],
    ['{"k":1,"a":{"k":2,"\\u006b":3}}', '/a/k', 'the same key twice'],
    ['[{"":1},{"x":{"":1,"y":[{}],"":2}}]', '/1/x/', 'the same key twice'],
    ['{"a/b":{"~":"\\ud800"}}', '/a~1b/~0', 'lone surrogate or a NUL'],
    ['[0,["\\u0000"]]', '/1/0', 'lone surrogate or a NUL'],
    ['{"a":[{"__proto__":1}]}', '/a/0/__proto__', '"__proto__" isn\'t accepted'],
  ])('%s', (text, path, message) => {
    const refused = refusal(text)
    expect(refused.path).toBe(path)
    expect(refused.message).toContain(message)
  })

  it('at any depth', () => {
    const steps = fc.array(
      fc.oneof(
        fc.nat({ max: 3 }),
        fc.string({ unit: 'binary', maxLength: 5 }).map((s) => `k${s.replaceAll('\0', '')}`),
      ),
      {
        maxLength: 20,
      },
    )
    const bad = fc.constantFrom('12345678901234567890', '"\\ud800"', '{"a":1,"\\u0061":2}')
    fc.assert(
      fc.property(steps, bad, (path, value) => {
        const wrap = (inner: string, step: string | number) =>
          typeof step === 'number'
            ? `[${'{"x":[]}, '.repeat(step)}${inner}]`
            : `{"x":["]"], ${JSON.stringify(step)}: ${inner}, "z":{}}`
        const text = path.toReversed().reduce<string>(wrap, value)
        const pointer = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
        expect(refusal(text).path).toBe(pointer + (value.startsWith('{') ? '/a' : ''))
      }),
      { numRuns: 500 },
    )
  })
})

describe('limits of depth and number of values', () => {
  it('are set by the caller', () => {
    const limits = { maxDepth: 2, maxValues: 4 }
    expect(parseExactly('[[1,2]]', limits)).toEqual([[1, 2]])
    expect(() => parseExactly('[[[]]]', limits)).toThrow(/nested more than 2/)
    expect(() => parseExactly('[1,2,3,4,5]', limits)).toThrow(/more than 4 values/)
  })

  it('prevent a stack overflow', () => {
    expect(() => parseExactly('['.repeat(1e6))).toThrow(/nested more than 100/)
  })
})
