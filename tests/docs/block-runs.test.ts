/** Each fenced block of each page has the test that runs it, or a reason why none does. */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reasons, runs } from './block-runs.ts'
import { type Block, blocksOf, markdownFiles, read, root } from './blocks.ts'

const isReason = (run: string): run is keyof typeof reasons => run in reasons
const pages = (await markdownFiles()).filter(
  (file) => !/^docs\/ko\/|^README\.ko\.md$/.test(file) && blocksOf(read(file)).length > 0,
)

/** The keys of a page's table that fit a block, the narrowest first. */
function fitting(keys: readonly string[], { label, text, language }: Block): string | undefined {
  return (
    keys.find((key) => key === label && label !== '') ??
    keys.find((key) => key !== language && text.startsWith(key)) ??
    keys.find((key) => key === language)
  )
}

const runOf = (page: string, block: Block): string | undefined => {
  const table = runs[page]
  if (table === undefined || typeof table === 'string') return table
  return table[fitting(Object.keys(table), block) ?? '']
}

/** The text of a test with that of the files beside it that it imports. */
function sourceOf(test: string): string {
  const text = read(test)
  const beside = Array.from(text.matchAll(/ from '\.\/([\w-]+\.ts)'/g), ([, file]) =>
    join(dirname(test), file as string),
  )
  return [text, ...beside.map(read)].join('\n')
}

/** How a test names a page: its path, or the name that a page of its kind has there. */
const namesOf = (page: string): string[] =>
  basename(page) === 'README.md' && page !== 'README.md'
    ? [page, `'${basename(dirname(page))}'`]
    : [page, `'${basename(page, '.md')}'`]

it('no page with blocks is left out, and no other is named', () => {
  expect(Object.keys(runs).toSorted()).toEqual(pages.toSorted())
})

describe.each(pages)('%s', (page) => {
  const blocks = blocksOf(read(page))

  it('has a test or a reason for each block', () => {
    const without = blocks.filter((block) => !runOf(page, block))
    expect(without.map(({ language, label, text }) => `${language} ${label}: ${text.slice(0, 60)}`)).toEqual([])
  })

  it('gives only reasons that fit: programs, queries and settings always run', () => {
    const excused = blocks.filter((block) => isReason(runOf(page, block) ?? ''))
    for (const { language, text } of excused) {
      if (language === 'sh' || /^npm run /.test(text)) expect(text).toMatch(/^(eval "[^"]*" && )?np[mx] /m)
      else expect(['text', 'mermaid']).toContain(language)
    }
  })

  it('names tests that exist and read the page', () => {
    const tests = new Set(blocks.map((block) => runOf(page, block) ?? '').filter((run) => !isReason(run)))
    for (const test of tests) {
      expect(existsSync(join(root, test)), test).toBe(true)
      const source = sourceOf(test)
      expect(
        namesOf(page).some((name) => source.includes(name)),
        `${test} reads ${page}`,
      ).toBe(true)
    }
  })

  it('has no line in the table that no block uses', () => {
    const table = runs[page]
    if (typeof table === 'string' || table === undefined) return
    const keys = Object.keys(table)
    const used = new Set(blocks.map((block) => fitting(keys, block)))
    // The samples in Python are a page's own matter: a page may not have one yet.
    expect(keys.filter((key) => !used.has(key) && key !== 'python')).toEqual([])
  })
})

it('a block without a test is found', () => {
  expect(runOf('docs/guides/policies.md', { language: 'rust', label: '', text: 'fn main() {}' })).toBeUndefined()
})
