/** The state of each periodic job of a cell, from the rows that the job engine keeps for a week. */
import { CronExpressionParser } from 'cron-parser'
import type { Kysely } from 'kysely'
import { now } from '../lib/clock.ts'
import { type PeriodicRow, periodicJobs } from './queries.ts'

/** A run may begin this late and take this long before the job counts as late. */
const allowanceMs = 5 * 60_000

const inUtc = (cron: string, at: number) => CronExpressionParser.parse(cron, { currentDate: new Date(at), tz: 'UTC' })

/** Exported for its test. */
export function standingOf(row: PeriodicRow, at: Date) {
  const { name, cron, scheduled_at, succeeded_at, failed_at, error, failures, running } = row
  const due = inUtc(cron, at.getTime() - allowanceMs)
    .prev()
    .getTime()
  // No run was due before the schedule existed.
  const since = Math.max(succeeded_at?.getTime() ?? 0, scheduled_at.getTime())
  return {
    name,
    schedule: cron,
    running,
    lastSuccessAt: succeeded_at?.toISOString() ?? null,
    lastFailureAt: failed_at?.toISOString() ?? null,
    lastError: error,
    failures,
    nextAt: inUtc(cron, at.getTime()).next().toDate().toISOString(),
    late: !running && since < due,
  }
}

export const readJobs = async (db: Kysely<never>) => (await periodicJobs(db)).map((row) => standingOf(row, now()))
