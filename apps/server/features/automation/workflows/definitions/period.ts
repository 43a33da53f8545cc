/** Spans of whole local days, so that a week has the lessons of its Sunday wherever the center is. Pure. */
import { instantOf, localDateOf } from '../../../../lib/local-time.ts'
import { type StepContext, StepFailure } from '../definition.ts'

export type Period = {
  /** Instants, the second one outside. */
  readonly from: string
  readonly to: string
  /** Local dates, both inside. */
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

/** The time that a run is about: when it was due or was started. It does not move when a step runs again. */
export const asOf = ({ scheduledFor, startedAt }: Pick<StepContext, 'scheduledFor' | 'startedAt'>): Date =>
  scheduledFor ?? startedAt

type Moment = Pick<StepContext, 'scheduledFor' | 'startedAt' | 'center'>

export const localDay = ({ center }: Pick<StepContext, 'center'>, instant: Date): string =>
  localDateOf(center.timezone, instant.getTime())

export const localToday = (context: Moment): string => localDay(context, asOf(context))

/** So many whole days until last midnight. */
export function lastDays(context: Moment, days: number): Period {
  const today = localToday(context)
  return periodOf(context.center.timezone, addDays(today, -days), addDays(today, -1))
}

/** Of the same length, right before it. */
export const before = (timezone: string, { firstDay, lastDay }: Period): Period =>
  periodOf(timezone, addDays(firstDay, -daysBetween(firstDay, lastDay)), addDays(firstDay, -1))

/** What a person has asked for by two dates. */
export function chosenPeriod(context: Moment, firstDay: string, lastDay: string, mostDays: number): Period {
  const days = daysBetween(firstDay, lastDay)
  if (days >= 1 && days <= mostDays) return periodOf(context.center.timezone, firstDay, lastDay)
  throw new StepFailure(`From ${firstDay} to ${lastDay} are ${days} days; it can be 1 to ${mostDays}.`, {
    retry: false,
  })
}

export const within = ({ from, to }: Period, instant: Date): boolean =>
  instant.getTime() >= Date.parse(from) && instant.getTime() < Date.parse(to)

export const spanOf = ({ from, to }: Period): [Date, Date] => [new Date(from), new Date(to)]

/** Whole days from one instant to a later one. */
export const daysSince = (instant: Date, until: Date): number =>
  Math.floor((until.getTime() - instant.getTime()) / dayMs)
