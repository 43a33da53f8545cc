import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { read, root } from './blocks.ts'

it('the folders that the map in ARCHITECTURE.md names exist', () => {
  const [, first = ''] = read('docs/ARCHITECTURE.md').split(/^## /m)
  expect(first).toMatch(/^Folders\n/)
  const folders = [...first.matchAll(/^\| `([^`]+)\/` \| /gm)].map(([, folder]) => folder as string)
  expect(folders).not.toEqual([])
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([])
})
