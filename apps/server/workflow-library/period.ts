/** Spans of whole days in the center's time zone: a week ends at the center's midnight, not at that of UTC. Pure. */
import { type StepContext, StepFailure } from '../features/automation/workflows/api.ts'
import { instantOf, localDateOf } from '../lib/local-time.ts'

export type Period = {
  /** Instants; `to` is exclusive. */
  readonly from: string
  readonly to: string
  /** Local dates, both inclusive. */
  readonly firstDay: string
  readonly lastDay: string
}

const dayMs = 86_400_000

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

export const daysBetween = (firstDay: string, lastDay: string): number =>
  Math.round((Date.parse(`${lastDay}T00:00:00Z`) - Date.parse(`${firstDay}T00:00:00Z`)) / dayMs) + 1

export function periodOf(timezone: string, firstDay: string, lastDay: string): Period {
  const midnight = (date: string) => new Date(instantOf(timezone, date, '00:00')).toISOString()
  return { from: midnight(firstDay), to: midnight(addDays(lastDay, 1)), firstDay, lastDay }
}

/** When the execution was due or started. It does not move when a step runs again. */
export const asOf = ({ scheduledFor, startedAt }: Pick<StepContext, 'scheduledFor' | 'startedAt'>): Date =>
  scheduledFor ?? startedAt

type Moment = Pick<StepContext, 'scheduledFor' | 'startedAt' | 'center'>

export const localDay = ({ center }: Pick<StepContext, 'center'>, instant: Date): string =>
  localDateOf(center.timezone, instant.getTime())

export const localToday = (context: Moment): string => localDay(context, asOf(context))

/** This number of whole days, until last midnight. */
export function lastDays(context: Moment, days: number): Period {
  const today = localToday(context)
  return periodOf(context.center.timezone, addDays(today, -days), addDays(today, -1))
}

/** The period of the same number of days right before this one. */
export const before = (timezone: string, { firstDay, lastDay }: Period): Period =>
  periodOf(timezone, addDays(firstDay, -daysBetween(firstDay, lastDay)), addDays(firstDay, -1))

/** The period between two dates that a person chose. */
export function chosenPeriod(context: Moment, firstDay: string, lastDay: string, mostDays: number): Period {
  const days = daysBetween(firstDay, lastDay)
  if (days >= 1 && days <= mostDays) return periodOf(context.center.timezone, firstDay, lastDay)
  throw new StepFailure(`From ${firstDay} to ${lastDay} are ${days} days; it can be 1 to ${mostDays}.`, {
    retry: false,
  })
}

export const within = ({ from, to }: Period, instant: Date): boolean =>
  instant.getTime() >= Date.parse(from) && instant.getTime() < Date.parse(to)

/** Whole days from one instant to a later one. */
export const daysSince = (instant: Date, until: Date): number =>
  Math.floor((until.getTime() - instant.getTime()) / dayMs)
