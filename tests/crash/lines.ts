/** Approval lines by chance, and forged ones, judged in TypeScript and in Python. No server takes part. */
import { say } from '../bench/place.ts'
import { compareForgeries, compareLines } from '../interop/line-verdicts.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

export async function chaosLines({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const lines = await compareLines(seed, rounds)
  const forged = await compareForgeries(seed, Math.max(20, Math.ceil(rounds / 10)))
  const found = [...lines.differing, ...forged.held, ...forged.differing]
  for (const each of found.slice(0, 20)) say(each)
  const { fits, places } = lines
  return { rounds, violations: found.length, fits, places, forged: forged.files, kinds: forged.kinds }
}
