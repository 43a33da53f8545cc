/**
 * Which logs a witness or the authority has to be asked about. A batch marks the heads that it extends with the number of
 * its transaction (`grown`), and a worker reads the marks since its last look: what did not grow costs nothing. The worker
 * keeps the logs that wait in memory. After a start, and every hour, it compares all heads with what was cosigned or
 * stamped: a worker that was killed, and a witness that was added, need nothing else.
 */
import type { Cell } from '../../../data/cells.ts'
import { nowMs } from '../../../lib/clock.ts'
import { grownSince, type LogName } from './publisher-queries.ts'

const compareEveryMs = 3_600_000
/** Of one comparison; the next one follows when these are done. */
const maxCompared = 10_000

/** A log that has grown since it was cosigned or stamped; null: due at once. */
export interface WaitingLog extends LogName {
  readonly due_at: Date | null
}

/** Those of these logs that wait; with null, of all logs of the cell. */
type Look<W extends WaitingLog> = (logs: readonly LogName[] | null, most: number) => Promise<readonly W[]>

export interface WaitingLogs {
  /** Null: the next call of `due` compares all logs. */
  add(logs: readonly LogName[] | null): void
  /** At most `most` logs that are due. They wait until a later look finds them done. */
  due<W extends WaitingLog>(look: Look<W>, most: number): Promise<readonly W[]>
}

export function waitingLogs(): WaitingLogs {
  const waiting = new Map<string, LogName & { readonly dueMs: number }>()
  let comparedAt = Number.NEGATIVE_INFINITY
  let more = false

  /** A log that waits already keeps its time. */
  function put({ center_id, domain }: LogName, dueMs = 0): void {
    const key = `${center_id} ${domain}`
    if (!waiting.has(key)) waiting.set(key, { center_id, domain, dueMs })
  }

  async function compare(look: Look<WaitingLog>): Promise<void> {
    const at = performance.now()
    if (at - comparedAt < compareEveryMs && !(more && waiting.size === 0)) return
    const found = await look(null, maxCompared)
    for (const each of found) put(each, each.due_at?.getTime())
    comparedAt = at
    more = found.length === maxCompared
  }

  /** Removed before the look: what grows during it is put in again. */
  function take(most: number): LogName[] {
    const taken: LogName[] = []
    for (const [key, each] of waiting) {
      if (taken.length === most) break
      if (each.dueMs > nowMs()) continue
      waiting.delete(key)
      taken.push(each)
    }
    return taken
  }

  return {
    add(logs) {
      if (logs === null) comparedAt = Number.NEGATIVE_INFINITY
      for (const each of logs ?? []) put(each)
    },
    async due(look, most) {
      await compare(look)
      const taken = take(most)
      if (taken.length === 0) return []
      // Another worker may have been first. A log may also have grown beyond what was shown: it waits until a check finds no more.
      const found = await look(taken, most).catch((error: unknown) => {
        for (const each of taken) put(each)
        throw error
      })
      for (const each of found) put(each, each.due_at?.getTime())
      return found.filter(({ due_at }) => due_at === null || due_at.getTime() <= nowMs())
    },
  }
}

/**
 * Each call returns the logs that grew since the call before. Null where there was none, or the database was restored,
 * which numbers transactions anew: then all heads have to be compared.
 */
export function growth(cell: Cell): () => Promise<readonly LogName[] | null> {
  let from: number | null = null
  /** The sizes of the heads with the newest marks, which every call reads again. */
  let known = new Map<string, number>()
  return async () => {
    const { horizon, heads } = await cell.asJobs((db) => grownSince(db, from))
    const follows = from !== null && horizon >= from
    const before = known
    known = new Map(heads.map(({ center_id, domain, next_index }) => [`${center_id} ${domain}`, next_index]))
    from = horizon
    if (!follows) return null
    return heads.filter(({ center_id, domain, next_index }) => before.get(`${center_id} ${domain}`) !== next_index)
  }
}
