/** Approval lines: what the service judges, the verifier in TypeScript and the one in Python come to the same. */
import { expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { compareForgeries, compareLines } from './line-verdicts.ts'

/** All of them: `npm run chaos -- lines`. */
const sample = 200

it('lines that the service judged fit in both', { timeout: 60_000 }, async () => {
  const { fits, differing, places } = await compareLines(testSeed(), sample)
  expect(differing).toEqual([])
  expect(fits).toBe(sample)
  expect(places).toBeGreaterThan(sample)
})

it('of 400 forged files none holds in either', { timeout: 60_000 }, async () => {
  const { files, held, differing, kinds } = await compareForgeries(testSeed(), 400)
  expect([files, held, differing]).toEqual([400, [], []])
  for (const [kind, count] of Object.entries(kinds)) expect([kind, count > 5]).toEqual([kind, true])
})
