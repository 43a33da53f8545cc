import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url).pathname

it('the words, the console and the documentation use one Korean word for a term', () => {
  // Words that the console used beside those of docs/ko/GLOSSARY.md: chain, event, key, sandbox, checkpoint.
  const others = /사슬|사건|열쇠|연습장|점검표/
  const files = globSync(
    '{packages/words/ko/*.json,apps/console/{app,ui,areas,approve}/**/*.{ts,tsx},docs/ko/**/*.md}',
    {
      cwd: root,
    },
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => others.test(readFileSync(root + file, 'utf8')))).toEqual([])
})
