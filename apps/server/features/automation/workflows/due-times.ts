/**
 * When a schedule is due, in the local time of the center. A local time that a clock change skips is due at the change;
 * one that it repeats is due the first time. So each is due once. Pure.
 */
import { createHash } from 'node:crypto'
import { CronExpressionParser } from 'cron-parser'
import { instantOf, wallTimeOf } from '../../../lib/local-time.ts'

export interface Schedule {
  readonly cron: string
  readonly timezone: string
}

/** More than any present time zone sets its clock back. */
const furthestBackMs = 3 * 3_600_000

/** The library reads local time as UTC, which has no clock changes: they are handled here. */
const inLocalTime = (cron: string, local: number) =>
  CronExpressionParser.parse(cron, { currentDate: new Date(local), tz: 'UTC' })

const dueAt = (timezone: string, local: number): number => {
  const text = new Date(local).toISOString()
  return instantOf(timezone, text.slice(0, 10), text.slice(11, 16))
}

/** The first due time after this instant. */
export function dueAfter({ cron, timezone }: Schedule, after: Date): Date {
  const localTimes = inLocalTime(cron, wallTimeOf(timezone, after.getTime()))
  for (;;) {
    const due = dueAt(timezone, localTimes.next().getTime())
    if (due > after.getTime()) return new Date(due)
  }
}

/** The delay within `windowMs` after its due time with which a center starts a workflow: the same every time. */
export function delayOf(centerId: number, key: string, windowMs: number): number {
  const digest = createHash('sha256').update(`${centerId} ${key}`).digest()
  return Math.floor((digest.readUInt32BE() / 2 ** 32) * windowMs)
}

/** The last due time up to this instant. It searches back from a later local time, because the present one may be a repeated hour. */
export function dueBy({ cron, timezone }: Schedule, by: Date): Date {
  const localTimes = inLocalTime(cron, wallTimeOf(timezone, by.getTime()) + furthestBackMs)
  for (;;) {
    const due = dueAt(timezone, localTimes.prev().getTime())
    if (due <= by.getTime()) return new Date(due)
  }
}

const leastMs = 3_600_000

/** Whether some due times are less than an hour apart. Cron repeats within a year, and gaps of minutes within a day. */
export function isTooOften(cron: string): boolean {
  const times = CronExpressionParser.parse(cron, { currentDate: new Date(Date.UTC(2024, 0, 1)), tz: 'UTC' })
  let before = Number.NEGATIVE_INFINITY
  for (let count = 0; count < 50; count++) {
    const at = times.next().getTime()
    if (at - before < leastMs) return true
    before = at
  }
  return false
}

/** Throws unless the text is a cron expression of five fields. */
export function checkCron(cron: string): void {
  if (cron.trim().split(/\s+/).length !== 5) throw new Error(`"${cron}" does not have five fields`)
  CronExpressionParser.parse(cron, { tz: 'UTC' })
}
