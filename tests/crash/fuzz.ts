/** Valid and mutated requests from the contract, against a server in a separate process; see tests/fuzz. */
import { say } from '../bench/place.ts'
import { runFuzz } from '../fuzz/requests.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

export async function chaosFuzz({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  // fast-check takes signed 32-bit seeds.
  const { requests, byStatus, failure } = await runFuzz({ count: rounds, seed: seed | 0 })
  if (failure) say(failure)
  return { rounds, violations: failure === null ? 0 : 1, requests, byStatus }
}
