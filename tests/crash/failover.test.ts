/** Two failovers with TEST_LONG=1; `npm run chaos -- failover` makes a hundred. */
import { expect, it } from 'vitest'
import { random } from '../support/seed.ts'
import { chaosFailover } from './failover.ts'

it.runIf(process.env.TEST_LONG)(
  'a failover shows no size with two roots, and loses no seal that no operator has named',
  { timeout: 600_000 },
  async () => {
    const seed = Math.floor(random() * 2 ** 32)
    expect(await chaosFailover({ seed, rounds: 2 })).toMatchObject({ violations: 0, lostWithQuorum: 0 })
  },
)
