/** Chains that another transaction holds: which process holds them is logged, counted and shown as a metric. */
import type { Logger } from 'pino'
import type { Submission } from '../concurrency/group-commit.ts'
import type { Cell } from '../data/cells.ts'
import { faultWords } from '../data/write-health.ts'
import { unavailable } from '../lib/problem.ts'
import { type HeadsLocked, headHolders } from './queries.ts'

/** As long as a statement waits for any other lock. */
const waitMs = 3000
const logEveryMs = 1000

export interface LockedChain {
  readonly centerId: number
  readonly domain: string
  /** The process of the database that holds it; null where it has ended meanwhile. */
  readonly pid: number | null
  readonly since: number
}

export interface LockedChains {
  /** Refuses the items that have waited too long, and returns the others. */
  report<In, Out>(batch: readonly Submission<In, Out>[], error: HeadsLocked): Promise<readonly Submission<In, Out>[]>
  /** A batch has locked the heads that these items wanted. */
  clear(items: Iterable<{ readonly centerId: number }>): void
  now(): readonly LockedChain[]
}

export function lockedChains(cell: Cell, log: Logger): LockedChains {
  const chains = new Map<number, LockedChain>()
  let loggedAt = Number.NEGATIVE_INFINITY

  /** A batch that waits is of one center. Returns whether the one who holds its chain waits for a standby. */
  async function note({ heads }: HeadsLocked): Promise<boolean> {
    const holders = await headHolders(cell, heads).catch(() => [])
    const { center_id: centerId, domain, pid = null } = { pid: undefined, ...heads[0], ...holders[0] }
    const awaitsStandby = holders.some(({ awaits_standby }) => awaits_standby)
    if (centerId === undefined || domain === undefined) return awaitsStandby
    const since = chains.get(centerId)?.since ?? performance.now()
    chains.set(centerId, { centerId, domain, pid, since })
    if (performance.now() - loggedAt < logEveryMs) return awaitsStandby
    loggedAt = performance.now()
    const seconds = Math.round((loggedAt - since) / 1000)
    const what = awaitsStandby
      ? 'a commit waits for the synchronous standby; its center waits'
      : 'another transaction holds a chain; its center waits'
    log.warn({ cell: cell.name, centerId, domain, pid, seconds }, what)
    return awaitsStandby
  }

  return {
    async report(batch, error) {
      const why = (await note(error)) ? faultWords.standby : 'Another transaction holds the chain of this center.'
      return batch.filter((item) => {
        if (performance.now() - item.since < waitMs) return true
        item.reject(unavailable(why, error.cause))
        return false
      })
    },
    clear(items) {
      if (chains.size > 0) for (const { centerId } of items) chains.delete(centerId)
    },
    now: () => [...chains.values()],
  }
}
