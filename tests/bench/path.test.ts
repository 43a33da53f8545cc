/** docs/ARCHITECTURE.md shows which files a request passes, as `npm run path` finds them. */
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasTurn } from '../support/turn.ts'
import { pathOf, pathsOnPage, requestNames } from './paths.ts'

const shown = pathsOnPage()
const root = new URL('../../', import.meta.url)

it('the page shows every request, and files that exist', () => {
  expect([...shown.keys()]).toEqual([...requestNames])
  const named = shown.get('seal')?.read ?? []
  expect(named.length).toBe(shown.get('seal')?.story)
  expect(named.filter((file) => !existsSync(new URL(file, root)))).toEqual([])
})

describe('npm run path', { timeout: 120_000 }, () => {
  // Each starts a server of its own: in CI they take turns.
  it.each(requestNames.filter((_, at) => hasTurn(at, requestNames.length)))(
    'finds for %s what the page says; else run npm run path -- --write',
    (name) => {
      const { files, story, read } = pathOf(name)
      expect(read).toHaveLength(story)
      // What runs beside a request, such as a look at due work, may fall into it or not.
      expect(Math.abs(story - (shown.get(name)?.story ?? 0)), `${name}: ${read.join(', ')}`).toBeLessThanOrEqual(4)
      expect(Math.abs(files - (shown.get(name)?.files ?? 0))).toBeLessThanOrEqual(12)
    },
  )
})
