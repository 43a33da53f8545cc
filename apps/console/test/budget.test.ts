/** What a browser loads before it shows anything. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { buildConsole } from '../../../tools/build-console.ts'

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
}

const most = 215 * 1024
const dist = new URL('../dist/', import.meta.url)

it('the first load of every page is at most 215 KB of script', async () => {
  await buildConsole()
  const chunks = JSON.parse(readFileSync(new URL('files.json', dist), 'utf8')) as Record<string, Chunk>
  const neededBy = (name: string, found = new Set<string>()): Set<string> => {
    if (!found.has(name)) {
      found.add(name)
      for (const other of chunks[name]?.imports ?? []) neededBy(other, found)
    }
    return found
  }
  const sizeOf = (name: string) => readFileSync(new URL(`${chunks[name]?.file}.gz`, dist)).length
  const [entry] = Object.entries(chunks).flatMap(([name, { isEntry }]) => (isEntry ? [name] : []))
  const pages = Object.keys(chunks).filter((name) => /^areas\/.*-pages?\.tsx$/.test(name))
  expect(pages.length).toBeGreaterThan(30)
  const tooLarge = pages
    .map(
      (page) =>
        [page, [...neededBy(page, neededBy(entry ?? ''))].reduce((sum, name) => sum + sizeOf(name), 0)] as const,
    )
    .filter(([, size]) => size > most)
  expect(tooLarge).toEqual([])
})

it('the files are those of production: without a path of the machine that built them', async () => {
  await buildConsole()
  const files = globSync('*.js', { cwd: dist.pathname })
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => /jsxDEV|apps\/console\/areas/.test(readFileSync(new URL(file, dist), 'utf8')))).toEqual(
    [],
  )
})

it('the approval page is three files of at most 47 KB compressed, without a library', async () => {
  await buildConsole()
  const html = readFileSync(new URL('approve.html', dist), 'utf8')
  const files = [...html.matchAll(/"\/console\/([^"]+)"/g)].map(([, file]) => file as string)
  expect(files.map((file) => file.split('.').at(-1)).sort()).toEqual(['css', 'js'])
  const bytes = ['approve.html', ...files].map((file) => readFileSync(new URL(`${file}.gz`, dist)).length)
  const size = bytes.reduce((sum, each) => sum + each, 0)
  expect(size).toBeGreaterThan(10_000)
  expect(size).toBeLessThan(47_000)
  const script = readFileSync(new URL(files.find((file) => file.endsWith('.js')) as string, dist), 'utf8')
  expect(script).not.toMatch(/react|i18next/i)
})
