/** The step that reads the center's appointments and decisions, as data says, and counts them. */
import type { TenantTx } from '../data/cells.ts'
import type { StepContext } from '../features/automation/workflows/api.ts'
import { uuidOf } from '../lib/ids.ts'
import { countedRows } from './counted-rows.ts'
import { addDays, asOf, before, chosenPeriod, lastDays, localDay, localToday, type Period, periodOf } from './period.ts'
import * as queries from './queries.ts'
import type { SentenceFacts } from './sentences.ts'

/** A period, the same number of days right before it, or days counted from today, which is 0, until a day or now. */
type Span = 'period' | 'before' | readonly [firstDay: number, lastDay: number | 'now']
type Read =
  | { readonly sessions: Span; readonly of?: 'client of the booking' }
  | { readonly attendance: Span }
  /** A tag, or the name of the parameter that holds it. */
  | { readonly tagged: string; readonly during: Span }
  /** Drafts from before the period that are still DRAFT. */
  | 'unreviewed drafts'
export type Reads = Readonly<Record<string, Read>>

type RowsOf<R extends Reads> = {
  readonly [name in keyof R]: R[name] extends { readonly sessions: Span }
    ? queries.BookedSessionRow[]
    : R[name] extends { readonly attendance: Span }
      ? queries.AttendanceFound[]
      : R[name] extends { readonly tagged: string }
        ? queries.DecisionFound[]
        : queries.DraftFound[]
}

export interface Counting<P> {
  readonly parameters: P
  readonly period: Period
  /** The same number of days right before the period. */
  readonly before: Period
  readonly at: Date
  readonly today: string
  readonly localDay: (instant: Date) => string
  readonly event: StepContext['event']
  readonly booking: queries.BookingFound | null
}

export interface Collecting<P, R extends Reads, C> {
  /** What the draft is about: days until yesterday, days before a booking, or chosen days. A string names a parameter. */
  readonly period:
    | { readonly days: number | string }
    | { readonly daysBeforeBooking: number }
    | { readonly from: string; readonly to: string; readonly mostDays: number }
  readonly reads: R
  /** From rows to facts. They are stored, so lists of rows need a limit. */
  readonly count: (rows: RowsOf<R>, counting: Counting<P>) => C
}

export const collect = <P, R extends Reads, C extends SentenceFacts>(context: StepContext, data: Collecting<P, R, C>) =>
  context.read(async (tx) => {
    const booking = 'daysBeforeBooking' in data.period ? await bookingFor(tx, context) : null
    const period = periodFor(context, data.period, booking)
    const rows: Record<string, unknown> = {}
    const counted = { sessions: [] as queries.BookedSessionRow[], attendance: [] as queries.AttendanceFound[] }
    for (const [name, read] of Object.entries<Read>(data.reads)) {
      const found = await rowsFor(tx, context, read, { period, booking })
      rows[name] = found
      if (typeof read === 'string') continue
      if ('sessions' in read) counted.sessions.push(...(found as queries.BookedSessionRow[]))
      if ('attendance' in read) counted.attendance.push(...(found as queries.AttendanceFound[]))
    }
    const counting: Counting<P> = {
      parameters: context.parameters as P,
      period,
      before: before(context.center.timezone, period),
      at: asOf(context),
      today: localToday(context),
      localDay: (instant) => localDay(context, instant),
      event: context.event,
      booking,
    }
    const shown = countedRows(counted.sessions, counted.attendance, period)
    return { period, ...(shown && { counted: shown }), ...data.count(rows as RowsOf<R>, counting) }
  })

/** The booking that the event names; where a person started the execution, the newest one. */
async function bookingFor(tx: TenantTx, { event }: StepContext): Promise<queries.BookingFound | null> {
  const named = event?.data.bookingId
  const id = typeof named === 'string' ? (uuidOf('booking', named) ?? named) : null
  return (await queries.findBooking(tx, id)) ?? null
}

type CountedPeriod = Pick<Counting<unknown>, 'period' | 'booking'>

function periodFor(
  context: StepContext,
  data: Collecting<unknown, Reads, SentenceFacts>['period'],
  booking: CountedPeriod['booking'],
) {
  const given = (name: string) => context.parameters[name]
  if ('from' in data) return chosenPeriod(context, given(data.from) as string, given(data.to) as string, data.mostDays)
  if ('days' in data) return lastDays(context, (typeof data.days === 'string' ? given(data.days) : data.days) as number)
  if (!booking) return lastDays(context, data.daysBeforeBooking)
  const day = localDay(context, booking.startsAt)
  return periodOf(context.center.timezone, addDays(day, -data.daysBeforeBooking), addDays(day, -1))
}

async function rowsFor(tx: TenantTx, context: StepContext, read: Read, { period, booking }: CountedPeriod) {
  if (read === 'unreviewed drafts') return queries.unreviewedBefore(tx, new Date(period.from))
  if ('tagged' in read) {
    const tag = (context.parameters[read.tagged] ?? read.tagged) as string
    return queries.decisionsTagged(tx, tag, ...instantsOf(context, read.during, period))
  }
  if ('attendance' in read) return queries.attendanceBetween(tx, ...instantsOf(context, read.attendance, period))
  if (read.of && !booking) return []
  const client = read.of && booking ? booking.client : null
  return queries.sessionsBetween(tx, ...instantsOf(context, read.sessions, period), client)
}

function instantsOf(context: StepContext, span: Span, period: Period): [Date, Date] {
  const { timezone } = context.center
  if (span === 'period') return [new Date(period.from), new Date(period.to)]
  if (span === 'before') return instantsOf(context, 'period', before(timezone, period))
  const [first, last] = span
  const day = (offset: number) => addDays(localToday(context), offset)
  const [from, to] = instantsOf(context, 'period', periodOf(timezone, day(first), day(last === 'now' ? 0 : last)))
  return [from, last === 'now' ? asOf(context) : to]
}
