/** The tables of the incidents, in both languages, say what the replay finds. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { read, root } from './blocks.ts'

interface Replayed {
  readonly call: string
  readonly result: 'held' | 'passed'
  readonly rules: readonly string[]
}

const words = { en: { held: 'held', passed: 'not held' }, ko: { held: '보류', passed: '통과' } } as const

const rowsOf = (page: string) =>
  [...read(page).matchAll(/^\| `(.+?)` \| ([^|]+) \| (.*) \|$/gm)].map(([, call = '', result = '', why = '']) => ({
    ...{ call: call.replaceAll('\\|', '|'), result, why },
  }))

it('the pages list every call that is replayed, with its result and the rule that asks', {
  timeout: 300_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'examples/incidents/replay.ts'), '--json'])
  const replayed = JSON.parse(stdout) as Replayed[]
  expect(replayed.length).toBeGreaterThan(10)
  for (const [language, page] of [
    ['en', 'docs/guides/incidents.md'],
    ['ko', 'docs/ko/guides/incidents.md'],
  ] as const) {
    const rows = rowsOf(page)
    expect(rows.map(({ call, result }) => [call, result])).toEqual(
      replayed.map(({ call, result }) => [call, words[language][result]]),
    )
    for (const [at, { rules }] of replayed.entries())
      for (const rule of rules) expect(rows[at]?.why).toContain(`\`${rule}\``)
  }
})
