/** The first section of docs/ARCHITECTURE.md lists every folder of the repository exactly once. */
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { read, root } from './blocks.ts'

/** Folders of tests, build output and subfolders of features are described by their parent folder. */
const described = (folder: string): boolean =>
  !/(^|\/)(test|dist)(\/|$)/.test(folder) && !/^apps\/server\/features\/[^/]+\/[^/]+\/./.test(folder)

function folders(): string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const found = new Set<string>()
  for (const file of files.trim().split('\n')) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) found.add(folder)
  }
  return [...found].filter(described).toSorted()
}

it('the map in ARCHITECTURE.md has every folder exactly once', () => {
  const [, first = ''] = read('docs/ARCHITECTURE.md').split(/^## /m)
  expect(first).toMatch(/^Folders\n/)
  const rows = [...first.matchAll(/^\| `([^`]+)\/` \| (.+) \|$/gm)]
  expect(rows.map(([, folder]) => folder as string).toSorted()).toEqual(folders())
})
