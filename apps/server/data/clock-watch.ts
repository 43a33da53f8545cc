/**
 * The clock of this process against that of the directory, measured while it runs. Processes agree about times only through that
 * clock: one that is far off would seal at wrong times, and others would refuse its tokens.
 */
import type { Logger } from 'pino'
import { type Loop, loop } from '../concurrency/loop.ts'
import { nowMs } from '../lib/clock.ts'
import { unavailable } from '../lib/problem.ts'
import type { Directory } from './directory.ts'

const everyMs = 10_000
/** Beyond this a process changes nothing. Half of what the verification of tokens forgives. */
export const mostSkewMs = 30_000

export interface ClockWatch extends Loop {
  /** One measurement. */
  look(): Promise<void>
  /** In milliseconds, positive where this process is ahead; null before the first measurement. */
  skewMs(): number | null
  /** Throws where the difference is too large to change anything. */
  require(): void
}

/** The database read its clock between two instants of ours: what lies between them is no difference. */
export function skewOf(before: number, database: number, after: number): number {
  if (before > database) return before - database
  return after < database ? after - database : 0
}

export function clockWatch(directory: Pick<Directory, 'clockMs'>, log: Logger): ClockWatch {
  let skew: number | null = null
  const isFar = (): boolean => skew !== null && Math.abs(skew) > mostSkewMs

  async function look(): Promise<void> {
    const before = nowMs()
    const database = await directory.clockMs()
    const [wasFar, found] = [isFar(), Math.round(skewOf(before, database, nowMs()))]
    skew = found
    if (isFar() && !wasFar)
      log.error({ skewMs: found }, "this process's clock differs too much from the database's, so it makes no changes")
  }
  const failure = "couldn't read the directory's clock"
  return {
    ...loop({ everyMs, turn: look, log, failure }),
    look,
    skewMs: () => skew,
    require() {
      if (!isFar()) return
      const seconds = Math.round(Math.abs(skew ?? 0) / 1000)
      throw unavailable(`This server's clock is off by ${seconds} seconds`)
    },
  }
}
