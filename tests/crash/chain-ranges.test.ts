/** A short form of `npm run chaos -- chain-ranges`. */
import { expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { chaosChainRanges } from './chain-ranges.ts'

it('two servers on the same chains lose no seal while ranges are taken away and one is killed', async () => {
  const { violations, acknowledged, kills, thefts } = await chaosChainRanges({ seed: testSeed(), rounds: 40, more: {} })
  expect({ violations, kills: kills !== 0, thefts: thefts !== 0 }).toEqual({ violations: 0, kills: true, thefts: true })
  expect(acknowledged).toBeGreaterThan(40)
}, 120_000)
