/**
 * Asks each cell what changed in the centers that streams of this process follow: one statement for all of them, twice a
 * second, and none without streams. Every turn asks again for the last `windowMs`, because a transaction may commit after
 * one with later ids; a change that was seen before is not told again. Where a turn could have missed something, because
 * the cell was away or too much changed, its centers are told to reload.
 */
import type { Logger } from 'pino'
import { type Loop, loop } from '../../../concurrency/loop.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import { nowMs } from '../../../lib/clock.ts'
import { type Change, changeOf } from './kinds.ts'
import { recentChanges } from './queries.ts'

const everyMs = 500
/** Longer than any transaction lives, with the difference of clocks between processes. */
export const windowMs = 20_000
/** Of each source and center in the window. If there may be more, streams are also told to reload. */
const maxRows = 200
/** A center in which much changes reloads this often. */
const reloadMs = 10_000

export interface Follower {
  /** All later changes will be announced. */
  following(): void
  changed(changes: readonly Change[]): void
  /** Anything may have changed. */
  missed(): void
}

export interface Watcher {
  /** Returns how to stop. */
  follow(cell: string, centerId: number, follower: Follower): () => void
  stop(): Promise<void>
}

export function changeWatcher({ cells, log }: { readonly cells: Cells; readonly log: Logger }): Watcher {
  const watches = new Map<string, ReturnType<typeof watchCell>>()
  return {
    follow(cell, centerId, follower) {
      let watch = watches.get(cell)
      if (!watch) {
        watch = watchCell(cells.of(cell), log)
        watches.set(cell, watch)
      }
      return watch.follow(centerId, follower)
    },
    async stop() {
      await Promise.all([...watches.values()].map((watch) => watch.stop()))
    },
  }
}

interface Followed {
  readonly followers: Set<Follower>
  /** Those who wait for the first turn that sees their center. */
  readonly arriving: Set<Follower>
  /** The marks of the window, and when each was first seen; null before the first turn. */
  seen: Map<string, number> | null
  /** A turn may have missed changes, and followers have not been told to reload since. */
  mayHaveMissed: boolean
  reloadedAt: number
}

const newlyFollowed = (): Followed => ({
  followers: new Set(),
  arriving: new Set(),
  seen: null,
  mayHaveMissed: false,
  reloadedAt: 0,
})

function watchCell(cell: Cell, log: Logger) {
  const centers = new Map<number, Followed>()
  let askedAt = 0

  function tell(followed: Followed, rows: readonly { mark: string; change: Change | null }[], at: number): void {
    const before = followed.seen
    const seen = new Map(before ?? [])
    const fresh = rows.filter(({ mark }) => !seen.has(mark))
    for (const { mark } of fresh) seen.set(mark, at)
    for (const [mark, since] of seen) if (at - since > 2 * windowMs) seen.delete(mark)
    followed.seen = seen
    // Each source gives its newest rows only, and a late commit may be among the others.
    followed.mayHaveMissed ||= before !== null && rows.length >= maxRows
    const changes = before === null ? [] : distinct(fresh.flatMap(({ change }) => change ?? []))
    if (changes.length > 0 && changes.length < maxRows) for (const each of followed.followers) each.changed(changes)
    if (followed.mayHaveMissed && at - followed.reloadedAt > reloadMs) {
      followed.mayHaveMissed = false
      followed.reloadedAt = at
      for (const each of followed.followers) each.missed()
    }
    for (const each of followed.arriving) {
      followed.followers.add(each)
      each.following()
    }
    followed.arriving.clear()
  }

  async function turn(): Promise<void> {
    if (centers.size === 0) return
    const at = nowMs()
    // Whoever arrives during the statement waits for the next one.
    const asked = new Map([...centers].map(([id, followed]) => [id, new Set(followed.arriving)]))
    const rows = await recentChanges(cell, [...asked.keys()], at - windowMs, maxRows)
    const gap = askedAt > 0 && at - askedAt > windowMs / 2
    askedAt = at
    const byCenter = Map.groupBy(rows, ({ center_id }) => center_id)
    for (const [id, arrived] of asked) {
      const followed = centers.get(id)
      if (!followed) continue
      const late = [...followed.arriving].filter((each) => !arrived.has(each))
      for (const each of late) followed.arriving.delete(each)
      if (gap) Object.assign(followed, { mayHaveMissed: true, reloadedAt: 0 })
      tell(
        followed,
        (byCenter.get(id) ?? []).map((row) => ({ mark: row.mark, change: changeOf(row) })),
        at,
      )
      for (const each of late) followed.arriving.add(each)
    }
  }

  const failure = 'changes of a cell are not read; event streams of its centers reload when they are'
  const asking: Loop = loop({ everyMs, turn, log, failure, fields: { cell: cell.name } })

  return {
    follow(centerId: number, follower: Follower) {
      const followed = centers.get(centerId) ?? newlyFollowed()
      if (centers.size === 0) askedAt = 0
      centers.set(centerId, followed)
      followed.arriving.add(follower)
      asking.start()
      asking.wake()
      return () => {
        followed.followers.delete(follower)
        followed.arriving.delete(follower)
        const unused = followed.followers.size + followed.arriving.size === 0
        if (unused && centers.get(centerId) === followed) centers.delete(centerId)
      }
    },
    stop: () => asking.stop(),
  }
}

const distinct = (changes: readonly Change[]): Change[] => [
  ...new Map(changes.map((change) => [`${change.kind} ${change.id}`, change])).values(),
]
