/** A few messages and one kill on every change; `npm run chaos -- messages` has 10,000 causes. */
import { expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { runShortest } from '../support/shortest.ts'

it('messages are neither lost nor sent twice without a kill, whoever dies', { timeout: 300_000 }, async () => {
  const words = ['messages', '--rounds', '60', '--crashes', '1', '--seed', String(testSeed())]
  const { status, problems, last } = await runShortest('tests/crash/run.ts', words)
  expect(status, problems.slice(-3000)).toBe(0)
  expect(JSON.parse(last)).toMatchObject({ chaos: 'messages', violations: 0, missing: 0, repeatedCalm: 0, kills: 1 })
})
