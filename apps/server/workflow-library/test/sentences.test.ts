import en from '@countersign/words/en/workflows.json' with { type: 'json' }
import ko from '@countersign/words/ko/workflows.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { sayFindings } from '../sentences.ts'

const facts = { none: null, zero: 0, more: 5, list: [{ who: 'a' }, { who: 'b' }] }

it('a finding is said for each item of a list, once for another fact, and not for an absent one', () => {
  const sentences = { list: '{who} of {more}', more: '{more}', zero: 'zero', none: 'none', missing: 'missing' }
  expect(sayFindings(sentences, facts)).toEqual(['a of 5', 'b of 5', '5'])
})

describe('texts', () => {
  it('have the same workflows and findings in both languages, with the same facts', () => {
    const names = (texts: typeof en | typeof ko) => {
      const facts = (text: unknown) =>
        [...JSON.stringify(text).matchAll(/\{[-+?]?(?!term\.)([\w.]+)\}/g)].map(([, name]) => name)
      return Object.entries(texts.workflows).map(([key, { basis, findings, decide }]) => [
        ...[key, basis.length, Object.keys(findings), decide.length],
        [...new Set(facts([basis, findings]))].sort(),
      ])
    }
    expect(names(ko)).toEqual(names(en))
  })
})
