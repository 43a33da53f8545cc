/** All orders of approvals under two approval lines; see `line-model.ts` of the governance. No server takes part. */
import { bodies, type Counts, fault, lineAt, worlds } from '../../apps/server/governance/test/line-model.ts'
import { say } from '../bench/place.ts'
import { seededRandom } from '../support/seeded-random.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

/** Two lines side by side, in no order, in each of the worlds. */
export const allModels = ((bodies.length * (bodies.length + 1)) / 2) * worlds.length

/** With fewer rounds than there are models, those are spread over all of them. A third line joins half of them, by chance. */
export async function chaosLines({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const random = seededRandom(seed)
  const counts: Counts = { states: 0, finished: 0, foretold: 0 }
  let violations = 0
  let tried = 0
  let number = 0
  for (const world of worlds) {
    for (let one = 0; one < bodies.length; one++) {
      for (let other = one; other < bodies.length; other++, number++) {
        const isDue = Math.floor(((number + 1) * rounds) / allModels) > Math.floor((number * rounds) / allModels)
        if (!isDue) continue
        const lines = [lineAt(one, 'pol_1'), lineAt(other, 'pol_2')]
        const added = random() < 0.5 ? null : lineAt(Math.floor(random() * bodies.length), 'pol_1', 2)
        const found = fault({ lines, added, world }, counts)
        tried++
        if (found === null) continue
        violations++
        say(`lines ${one} and ${other}, world ${worlds.indexOf(world)}: ${found}`)
      }
    }
  }
  return { rounds: tried, violations, ...counts }
}
