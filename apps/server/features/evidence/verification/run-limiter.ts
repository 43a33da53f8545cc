/**
 * Verification reads whole chains, so a caller that repeats it could keep the database busy. Concurrent requests for
 * the same verification share one scan, and at most two scans run at a time.
 */
import { semaphore } from '../../../concurrency/semaphore.ts'

const maxRuns = 2

export type InTurn = <T>(key: string, run: () => Promise<T>) => Promise<T>

export function inTurn(): InTurn {
  const running = new Map<string, Promise<unknown>>()
  const runs = semaphore(maxRuns)
  return <T>(key: string, run: () => Promise<T>): Promise<T> => {
    const shared = running.get(key) as Promise<T> | undefined
    if (shared) return shared
    const own = runs.run(run).finally(() => running.delete(key))
    running.set(key, own)
    return own
  }
}
