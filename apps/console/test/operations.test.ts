/**
 * Every operation of the API is used by a page of the console, or stands on the list of those without one, with the reason: what
 * only a program can do is a decision, never an accident.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fullPath, type Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { expect, it } from 'vitest'
import exceptions from './without-page.json' with { type: 'json' }

const root = new URL('../', import.meta.url).pathname
const isPage = (file: string) => !/^(dist|next|test|node_modules)\//.test(file)
const files = globSync('**/*.{ts,tsx,js}', { cwd: root })
  .filter(isPage)
  .map((file) => ({ folder: dirname(file), text: readFileSync(root + file, 'utf8') }))

const textOfFolder = new Map(
  [...Map.groupBy(files, ({ folder }) => folder)].map(([folder, own]) => [
    folder,
    own.map(({ text }) => text).join('\n'),
  ]),
)
const everything = [...textOfFolder.values()].join('\n')

/** `api.bookings.move(…)`; of a member that is chosen at run time, `api.memberships[what](…)`, one that its folder names. */
function isCalled({ name, spec }: Operation): boolean {
  if (spec.surface === 'proof') return false
  const [resource = '', verb = ''] = name.split('.')
  if (new RegExp(`(?:\\bapi|Api\\(\\))\\s*\\.\\s*${resource}\\s*\\.\\s*${verb}\\b`).test(everything)) return true
  return files.some(
    ({ folder, text }) =>
      text.includes(`api.${resource}[`) && textOfFolder.get(folder)?.match(new RegExp(`'${verb}'|\\b${verb}:`)),
  )
}

const literal = /[`'"](\/api\/[^`'"]*)[`'"]/g
const shapeOf = (path: string) => path.replaceAll(/\$?\{[^}]*\}/g, '{}')

/** Addresses as text, for downloads and streams; `/api/auth/session${path}` continues with a literal of the same file. */
function isAddressed({ spec }: Operation): boolean {
  const wanted = shapeOf(fullPath(spec))
  return files.some(({ text }) =>
    Array.from(text.matchAll(literal), ([, path = '']) => shapeOf(path).split('?')[0] ?? '').some((path) => {
      if (path === wanted) return true
      const start = /^(.*[^/])\{\}$/.exec(path)?.[1]
      return start !== undefined && wanted.startsWith(start) && text.includes(`'${wanted.slice(start.length)}'`)
    }),
  )
}

/** An operation may be a page itself, such as the public verification. */
const hasPage = (operation: Operation): boolean =>
  'page' in operation.spec || isCalled(operation) || isAddressed(operation)

const listed = exceptions.flatMap((group) => group.operations)

it.each(operations.map((operation) => [operation.id, operation] as const))(
  '%s has a page, or a reason',
  (id, operation) => {
    expect({ id, page: hasPage(operation), listed: listed.includes(id) }).toEqual({
      id,
      page: !listed.includes(id),
      listed: listed.includes(id),
    })
  },
)

it('the list names each operation once, none that does not exist, and a reason for each', () => {
  const ids = new Set(operations.map(({ id }) => id as string))
  expect(listed.filter((id) => !ids.has(id))).toEqual([])
  expect(listed.filter((id, at) => listed.indexOf(id) !== at)).toEqual([])
  expect(exceptions.filter(({ reason }) => !/^[A-Z].{20,}\.$/.test(reason))).toEqual([])
})
