import { describe, expect, it } from 'vitest'
import { withParticle } from '../particles.ts'
import { fill, say } from '../say.ts'

const values = {
  none: null,
  zero: 0,
  less: -5,
  more: 5,
  list: [{ who: 'a' }, { who: 'b' }],
  inner: { name: 'x' },
  hostile: '{more} [[a|b]]',
  who: '김하늘',
}

describe('a sentence', () => {
  it.each([
    ['plain', 'plain'],
    ['{more} of {list.length}, {inner.name}', '5 of 2, x'],
    ['{+more} {+less} {+zero} {-less}', '+5 -5 +0 5'],
    ['{who, 이가} {more, 을를}', '김하늘이 5를'],
    ['change[[ of {none}%]]', 'change'],
    ['change[[ of {zero}%]]', 'change of 0%'],
    ['counts[[, {?zero} unreadable]]', 'counts'],
    ['counts[[, {?more} unreadable]]', 'counts, 5 unreadable'],
    ['[[rate {none}%|no rate]]', 'no rate'],
    ['[[rate {more}%[[, before {none}%]]|no rate]].', 'rate 5%.'],
    ['[[a {none}[[ b {more}]]|c {inner.none}|d]]', 'd'],
    ['[{who}] a|b from { to } {/order} {more}', '[김하늘] a|b from { to } {/order} 5'],
    ['says {hostile}', 'says {more} [[a|b]]'],
  ])('%s', (sentence, text) => {
    expect(fill(sentence, values)).toBe(text)
  })

  it.each(['{none}', '{missing} times', '{?zero} of them', '{none.member}'])('%s says nothing', (sentence) => {
    expect(fill(sentence, values)).toBeNull()
  })

  it('writes values as it is told', () => {
    expect(fill('{more} by {who}', values, (value) => `<${value}>`)).toBe('<5> by <김하늘>')
  })
})

describe('a key', () => {
  const catalog = {
    ko: { wait: '{count}건', plain: '{name} 님' },
    en: { wait: '{count} wait', wait_one: 'one waits', plain: '{name}' },
  }

  it.each([
    ['ko', 1, '1건'],
    ['en', 1, 'one waits'],
    ['en', 0, '0 wait'],
    ['en', 2, '2 wait'],
    ['en', '1', 'one waits'],
    ['en', '1,234', '1,234 wait'],
  ] as const)('is said in %s for %s', (language, count, text) => {
    expect(say(catalog, language, 'wait', { count })).toBe(text)
  })

  it('stays as it is without its values, and is not looked into for further places', () => {
    expect(say(catalog, 'en', 'plain')).toBe('{name}')
    expect(say(catalog, 'ko', 'plain', { name: '{count}', count: 1 })).toBe('{count} 님')
  })

  it('does not compile where it is misspelt', () => {
    // @ts-expect-error Korean has no such key.
    expect(() => say(catalog, 'ko', 'wiat')).toThrow()
  })
})

it.each([
  ['환불', '을를', '환불을'],
  ['수업료', '을를', '수업료를'],
  ['서울', '으로', '서울로'],
  ['센터', '으로', '센터로'],
  ['결정', '으로', '결정으로'],
  ['8', '이가', '8이'],
  ['API', '은는', 'API은(는)'],
] as const)('%s takes the right form of %s', (word, particle, expected) => {
  expect(withParticle(word, particle)).toBe(expected)
})
