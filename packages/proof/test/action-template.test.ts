import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inLanguage, sentenceFault, sentenceOf, sentenceParts, templateText, textFault } from '../action-template.ts'
import { shown } from '../shown.ts'

const line = (sentence: string, input?: unknown): string => sentenceOf(sentenceParts(sentence, input))

describe('a sentence', () => {
  it.each([
    ['Refund {/won} won to {/to/name}', { won: 82000, to: { name: 'Kim' } }, 'Refund 82,000 won to Kim'],
    ['{/items/1} of {/a~1b}', { items: ['x', 'y'], 'a/b': true }, 'y of true'],
    ['{/won}', {}, '⟨/won?⟩'],
    ['{/won}', undefined, '⟨/won?⟩'],
    ['{/won}', { won: null }, 'null'],
    ['{/won}', { won: '' }, '""'],
    ['{/won}', { won: ' ' }, '" "'],
    ['{/won}', { won: { b: [1], a: 2 } }, '{"b":[1],"a":2}'],
    ['{/list/length} {/__proto__} {/constructor}', { list: [] }, '⟨/list/length?⟩ ⟨/__proto__?⟩ ⟨/constructor?⟩'],
    ['{{/won}} {won} {', { won: 1 }, '{1} {won} {'],
    ['{/won}', { won: '{/other}', other: 'never' }, '{/other}'],
    ['{/won}', { won: '⟨/won?⟩' }, '\\u{27e8}/won?\\u{27e9}'],
    ['{/won}', { won: 'a\u202eb\nc' }, 'a\\u{202e}b\\nc'],
    ['{/who} 82', { who: 'שלום' }, '\u2068שלום\u2069 82'],
    ['{/won}', { won: 'x'.repeat(130) }, `${'x'.repeat(120)}… (+10)`],
    ['{/won}', { won: -1234 }, '-1234'],
    ['{/won}', { won: -820000000.25 }, '-820,000,000.25'],
    ['{/won}', { won: 1e21 }, '1e+21'],
    ['{/won}', { won: 2026 }, '2026'],
  ])('%j over %j', (sentence, input, text) => expect(line(sentence, input)).toBe(text))

  const piece = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '{/a}',
      '{/a/b}',
      '{/x~0y}',
      '{/0}',
      '{/__proto__/x}',
      '{/a}}',
      '⟨',
      '⟩',
      '\u202e',
      '\u2066',
      '{/\u200b}',
    ),
    fc.string({ unit: 'binary' }),
  )
  const sentences = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  const inputs = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('a', 'b', '0', 'x~y', '\u200b'), fc.jsonValue({ stringUnit: 'binary' })),
  )

  it('is one line, in which no character is hidden or moves another, whatever it and the values are', () => {
    fc.assert(
      fc.property(sentences, inputs, (sentence, input) => {
        const parts = sentenceParts(sentence, input)
        for (const { text } of parts) expect(shown(text)).toBe(text)
        // Isolates are opened and closed around one part each.
        expect(sentenceOf(parts).replaceAll(/\u2068([^\u2068\u2069]*)\u2069/g, '$1')).not.toMatch(
          /[\u2066-\u2069\u202a-\u202e\n]/,
        )
      }),
    )
  })

  it('has a marked gap for every absent value, and nothing else looks like one', () => {
    fc.assert(
      fc.property(sentences, inputs, (sentence, input) => {
        const parts = sentenceParts(sentence, input)
        const gaps = parts.filter(({ kind }) => kind === 'gap')
        expect(sentenceOf(parts).match(/⟨[^⟨⟩]*\?⟩/gu)?.length ?? 0).toBe(gaps.length)
        expect(sentenceOf(parts).match(/[⟨⟩]/gu)?.length ?? 0).toBe(2 * gaps.length)
        const holders = [...sentence.matchAll(/\{(?:\/(?:[^~/{}]|~[01])*)+\}/gu)].length
        expect(parts.filter(({ kind }) => kind !== 'text')).toHaveLength(holders)
      }),
    )
  })

  it('shows every text value up to its length, and says how much is left out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (value) => {
        const [part] = sentenceParts('{/v}', { v: value })
        if (part?.kind !== 'value' || value.trim() === '') return
        const characters = Array.from(value)
        expect(part.more).toBe(Math.max(0, characters.length - 120))
        expect(part.text.length).toBeGreaterThanOrEqual(Math.min(120, characters.length))
        if (/^[a-z ]*$/.test(value)) expect(part.text).toBe(value.slice(0, 120))
      }),
    )
  })

  it('takes no time that grows faster than its length', () => {
    const hostile = '{/'.repeat(200_000)
    const begun = performance.now()
    expect(line(hostile, {})).toHaveLength(hostile.length)
    expect(performance.now() - begun).toBeLessThan(2000)
  })
})

describe('faults', () => {
  it.each([
    ['Refund {/won}', null],
    ['환불 {/금액}원', null],
    ['', 'blank'],
    [' \u3000', 'blank'],
    ['Refund\u202e', 'hidden'],
    ['Refund\n', 'hidden'],
    ['Re\u200bfund', 'hidden'],
    ['{won}', 'braces'],
    ['{/won', 'braces'],
    ['{{/won}}', 'braces'],
    ['{/a~2}', 'braces'],
    ['{}', 'braces'],
  ])('%j: %s', (sentence, fault) => expect(sentenceFault(sentence)).toBe(fault))

  it('of a name or label do not concern braces', () => expect(textFault('Refund {won}')).toBeNull())
})

it('a text is shown in the other language where the asked one has none', () => {
  expect([inLanguage({ ko: '환불' }, 'en'), inLanguage({ ko: '환불', en: 'Refund' }, 'en')]).toEqual(['환불', 'Refund'])
})

it('the digested text has the four members and no others', () => {
  const more = { version: 3, digest: 'x', type: 'refund', name: { en: 'Refund' }, sentence: null, labels: {} }
  expect(templateText(more)).toBe('{"labels":{},"name":{"en":"Refund"},"sentence":null,"type":"refund"}')
})
