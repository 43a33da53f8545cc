/** `lastUsedAt` of keys, written at most once a minute per key, together, and never while a request waits. */
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Caller, Directory } from '../data/directory.ts'
import { now, nowMs } from '../lib/clock.ts'
import { touchKeys } from './queries.ts'

const touchEveryMs = 60_000
/** If many keys are used now and then, one transaction writes all uses of this period. */
const collectMs = 2000

const caller: Caller = { requestId: 'last-used', actorId: null, centerId: 0 }

export function lastUsed(directory: Directory, log: Logger) {
  const written = new LRUCache<string, number>({ max: 50_000 })
  let pending = new Map<string, Date>()
  async function flush(): Promise<void> {
    const batch = pending
    pending = new Map()
    if (batch.size === 0) return
    await directory
      .identity(caller, (tx) => touchKeys(tx, batch))
      .catch((error: unknown) => log.warn({ err: error }, 'last use of API keys was not written'))
  }
  return {
    note(keyId: string): void {
      const at = nowMs()
      if (at - (written.get(keyId) ?? Number.NEGATIVE_INFINITY) < touchEveryMs) return
      written.set(keyId, at)
      if (pending.size === 0) setTimeout(() => void flush(), collectMs).unref()
      pending.set(keyId, now())
    },
    flush,
  }
}
