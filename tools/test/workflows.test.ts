import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('../../.github/workflows/', import.meta.url)

it('every action of CI is named by its commit, with the version beside it', () => {
  const used = readdirSync(folder).flatMap((file) =>
    Array.from(readFileSync(new URL(file, folder), 'utf8').matchAll(/uses: *(.+)$/gm), ([, action = '']) => action),
  )
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((action) => !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
})
