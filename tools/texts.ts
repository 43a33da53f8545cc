/** Every text that a person reads: the catalogs, the pages, the descriptions of the API, and its messages. */
import { globSync, readFileSync } from 'node:fs'
import { openApiDocument } from '@countersign/contract/openapi.ts'
import { messagesOf } from './api-messages.ts'

const root = new URL('../', import.meta.url).pathname
const read = (file: string): string => readFileSync(root + file, 'utf8')

export interface Text {
  readonly kind: 'catalog' | 'docs' | 'api' | 'messages'
  readonly language: 'en' | 'ko'
  readonly where: string
  readonly text: string
}

/** Code, addresses and names of the API are not words. */
export const prose = (markdown: string): string =>
  markdown
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/https?:\S+/g, '')

export function catalogs(): Text[] {
  return globSync('packages/words/{en,ko}/*.json', { cwd: root }).flatMap((file) => {
    const language = file.includes('/ko/') ? 'ko' : 'en'
    const found: Text[] = []
    JSON.parse(read(file), (key, value) => {
      if (typeof value === 'string') found.push({ kind: 'catalog', language, where: `${file} ${key}`, text: value })
      return value
    })
    return found
  })
}

/** Records of decisions and of changes are history: they keep the words of their day. */
export const pages = (): Text[] =>
  globSync(['README*.md', 'docs/**/*.md', '{apps,packages,examples,tests}/**/README.md'], {
    cwd: root,
    exclude: ['**/node_modules', 'docs/decisions', 'docs/changes', '**/GLOSSARY.md', '**/dist'],
  }).map((file) => ({
    kind: 'docs',
    language: /docs\/ko\/|\.ko\.md/.test(file) ? 'ko' : 'en',
    where: file,
    text: read(file),
  }))

export function descriptions(): Text[] {
  const found: Text[] = []
  JSON.parse(JSON.stringify(openApiDocument()), (key, value) => {
    if ((key === 'description' || key === 'summary') && typeof value === 'string')
      found.push({ kind: 'api', language: 'en', where: 'openapi.json', text: value })
    return value
  })
  return found
}

export const messages = (): Text[] =>
  messagesOf(root).map(({ file, line, text }) => ({
    ...{ kind: 'messages', language: 'en', where: `${file}:${line}` },
    text,
  }))
