/** Every text that a person reads calls a thing by the word of the glossary. */
import { globSync, readFileSync } from 'node:fs'
import { openApiDocument } from '@countersign/contract/openapi.ts'
import { expect, it } from 'vitest'
import { messagesOf } from '../../../tools/api-messages.ts'
import { glossary } from '../../../tools/glossary-files.ts'

const root = new URL('../../../', import.meta.url).pathname
const read = (file: string): string => readFileSync(root + file, 'utf8')

interface Text {
  readonly kind: 'catalog' | 'docs' | 'api' | 'messages'
  readonly language: 'en' | 'ko'
  readonly where: string
  readonly text: string
}

/** Code, addresses and names of the API are not words. */
const prose = (markdown: string): string =>
  markdown
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/https?:\S+/g, '')

function catalogs(): Text[] {
  return globSync('packages/words/{en,ko}/*.json', { cwd: root }).flatMap((file) => {
    const language = file.includes('/ko/') ? 'ko' : 'en'
    const found: Text[] = []
    JSON.parse(read(file), (key, value) => {
      if (typeof value === 'string')
        found.push({ kind: 'catalog', language, where: `${file} ${key}`, text: prose(value) })
      return value
    })
    return found
  })
}

/** Records of decisions and of changes are history: they keep the words of their day. */
const pages = (): Text[] =>
  globSync(['README*.md', 'docs/**/*.md', '{apps,packages,examples,tests}/**/README.md'], {
    cwd: root,
    exclude: ['**/node_modules', 'docs/decisions', '**/GLOSSARY.md', '**/dist'],
  }).map((file) => ({
    kind: 'docs',
    language: /docs\/ko\/|\.ko\.md/.test(file) ? 'ko' : 'en',
    where: file,
    text: prose(read(file)),
  }))

function descriptions(): Text[] {
  const found: Text[] = []
  JSON.parse(JSON.stringify(openApiDocument()), (key, value) => {
    if ((key === 'description' || key === 'summary') && typeof value === 'string')
      found.push({ kind: 'api', language: 'en', where: 'openapi.json', text: prose(value) })
    return value
  })
  return found
}

const messages = (): Text[] =>
  messagesOf(root).map(({ file, line, text }) => ({
    ...{ kind: 'messages', language: 'en', where: `${file}:${line}` },
    text: prose(text),
  }))

const rules = [
  ...glossary.terms.flatMap((term) => (term.never ?? []).map((never) => ({ ...never, instead: term[never.language] }))),
  ...glossary.phrases.map(({ never, ...rest }) => ({ ...rest, word: never, in: undefined, unless: undefined })),
]

/** English words whole and in the plural, Korean ones anywhere: particles follow them. */
function pattern(language: 'en' | 'ko', word: string): RegExp {
  const plain = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return language === 'en' ? new RegExp(`\\b${plain}s?\\b`, 'i') : new RegExp(plain)
}

function offenders(texts: readonly Text[]): string[] {
  return rules.flatMap(({ language, word, instead, in: kinds, unless = [] }) => {
    const wrong = pattern(language, word)
    return texts
      .filter((text) => text.language === language && (kinds?.includes(text.kind) ?? true))
      .filter(({ text }) => wrong.test(unless.reduce((left, allowed) => left.replaceAll(allowed, ''), text)))
      .map(({ where, text }) => {
        const at = text.search(wrong)
        return `${where}: "${word}" (${instead}) in: ${text.slice(Math.max(0, at - 30), at + 40).replaceAll('\n', ' ')}`
      })
  })
}

it.each([
  ['catalog', catalogs, 2000],
  ['docs', pages, 80],
  ['api', descriptions, 1000],
  ['messages', messages, 300],
] as const)('texts of the kind %s use the words of the glossary', (_, texts, least) => {
  const all = texts()
  expect(all.length).toBeGreaterThan(least)
  expect(offenders(all)).toEqual([])
})

it('a planted word is found in every kind of text', () => {
  const planted = (kind: Text['kind'], language: Text['language'], text: string) => ({
    kind,
    language,
    text,
    where: kind,
  })
  expect(
    offenders([
      planted('catalog', 'en', 'Look into your mail'),
      planted('catalog', 'ko', '정책을 저장하십시오'),
      planted('docs', 'ko', '센터의 회원'),
      planted('api', 'en', 'Fingerprints of the key'),
      planted('messages', 'en', 'You are logged out. Log in.'),
    ]).map((found) => found.split(':')[0]),
  ).toEqual(expect.arrayContaining(['catalog', 'docs', 'api', 'messages']))
  expect(offenders([planted('docs', 'ko', '회원님의 멤버십'), planted('docs', 'en', 'the rules of a game')])).toEqual(
    [],
  )
})

it('a term has one word in each language, and no word is both used and forbidden', () => {
  for (const language of ['en', 'ko'] as const) {
    const words = glossary.terms.map((term) => term[language])
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
    const forbidden = glossary.terms.flatMap(({ never = [] }) =>
      never.filter((each) => each.language === language && !each.in),
    )
    expect(forbidden.filter(({ word }) => words.includes(word))).toEqual([])
  }
})
