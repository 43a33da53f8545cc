/** Sequences of policy changes over decisions and approvals; see `loosens` of the governance. No server takes part. */
import fc from 'fast-check'
import { loosened } from '../../apps/server/governance/loosens.ts'
import { fault, histories, newCounts } from '../../apps/server/governance/test/loosening.ts'
import { say } from '../bench/place.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

export async function chaosLoosens({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const counts = newCounts()
  const property = fc.property(histories(), (history) => {
    const found = fault(history, loosened, counts)
    if (found !== null) throw new Error(found)
  })
  // fast-check takes signed 32-bit seeds.
  const { failed, numRuns } = fc.check(property, {
    numRuns: rounds,
    seed: seed | 0,
    reporter: (run) => run.failed && say(fc.defaultReportMessage(run) ?? ''),
  })
  return { rounds: numRuns, violations: failed ? 1 : 0, ...counts }
}
