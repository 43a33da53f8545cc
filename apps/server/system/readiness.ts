/**
 * A process is ready when it can write the directory and was not asked to stop. Cells are not part of it: a cell that is
 * away concerns its own centers, and every other process would say the same.
 */
import { within } from '../concurrency/within.ts'
import type { Directory } from '../data/directory.ts'
import { nowMs } from '../lib/clock.ts'
import { Problem, unavailable } from '../lib/problem.ts'

const pingMs = 500
const keptMs = 1000

/** Throws unless the process is ready. */
export type CheckReady = () => Promise<void>

/** Load balancers ask every second: one query of the directory serves all of them. */
export function readiness(directory: Pick<Directory, 'ping'>, draining: () => boolean): CheckReady {
  let checkedAt = Number.NEGATIVE_INFINITY
  let check: Promise<void> = Promise.resolve()
  return async () => {
    if (draining()) throw unavailable('This server is shutting down.')
    if (nowMs() - checkedAt > keptMs) {
      checkedAt = nowMs()
      check = within(pingMs, directory.ping())
      check.catch(() => {})
    }
    await check.catch((error: unknown) => {
      throw error instanceof Problem ? error : unavailable('The directory does not answer.', error)
    })
  }
}
