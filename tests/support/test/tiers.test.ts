import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closeToTheDatabase, longest, tiers } from '../../tiers.ts'

const root = new URL('../../../', import.meta.url).pathname
const files = globSync('{packages,apps,tests,tools}/**/*.test.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist', 'tools/test/fixtures'],
})

const isIn = (file: string, globs: readonly string[]) => globs.some((glob) => matchesGlob(file, glob))
const tiersOf = (file: string): string[] =>
  Object.entries(tiers).flatMap(([name, { include, exclude }]) =>
    isIn(file, include) && !isIn(file, exclude) ? [name] : [],
  )

const known = new Map<string, readonly string[]>()

function importsOf(file: string): readonly string[] {
  const found = known.get(file)
  if (found) return found
  const text = /\.tsx?$/.test(file) && existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
  const imports = [...text.matchAll(/^(?:import|export)\b[^'"]*['"](\.[^'"]+)['"]/gm)]
  const paths = imports.map(([, to = '']) => join(dirname(file), to))
  known.set(file, paths)
  return paths
}

/** Every file of ours that this one imports, directly or not. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (!seen.has(file)) {
    seen.add(file)
    for (const each of importsOf(file)) reached(each, seen)
  }
  return seen
}

describe('every test file', () => {
  it('belongs to one tier', () => {
    expect(files.length).toBeGreaterThan(400)
    expect(files.filter((file) => tiersOf(file).length !== 1).map((file) => [file, tiersOf(file)])).toEqual([])
  })

  it('of the first tier opens no browser, starts no cluster and builds no package', () => {
    const barred = ['tests/journeys/browser.ts', 'tests/support/postgres-cluster.ts', 'tools/build-packages.ts']
    const first = files.filter((file) => tiersOf(file)[0] === 'test')
    const found = first.flatMap((file) => {
      const all = reached(file)
      return barred.filter((each) => all.has(each)).map((each) => `${file}: ${each}`)
    })
    expect(found).toEqual([])
    // A journey does reach it: so the search finds what it looks for.
    expect([...reached('tests/journeys/step-up.test.ts')]).toContain('tests/journeys/browser.ts')
  })
})

it('the lists of tiers name files that exist', () => {
  const named = [...tiers.browser.include, ...tiers.parts.include, ...tiers.release.include, ...longest]
  const nothing = named.filter((glob) => !files.some((file) => matchesGlob(file, glob)))
  expect(nothing).toEqual([])
  const close = closeToTheDatabase.include.filter((start) => !files.some((file) => file.startsWith(start)))
  expect(close).toEqual([])
})
