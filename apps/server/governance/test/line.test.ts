import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../tests/support/seeded-random.ts'
import { bodies, type Counts, fault, lineAt, worlds } from './line-model.ts'

describe('all orders of approvals', () => {
  /** `npm run chaos -- lines` goes through all of them. */
  const seed = 35
  it('end with all lines full, or where the check said that nobody could fill them', () => {
    const random = seededRandom(seed)
    const pick = () => Math.floor(random() * bodies.length)
    const counts: Counts = { states: 0, finished: 0, foretold: 0 }
    for (let round = 0; round < 400; round++) {
      const lines = [lineAt(pick(), 'pol_1'), lineAt(pick(), 'pol_2')]
      const added = round % 2 === 0 ? null : lineAt(pick(), 'pol_1', 2)
      const world = worlds[round % worlds.length] as (typeof worlds)[number]
      expect(fault({ lines, added, world }, counts), `seed ${seed}, round ${round}`).toBeNull()
    }
    expect(counts.states).toBeGreaterThan(5000)
    expect(counts.finished).toBeGreaterThan(500)
    expect(counts.foretold).toBeGreaterThan(100)
  }, 60_000)
})
