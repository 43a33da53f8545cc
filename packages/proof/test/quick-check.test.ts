import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical, isCanonical, type Json } from '../canonical.ts'
import { quickCheck } from '../quick-check.ts'
import { chain, json } from './arbitraries.ts'

const named = { v: 'dpu-chain-v1', log: 'proof.example/c/42/proof', domain: 'proof', index: 7, id: 'evd_1' }
const content = canonical({ ...named, commitments: { a: 'x', 'a.b': 'y' }, policies: [{ version: 1 }, []] })

const bytesOf = (text: string) => new TextEncoder().encode(text)
type Named = typeof named
const check = (text: string, { index, id, ...chain }: Named = named) =>
  quickCheck(chain)(bytesOf(text), bytesOf(text).length, index, id)

/** What the quick check accepts, the full check must accept; a refusal by the quick check claims nothing. */
function agrees(text: string, expected: Named = named): boolean {
  if (!check(text, expected)) return false
  const long = JSON.parse(text) as Record<string, Json>
  expect(isCanonical(text, long)).toBe(true)
  expect(long).toMatchObject(expected)
  return true
}

describe('accepts', () => {
  it('a plain content that names the expected entry', () => {
    expect(agrees(content)).toBe(true)
    for (const name of Object.keys(named)) {
      expect(check(content, { ...named, [name]: name === 'index' ? 8 : 'another' })).toBe(false)
    }
  })

  it('a content at the beginning of a longer text', () => {
    const bytes = bytesOf(`${content}sha256:0000`)
    const endsAt = (length: number) => quickCheck(named)(bytes, length, named.index, named.id)
    expect([content.length - 1, content.length, content.length + 1, bytes.length].map(endsAt)).toEqual([
      false,
      true,
      false,
      false,
    ])
  })

  it('nothing that the full check refuses, in any entry that can be sealed', () => {
    let quick = 0
    fc.assert(
      fc.property(chain, (entries) => {
        for (const { content } of entries) if (agrees(content, JSON.parse(content) as Named)) quick++
      }),
      { numRuns: 300 },
    )
    expect(quick).toBeGreaterThan(50)
  })
})

it('refuses an expected name with a quote', () => {
  const more = content.replace('"id":"evd_1"', '"id":"evd_1","if":"b"')
  expect(check(more, { ...named, id: 'evd_1","if":"b' })).toBe(false)
  const further = content.replace('"log":"', '"log":"x","log2":"')
  expect(check(further, { ...named, log: `x","log2":"${named.log}` })).toBe(false)
})

describe('refuses a content that is not canonical', () => {
  it('with one character changed, added or removed', () => {
    const bytes = fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.constantFrom(0x22, 0x2c, 0x5c, 0x7b, 0x7d, 0x30))
    const edit = fc.constantFrom('replace', 'insert', 'remove')
    fc.assert(
      fc.property(fc.nat({ max: content.length - 1 }), bytes, edit, (at, byte, kind) => {
        const char = kind === 'remove' ? '' : String.fromCharCode(byte)
        agrees(content.slice(0, at) + char + content.slice(kind === 'insert' ? at : at + 1))
      }),
      { numRuns: 20_000 },
    )
  })

  it('with members reordered or duplicated', () => {
    const members = Object.entries(JSON.parse(content)).map(([key, value]) => `"${key}":${JSON.stringify(value)}`)
    fc.assert(
      fc.property(fc.shuffledSubarray([...members, ...members], { minLength: 5 }), (some) => {
        agrees(`{${some.join(',')}}`)
      }),
      { numRuns: 2000 },
    )
  })

  it('with an additional member', () => {
    fc.assert(
      fc.property(json, fc.string(), (value, key) => {
        agrees(canonical({ ...named, [key]: value } as Json))
        agrees(JSON.stringify({ ...named, [key]: value }))
        agrees(JSON.stringify(value))
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['a number with an exponent', content.replace('"version":1', '"version":1e2')],
    ['a number that begins with zero', content.replace('"version":1', '"version":01')],
    ['a negative zero', content.replace('"version":1', '"version":-0')],
    ['a space', content.replace(':', ': ')],
    ['a control character', content.replace('"x"', '"\u0001"')],
    ['an escape', content.replace('"x"', '"\\u0078"')],
    ['a lone surrogate', content.replace('"x"', '"\ud800"')],
    ['a key twice', content.replace('"a.b"', '"a"')],
    ['keys in another order', content.replace('"a.b"', '"A"')],
    ['a comma too many', content.replace(',[]]', ',[],]')],
    ['a trailing character', `${content} `],
    ['an index that is text', content.replace('"index":7', '"index":"7"')],
    ['an id that is a list', content.replace('"id":"evd_1"', '"id":["evd_1"]')],
    ['an id that is nested deeper', content.replace('"id":"evd_1"', '"ia":{"id":"evd_1"}')],
    [
      'a name that is nested deeper, and another in its position',
      content.replace('{"a":', '{"id":"evd_1","a":').replace('"id":"evd_1","i', '"id":"evd_2","i'),
    ],
    ['depth', content.replace('[]', `${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
    ['nothing', ''],
  ])('with %s', (_, text) => {
    expect(check(text)).toBe(false)
  })
})
