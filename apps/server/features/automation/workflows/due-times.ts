/**
 * When a schedule is due. Its times are times on the wall of the center: one that clocks skip is due at the moment of the
 * jump, one that they repeat is due the first time, so each is due once. Pure.
 */
import { CronExpressionParser } from 'cron-parser'
import { instantOf, wallTimeOf } from '../../../lib/local-time.ts'

export interface Schedule {
  readonly cron: string
  readonly timezone: string
}

/** Clocks go back by an hour; nowhere, in our time, by more than this. */
const furthestBackMs = 3 * 3_600_000

/** The wall is read as if it were UTC, where no clock jumps: what jumps do is decided here, not by the library. */
const onTheWall = (cron: string, wall: number) =>
  CronExpressionParser.parse(cron, { currentDate: new Date(wall), tz: 'UTC' })

const dueAt = (timezone: string, wall: number): number => {
  const text = new Date(wall).toISOString()
  return instantOf(timezone, text.slice(0, 10), text.slice(11, 16))
}

/** The first due time after this instant: what the wall shows now and earlier is due now or was. */
export function dueAfter({ cron, timezone }: Schedule, after: Date): Date {
  const walls = onTheWall(cron, wallTimeOf(timezone, after.getTime()))
  for (;;) {
    const due = dueAt(timezone, walls.next().getTime())
    if (due > after.getTime()) return new Date(due)
  }
}

/** The last due time that is not after this instant, though the wall may show an hour now that it has shown before. */
export function dueBy({ cron, timezone }: Schedule, by: Date): Date {
  const walls = onTheWall(cron, wallTimeOf(timezone, by.getTime()) + furthestBackMs)
  for (;;) {
    const due = dueAt(timezone, walls.prev().getTime())
    if (due <= by.getTime()) return new Date(due)
  }
}

/** Five fields that the library reads; throws what is wrong with it. */
export function checkCron(cron: string): void {
  if (cron.trim().split(/\s+/).length !== 5) throw new Error(`"${cron}" has not five fields`)
  CronExpressionParser.parse(cron, { tz: 'UTC' })
}
