/** Every word is there in both languages and is used. The types of the catalogs ensure that no key is missing. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withParticle } from '../app/josa.ts'

const root = new URL('../', import.meta.url).pathname
const folders = globSync('{ui,ui/*,areas/*}/ko.ts', { cwd: root }).map((file) => file.replace('/ko.ts', ''))

type Words = Readonly<Record<string, string>>

const fieldsOf = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name as string).toSorted()

it.each(folders)('the words of %s are used, and both languages have the same values in them', async (folder) => {
  const { ko } = (await import(`${root}${folder}/ko.ts`)) as { ko: Words }
  const { en } = (await import(`${root}${folder}/en.ts`)) as { en: Words }
  // Areas say words of the shared parts too.
  const users = folder.startsWith('ui') ? '{app,ui,areas,decision}' : folder
  const code = globSync(`${users}/**/*.{ts,tsx}`, { cwd: root })
    .filter((file) => !/\/(ko|en)\.ts$/.test(file))
    .map((file) => readFileSync(root + file, 'utf8'))
    .join('\n')
  // A key with a value of the API in it: `role${role}` uses every key that begins with `role`.
  const beginnings = [...code.matchAll(/`(\w+)\$\{/g)].map(([, beginning]) => beginning as string)
  for (const [key, text] of Object.entries(ko)) {
    const used = code.includes(`'${key}'`) || beginnings.some((beginning) => key.startsWith(beginning))
    expect([key, used && 'used', fieldsOf(en[key] ?? '')]).toEqual([key, 'used', fieldsOf(text)])
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

it('the console and the documentation use one Korean word for a term', () => {
  // Words that the console used beside those of docs/ko/GLOSSARY.md: chain, event, key, sandbox, checkpoint.
  const others = /사슬|사건|열쇠|연습장|점검표/
  const files = globSync('{apps/console/{app,ui,areas,approve}/**/*.{ts,tsx},docs/ko/**/*.md}', {
    cwd: `${root}../..`,
  })
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => others.test(readFileSync(`${root}../../${file}`, 'utf8')))).toEqual([])
})
