/** A few held calls and kills on every change; `npm run chaos -- gateway` makes 500 calls. */
import { expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { runShortest } from '../support/shortest.ts'

it('a gateway runs nothing twice and nothing unapproved, whatever is killed', { timeout: 300_000 }, async () => {
  const words = ['gateway', '--rounds', '12', '--crashes', '3', '--seed', String(testSeed())]
  const { status, problems, last } = await runShortest('tests/crash/run.ts', words)
  expect(status, problems.slice(-3000)).toBe(0)
  expect(JSON.parse(last)).toMatchObject({ chaos: 'gateway', violations: 0, kills: 3 })
})
