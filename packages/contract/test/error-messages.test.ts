/** Every message that the API can give has a cause and a next step on its page. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { answersOf, readMessages } from '../../../tools/api-messages.ts'
import { differences, rows } from '../../../tools/error-files.ts'
import { openApiDocument } from '../openapi.ts'

const root = new URL('../../../', import.meta.url).pathname
const read = (code: string, more: Readonly<Record<string, string>> = {}) =>
  readMessages(new Map(Object.entries({ 'a.ts': code, ...more }))).map(({ code: of, text }) => `${of} ${text}`)

it('every message has a row, and every row a message', () => {
  const messages = answersOf(root)
  expect(messages.length).toBeGreaterThan(500)
  expect(differences(messages, rows)).toEqual([])
})

it('a message without a row and a row without a message are named', () => {
  const planted = { file: 'a.ts', line: 3, code: 'CONFLICT', text: 'There are {count} cats. Feed them.' }
  const row = { cause: 'Cats.', next: 'Feed them.' }
  expect(differences([planted], {})).toEqual([
    'a.ts:3 can answer CONFLICT "There are {count} cats. Feed them.", which has no row in packages/contract/error-messages.json.',
  ])
  expect(differences([planted], { CONFLICT: { 'There are {most} cats. Feed them.': row } })).toEqual([])
  expect(differences([], { CONFLICT: { 'There are {most} cats.': row } })).toEqual([
    'packages/contract/error-messages.json has a row for CONFLICT "There are {most} cats.", which the server no longer says.',
  ])
  // Neither another code nor a value that spans sentences.
  expect(differences([planted], { FORBIDDEN: { 'There are {most} cats. Feed them.': row } })).toHaveLength(2)
  expect(differences([planted], { CONFLICT: { 'There are {most}.': row } })).toHaveLength(2)
})

it('every row has a cause and a next step in whole sentences', () => {
  const texts = Object.values(rows).flatMap((ofCode) =>
    Object.values(ofCode).flatMap(({ cause, next }) => [cause, next]),
  )
  expect(texts.filter((text) => !/^[A-Z`][\s\S]*[.`]$/.test(text))).toEqual([])
})

it('operations and settings that a row names exist', () => {
  const text = JSON.stringify(rows)
  const paths = [...text.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) (\/api[\w/{}-]*)/g)].map(([, path]) => path)
  expect(paths.length).toBeGreaterThan(10)
  const known = Object.keys(openApiDocument().paths as object)
  expect(paths.filter((path) => !known.includes(path as string))).toEqual([])
  const named = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name]) => name as string)
  expect(named.length).toBeGreaterThan(10)
  const settings = readFileSync(`${root}docs/settings.md`, 'utf8')
  expect(named.filter((name) => !settings.includes(`\`${name}\``))).toEqual([])
})

describe('a message is found where it is', () => {
  it('written out, in a template, or on either side of a condition', () => {
    expect(read(`throw new Problem('CONFLICT', \`There are \${cats.length} cats.\`)`)).toEqual([
      'CONFLICT There are {length} cats.',
    ])
    expect(read(`throw new Problem('CONFLICT', isOne ? 'One cat.' : 'Two cats.')`)).toEqual([
      'CONFLICT One cat.',
      'CONFLICT Two cats.',
    ])
  })

  it('passed through functions of other files', () => {
    const maker = `export const refused = (code, why) => new Problem(code, \`\${why} Try again.\`)`
    const caller = `import { refused } from './maker.ts'
      function check(cats) { const why = cats ? 'Cats.' : 'Dogs.'; throw refused('FORBIDDEN', why) }`
    expect(read(caller, { 'maker.ts': maker })).toEqual(['FORBIDDEN Cats. Try again.', 'FORBIDDEN Dogs. Try again.'])
  })

  it('returned by a function, kept in a table or a list, or thrown as another error', () => {
    expect(read(`const words = { cat: 'A cat.', dog: 'A dog.' }; throw new Problem('CONFLICT', words[kind])`)).toEqual([
      'CONFLICT A cat.',
      'CONFLICT A dog.',
    ])
    expect(
      read(`const list = [[/a/, 'An a.'], [/b/, 'A bee.']]
        function wordsFor(x) { const known = list.find(([r]) => r.test(x))?.[1]; return known ?? 'Neither.' }
        throw new Problem('CONFLICT', wordsFor(x))`),
    ).toEqual(['CONFLICT An a.', 'CONFLICT A bee.', 'CONFLICT Neither.'])
    expect(
      read(`function go() { throw new Sick('A sick cat.') }
        function run() { try { go() } catch (error) { if (error instanceof Sick) throw new Problem('CONFLICT', error.message) } }`),
    ).toEqual(['CONFLICT A sick cat.'])
    expect(read(`class Again extends Problem { constructor() { super('CONFLICT', 'Again a cat.') } }`)).toEqual([
      'CONFLICT Again a cat.',
    ])
  })
})
