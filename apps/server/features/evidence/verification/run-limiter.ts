/**
 * Verification reads whole chains, so a caller that repeats it could keep the database busy. Concurrent requests for
 * the same verification share one scan. A process runs at most two scans at a time, at most one of a center, and
 * centers take turns.
 */
import { turns } from '../../../concurrency/turns.ts'
import { Problem } from '../../../lib/problem.ts'

const maxRuns = 2
const maxWaitingPerCenter = 16

const tooMany = () =>
  new Problem(
    'RATE_LIMITED',
    'Too many verifications are waiting in this center. Try again when one of them has finished.',
    { details: { reason: 'verifications' }, retryAfter: 5 },
  )

/** `name` tells the verifications of one center apart. */
export type InTurn = <T>(centerId: number, name: string, run: () => Promise<T>) => Promise<T>

export function inTurn(): InTurn {
  const running = new Map<string, Promise<unknown>>()
  const runs = turns({ total: maxRuns, perKey: 1 })
  return <T>(centerId: number, name: string, run: () => Promise<T>): Promise<T> => {
    const [center, key] = [String(centerId), `${centerId} ${name}`]
    const shared = running.get(key) as Promise<T> | undefined
    if (shared) return shared
    if (runs.waiting(center) >= maxWaitingPerCenter) return Promise.reject(tooMany())
    const own = runs.run(center, run).finally(() => running.delete(key))
    running.set(key, own)
    return own
  }
}
