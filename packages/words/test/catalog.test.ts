/** Every text is there in both languages, with the same values, and is used. A misspelt key does not compile. */
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { verticals } from '@countersign/contract/enums.ts'
import { errorCodes } from '@countersign/contract/errors.ts'
import { mailNames } from '@countersign/server/mail/templates.ts'
import { termNames } from '@countersign/words/terms.ts'
import { expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url).pathname
const words = `${root}packages/words/`
const areas = globSync('ko/*.json', { cwd: words }).map((file) => file.slice('ko/'.length, -'.json'.length))
const read = (file: string): string => readFileSync(root + file, 'utf8')

type Tree = string | readonly Tree[] | { readonly [key: string]: Tree }

/** The sentences by their path; the lines of a list are one text. */
function sentencesOf(tree: Tree, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof tree === 'string') return [[path, tree]]
  if (Array.isArray(tree)) return [[path, tree.join('\n')]]
  return Object.entries(tree).flatMap(([key, below]) => sentencesOf(below as Tree, path ? `${path}/${key}` : key))
}

const sentencesIn = (language: 'ko' | 'en', area: string) =>
  new Map(sentencesOf(JSON.parse(read(`packages/words/${language}/${area}.json`)) as Tree))

/** Without the words of a trade: a language may say a sentence without one that the other needs. */
const valuesOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(?!term\.)([-+?]?[\w.]+)/g)].map(([, name]) => name as string))].toSorted()

const sources = globSync('{apps,packages}/**/*.{ts,tsx,html}', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist', '**/test', '**/next'],
}).map((file) => [file, read(file)] as const)

/** An area of the console says its own words, an app those that it imports; those of packages are said anywhere. */
function usersOf(importer: string): string {
  if (importer.startsWith('apps/console/areas/')) return dirname(importer)
  return importer.startsWith('apps/') ? importer.split('/').slice(0, 2).join('/') : ''
}

/** Areas whose keys begin with names that the code has elsewhere. */
const names: Readonly<Record<string, readonly string[]>> = {
  errors: [...Object.keys(errorCodes), 'NO_ANSWER', 'UNREADABLE'],
  causes: [...Object.keys(errorCodes), 'field'],
  mail: [...mailNames, 'role', 'chain', 'settings'],
  terms: termNames,
  trades: verticals,
  messages: ['channel', 'event', 'group', 'person'],
  texts: [
    'code',
    'taken',
    'removed',
    'appointmentMoved',
    'appointmentCanceled',
    'appointmentTomorrow',
    'placeOffered',
    'decisionsWait',
  ],
  workflows: ['frame', 'outcome', 'workflows'],
}

/** Read by the tool that makes the texts of the Python package. */
const ofPython = ['verify-python']

it('the catalog is read', () => {
  expect(areas.length).toBeGreaterThan(15)
  expect(globSync('en/*.json', { cwd: words }).length).toBe(areas.length)
})

it.each(areas)('%s has the same keys in both languages, and the same values in each sentence', (area) => {
  const [ko, en] = [sentencesIn('ko', area), sentencesIn('en', area)]
  const forms = [...en].filter(([key]) => /_one$/.test(key) && !ko.has(key))
  expect([...en.keys()].filter((key) => !forms.some(([form]) => form === key))).toEqual([...ko.keys()])
  for (const [key, text] of ko) {
    // The library says this one in English.
    if (en.get(key) !== '{detail}') expect([key, valuesOf(en.get(key) ?? '')]).toEqual([key, valuesOf(text)])
  }
  for (const [form, text] of forms) {
    const values = valuesOf(en.get(form.replace(/_one$/, '')) ?? '')
    // A form for one may say the number as a word.
    expect([form, valuesOf(text).filter((value) => !values.includes(value))]).toEqual([form, []])
  }
})

it.each(areas)('every sentence of %s is used', (area) => {
  const users = sources.filter(([, code]) => code.includes(`words/ko/${area}.json`)).map(([file]) => usersOf(file))
  expect(users.length).toBeGreaterThan(0)
  const code = sources
    .filter(([file]) => users.some((folder) => file.startsWith(folder)))
    .map(([, text]) => text)
    .join('\n')
  // A key with a value of the API in it: `role${role}` uses every key that begins with `role`.
  const beginnings = [...code.matchAll(/`([\w. ]+)\$\{/g)].map(([, beginning]) => beginning as string)
  const isUsed = (key: string): boolean =>
    names[area]
      ? names[area].includes(/^\w+/.exec(key)?.[0] ?? '')
      : ["'$'", '"$"', 'words.$', 'words().$'].some((form) => code.includes(form.replace('$', key))) ||
        beginnings.some((beginning) => key.startsWith(beginning))
  expect([...sentencesIn('ko', area).keys()].filter((key) => !isUsed(key) && !ofPython.includes(key))).toEqual([])
})
