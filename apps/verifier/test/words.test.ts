import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { languages, say, verdictInWords } from '../words.ts'

const source = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const hangul = /\p{Script=Hangul}/u

describe('both languages', () => {
  it('have every word that the template asks for', () => {
    const asked = [...source('apps/verifier/template.html').matchAll(/data-say="(\w+)"/g)].map(
      ([, name]) => name as string,
    )
    expect(asked.length).toBeGreaterThan(15)
    for (const name of asked) expect(Object.keys(languages.en)).toContain(name)
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
