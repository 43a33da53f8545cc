import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const server = new URL('../../', import.meta.url)
const declaration = /: RowKind<[^=]*> = \{\s+name: '([^']+)',\s+order: (\d+),/g

it('gives every kind of sealed row a number and a name of its own, so that two batches do not deadlock', () => {
  const files = globSync('**/*.ts', { cwd: server.pathname, exclude: (path) => path.includes('test') })
  const sources = files.map((file) => readFileSync(new URL(file, server), 'utf8'))
  const kinds = sources.flatMap((source) => [...source.matchAll(declaration)])
  const declared = sources.join('').match(/: RowKind<[^)]*> = \{/g)?.length
  expect(kinds.length).toBe(declared)
  expect(kinds.length).toBeGreaterThanOrEqual(15)
  for (const part of [1, 2]) {
    const values = kinds.map((kind) => kind[part])
    expect(values.filter((value, at) => values.indexOf(value) !== at)).toEqual([])
  }
})
