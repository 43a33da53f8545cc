/**
 * A process is ready when it can write the directory, its clock agrees with that of the directory, and it was not asked to
 * stop. Cells are not part of it: a cell that is away concerns its own centers, and every other process would say the same.
 */
import { within } from '../concurrency/within.ts'
import type { ClockWatch } from '../data/clock-watch.ts'
import type { Directory } from '../data/directory.ts'
import { standbyAway } from '../data/write-health.ts'
import { nowMs } from '../lib/clock.ts'
import { Problem, storageFull, unavailable } from '../lib/problem.ts'

const pingMs = 500
const keptMs = 1000

/** Throws unless the process is ready. */
export type CheckReady = () => Promise<void>

/** Load balancers ask every second: one query of the directory serves all of them. */
export function readiness(
  directory: Pick<Directory, 'ping' | 'writeFault' | 'commit'>,
  clock: Pick<ClockWatch, 'require'>,
  draining: () => boolean,
): CheckReady {
  let checkedAt = Number.NEGATIVE_INFINITY
  let check: Promise<void> = Promise.resolve()
  let committing = false

  /** A commit that hangs holds a connection, so there is one at a time. */
  async function tryCommit(): Promise<void> {
    if (committing) return
    committing = true
    // A commit that succeeds ends the fault.
    await directory
      .commit()
      .catch(() => {})
      .finally(() => {
        committing = false
      })
  }

  async function look(): Promise<void> {
    await within(pingMs, directory.ping())
    if (directory.writeFault() === 'standby') await within(pingMs, tryCommit()).catch(() => {})
    const fault = directory.writeFault()
    if (fault) throw fault === 'disk' ? storageFull() : unavailable(standbyAway)
  }

  return async () => {
    if (draining()) throw unavailable('This server is shutting down')
    clock.require()
    if (nowMs() - checkedAt > keptMs) {
      checkedAt = nowMs()
      check = look()
      check.catch(() => {})
    }
    await check.catch((error: unknown) => {
      throw error instanceof Problem ? error : unavailable("Part of the service isn't responding", error)
    })
  }
}
