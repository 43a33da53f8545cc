import { describe, expect, it } from 'vitest'
import { say, sayFindings } from '../sentences.ts'
import en from '../texts/en.json' with { type: 'json' }
import ko from '../texts/ko.json' with { type: 'json' }

const facts = {
  none: null,
  zero: 0,
  less: -5,
  more: 5,
  list: [{ who: 'a' }, { who: 'b' }],
  inner: { name: 'x' },
  hostile: '{more} [a|b]',
}

describe('a sentence', () => {
  it.each([
    ['{more} of {list.length}, {inner.name}', '5 of 2, x'],
    ['{+more} {+less} {+zero} {-less}', '+5 -5 +0 5'],
    ['change[ of {none}%]', 'change'],
    ['change[ of {zero}%]', 'change of 0%'],
    ['counts[, {?zero} unreadable]', 'counts'],
    ['counts[, {?more} unreadable]', 'counts, 5 unreadable'],
    ['[rate {none}%|no rate]', 'no rate'],
    ['[rate {more}%[, before {none}%]|no rate].', 'rate 5%.'],
    ['[a {none}[ b {more}]|c {inner.none}|d]', 'd'],
    ['says {hostile}', 'says {more} [a|b]'],
  ])('%s', (sentence, text) => {
    expect(say(sentence, facts)).toBe(text)
  })

  it.each(['{none}', '{missing} times', '{?zero} of them', '{none.member}'])('%s says nothing', (sentence) => {
    expect(say(sentence, facts)).toBeNull()
  })
})

it('a finding is said for each item of a list, once for another fact, and not for an absent one', () => {
  const sentences = { list: '{who} of {more}', more: '{more}', zero: 'zero', none: 'none', missing: 'missing' }
  expect(sayFindings(sentences, facts)).toEqual(['a of 5', 'b of 5', '5'])
})

describe('texts', () => {
  it('have the same workflows and findings in both languages, with the same facts', () => {
    const names = (texts: typeof en | typeof ko) => {
      const facts = (text: unknown) => [...JSON.stringify(text).matchAll(/\{[-+?]?([\w.]+)\}/g)].map(([, name]) => name)
      return Object.entries(texts.workflows).map(([key, { basis, findings, decide }]) => [
        ...[key, basis.length, Object.keys(findings), decide.length],
        [...new Set(facts([basis, findings]))].sort(),
      ])
    }
    expect(names(ko)).toEqual(names(en))
  })
})
