/** Every word is there in both languages and is used. The types of the catalogs ensure that no key is missing. */
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { withParticle } from '@countersign/words/particles.ts'
import { expect, it } from 'vitest'

const root = new URL('../', import.meta.url).pathname
const catalog = new URL('../../../packages/words/', import.meta.url).pathname

type Words = Readonly<Record<string, string>>

const fieldsOf = (text: string): string[] => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name as string).toSorted()

/** The module of an area that makes a hook of its words, and the names of the areas in it. */
const modules = globSync('{ui,ui/*,areas/*}/{words,error-words}.ts', { cwd: root }).map((file) => {
  const [, area] = /words\/ko\/([\w-]+)\.json/.exec(readFileSync(root + file, 'utf8')) ?? []
  return [area as string, file] as const
})

it.each(modules)('the words of %s are used, and both languages have the same values in them', async (area, module) => {
  const [ko, en] = ['ko', 'en'].map(
    (each) => JSON.parse(readFileSync(`${catalog}${each}/${area}.json`, 'utf8')) as Words,
  )
  // Areas say words of the shared parts too.
  const users = module.startsWith('ui') ? '{app,ui,areas}' : dirname(module)
  const code = globSync(`${users}/**/*.{ts,tsx}`, { cwd: root })
    .map((file) => readFileSync(root + file, 'utf8'))
    .join('\n')
  // A key with a value of the API in it: `role${role}` uses every key that begins with `role`.
  const beginnings = [...code.matchAll(/`(\w+)\$\{/g)].map(([, beginning]) => beginning as string)
  // The keys of the errors are codes of the contract, by their type.
  const isUsed = (key: string): boolean =>
    area === 'errors' || code.includes(`'${key}'`) || beginnings.some((beginning) => key.startsWith(beginning))
  expect(Object.keys(en ?? {}).map((key) => key.replace(/_one$/, ''))).toEqual(
    expect.arrayContaining(Object.keys(ko ?? {})),
  )
  for (const [key, text] of Object.entries(ko ?? {})) {
    expect([key, isUsed(key) && 'used', fieldsOf(en?.[key] ?? '')]).toEqual([key, 'used', fieldsOf(text)])
  }
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

it('the console, the pages and the documentation use one Korean word for a term', () => {
  // Words that the console used beside those of docs/ko/GLOSSARY.md: chain, event, key, sandbox, checkpoint.
  const others = /사슬|사건|열쇠|연습장|점검표/
  const files = globSync(
    '{packages/words/ko/*.json,apps/console/{app,ui,areas}/**/*.{ts,tsx},apps/pages/*.ts,docs/ko/**/*.md}',
    {
      cwd: `${root}../..`,
    },
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => others.test(readFileSync(`${root}../../${file}`, 'utf8')))).toEqual([])
})
