import { readFileSync } from 'node:fs'
import { problemWords } from '@countersign/proof/problem.ts'
import { describe, expect, it } from 'vitest'
import { verdictInWords, verdictWords } from '../verdict-words.ts'
import { languages, say } from '../words.ts'

const source = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const placesIn = (sentence: string): string[] =>
  [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string).sort()
const hangul = /\p{Script=Hangul}/u

describe('both languages', () => {
  it.each([
    ['words', languages.en, languages.ko],
    ['verdicts', verdictWords.en, verdictWords.ko],
    ['problems', problemWords.en, problemWords.ko],
  ] as const)('say the same %s, with the same places for values', (_, en, ko) => {
    expect(Object.keys(ko)).toEqual(Object.keys(en))
    for (const [name, sentence] of Object.entries(en)) {
      const other = (ko as Record<string, string>)[name] as string
      expect(sentence.trim(), name).not.toBe('')
      expect(hangul.test(sentence), name).toBe(false)
      // What holds nothing but values is the same everywhere.
      if (sentence.replaceAll(/\{\w+\}|\W/g, '') !== '') expect(hangul.test(other), name).toBe(true)
      expect(placesIn(other), name).toEqual(placesIn(sentence))
    }
  })

  it('have every word that the template asks for', () => {
    const asked = [...source('apps/verifier/template.html').matchAll(/data-say="(\w+)"/g)].map(
      ([, name]) => name as string,
    )
    expect(asked.length).toBeGreaterThan(15)
    for (const name of asked) expect(Object.keys(languages.en)).toContain(name)
  })

  it('have no word that nothing asks for', () => {
    const used = [
      'template.html',
      'browser/page.ts',
      'browser/record-view.ts',
      'browser/result-view.ts',
      'browser/facts-view.ts',
      'browser/generations-view.ts',
      'browser/policy-view.ts',
      'browser/decision-view.ts',
      'browser/details-view.ts',
      'approval-words.ts',
      'judge.ts',
    ]
      .map((file) => source(`apps/verifier/${file}`))
      .join('\n')
    // Put together from a name and a verdict.
    const made =
      /^says(Altered|Contradicted|Unvouched|Unwitnessed|Witnessed|Signed|Lost|Sandbox|RulesHidden|Newer|Intact)(More)?$/
    const names = ['intact', 'inChain', 'signed', 'witnessed', 'yes', 'no', 'unknown']
    const idle = Object.keys(languages.en).filter(
      (name) =>
        !made.test(name) &&
        !names.includes(name) &&
        !/^(by|how|limit|seal|void|via) /.test(name) &&
        !new RegExp(`\\b${name}\\b`).test(used),
    )
    expect(idle).toEqual([])
  })

  it('have a sentence for every verdict that the library can give', () => {
    const library = source('packages/proof/anchor.ts') + source('packages/proof/verify-proof.ts')
    const codes = [
      ...library.matchAll(/verdict\(\s*'\w+',\s*'([\w-]+)'/g),
      ...library.matchAll(/code: '([\w-]+)'/g),
    ].map(([, code]) => code as string)
    expect(codes.length).toBeGreaterThan(15)
    for (const code of codes) {
      for (const name of ['intact', 'inChain', 'signed', 'witnessed']) {
        const shared = ['no-log-proof', 'no-policy'].includes(code)
        if (shared && name === 'intact') continue
        expect(hangul.test(verdictInWords(name, code, 'only in English', 'ko')), `${name} ${code}`).toBe(true)
      }
    }
  })
})

it('puts values into sentences and never looks into them', () => {
  expect(say('At {path}, {before} and {missing}', { path: '{before}', before: '$&' })).toBe(
    'At {before}, $& and {missing}',
  )
})
