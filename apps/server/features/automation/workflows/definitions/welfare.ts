/** Welfare: cases that wait for somebody, and what is known before a visit. */
import { closed } from '@countersign/contract/common.ts'
import { Type } from 'typebox'
import { typedId, uuidOf } from '../../../../lib/ids.ts'
import type { Definition } from '../definition.ts'
import { decisionsTagged, findBooking, sessionsBetween, unreviewedBefore } from '../definition-queries.ts'
import { draft, inLanguage } from './draft.ts'
import { change, label, mostKept } from './figures.ts'
import { addDays, asOf, before, daysSince, lastDays, localDay, type Period, periodOf, spanOf } from './period.ts'
import { found, step, wordingOf, wordingStep } from './steps.ts'
import { caseWords, visitWords } from './welfare-words.ts'

export type OpenCase = {
  readonly id: string
  readonly action: string
  readonly days: number
  readonly risk: number | null
}
export type Cases = {
  readonly period: Period
  readonly open: OpenCase[]
  readonly openInAll: number
  readonly decided: number
  readonly newCases: number
  readonly newCasesBefore: number
  readonly unreviewed: number
}
export type CaseCheck = {
  readonly overdue: OpenCase[]
  readonly risky: OpenCase[]
  readonly oldestDays: number
  readonly medianDays: number
}

const quarter = 90
const isRisky = ({ risk }: OpenCase): boolean => risk !== null && risk >= 0.7

export function caseCheckOf(open: readonly OpenCase[], overdueDays: number): CaseCheck {
  const ages = open.map(({ days }) => days).sort((a, b) => a - b)
  const byAge = (a: OpenCase, b: OpenCase) => b.days - a.days
  return {
    overdue: open.filter(({ days }) => days >= overdueDays).sort(byAge),
    risky: open.filter((each) => each.days < overdueDays && isRisky(each)).sort(byAge),
    oldestDays: ages.at(-1) ?? 0,
    medianDays: ages[Math.floor(ages.length / 2)] ?? 0,
  }
}

const caseCheck: Definition = {
  key: 'welfare.case-check',
  name: 'Case check',
  description: 'Lists cases that have waited too long or are of high risk, and counts drafts that nobody has reviewed.',
  vertical: 'welfare',
  type: 'SCHEDULED',
  schedule: { cron: '30 7 * * 1' },
  alone: true,
  parameters: Type.Object(
    {
      tag: Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'case',
        description: 'What decisions on cases are tagged',
      }),
      overdueDays: Type.Integer({ minimum: 1, maximum: 90, default: 14, description: 'Open for so long is too long' }),
    },
    closed,
  ),
  steps: [
    step('collect-cases', async (context): Promise<Cases> => {
      const period = lastDays(context, 7)
      const [from] = spanOf(lastDays(context, quarter))
      const at = asOf(context)
      const [all, drafts] = await context.read(async (tx) => [
        await decisionsTagged(tx, context.parameters.tag as string, from, at),
        await unreviewedBefore(tx, new Date(period.from)),
      ])
      const during = (span: Period) =>
        all.filter(({ occurredAt }) => occurredAt >= new Date(span.from) && occurredAt < new Date(span.to))
      const isOpen = ({ status }: { status: string }) => status === 'recorded' || status === 'approved'
      const open = all.filter(isOpen).map(({ id, action, occurredAt, riskScore }) => ({
        id: typedId('decisionEvent', id),
        action: action.slice(0, 100),
        days: daysSince(occurredAt, at),
        risk: riskScore,
      }))
      const fresh = during(period)
      return {
        period,
        // The risky before the old: whatever is left out is neither.
        open: open.sort((a, b) => Number(isRisky(b)) - Number(isRisky(a)) || b.days - a.days).slice(0, mostKept),
        openInAll: open.length,
        decided: fresh.filter((each) => !isOpen(each)).length,
        newCases: fresh.length,
        newCasesBefore: during(before(context.center.timezone, period)).length,
        unreviewed: drafts.length,
      }
    }),
    step(
      'weigh-cases',
      (context): CaseCheck =>
        caseCheckOf(found<Cases>(context, 'collect-cases').open, context.parameters.overdueDays as number),
    ),
    step('draft-check', (context) => {
      const cases = found<Cases>(context, 'collect-cases')
      const check = found<CaseCheck>(context, 'weigh-cases')
      const words = inLanguage(context.center, caseWords)
      const { overdue, risky, ...figures } = check
      return draft(context.center, {
        title: words.title,
        period: cases.period,
        basis: words.basis(cases, check, context.parameters.tag as string),
        findings: [...risky.map(words.risky), ...overdue.map(words.overdue)],
        decide: words.decide,
        tags: ['case-check', 'weekly'],
        figures: {
          ...figures,
          open: cases.openInAll,
          overdue: overdue.length,
          risky: risky.length,
          unreviewed: cases.unreviewed,
        },
      })
    }),
  ],
}

type Visit = {
  readonly period: Period
  readonly visit: { readonly resident: string; readonly day: string } | null
  readonly days: string[]
  readonly workers: number
}
export type Rhythm = {
  readonly resident: string
  readonly day: string
  readonly visitsBefore: number
  readonly visitsInQuarterBefore: number
  readonly changePercent: number | null
  readonly daysSinceLast: number | null
  readonly longestGapDays: number | null
  readonly workers: number
} | null

const dayGap = (from: string, to: string): number =>
  daysSince(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`))

/** `days` are those of the visits before this one, in order, over two quarters. */
export function rhythmOf({ visit, days, period, workers }: Visit): Rhythm {
  if (!visit) return null
  const recent = days.filter((day) => day >= addDays(period.lastDay, 1 - quarter))
  const last = days.at(-1)
  const gaps = days.slice(1).map((day, index) => dayGap(days[index] as string, day))
  return {
    ...visit,
    visitsBefore: recent.length,
    visitsInQuarterBefore: days.length - recent.length,
    changePercent: change(recent.length, days.length - recent.length),
    daysSinceLast: last === undefined ? null : dayGap(last, visit.day),
    longestGapDays: gaps.length === 0 ? null : Math.max(...gaps),
    workers,
  }
}

const visitBrief: Definition = {
  key: 'welfare.visit-brief',
  name: 'Before the visit',
  description:
    'When a visit is booked: how often this resident was visited, and how long ago. By hand, for the newest booking.',
  vertical: 'welfare',
  type: 'EVENT',
  event: 'booking.created',
  alone: false,
  parameters: Type.Object({}, closed),
  steps: [
    step('collect-visits', async (context): Promise<Visit> => {
      const named = context.event?.data.bookingId
      const id = typeof named === 'string' ? (uuidOf('booking', named) ?? named) : null
      const booking = await context.read((tx) => findBooking(tx, id))
      if (!booking) return { period: lastDays(context, 2 * quarter), visit: null, days: [], workers: 0 }
      const day = localDay(context, booking.startsAt)
      const period = periodOf(context.center.timezone, addDays(day, -2 * quarter), addDays(day, -1))
      const visits = await context.read((tx) => sessionsBetween(tx, ...spanOf(period), booking.client))
      const days = visits.map(({ startsAt }) => localDay(context, startsAt))
      const workers = new Set(visits.map(({ instructor }) => instructor)).size
      return { period, visit: { resident: label(booking.client), day }, days, workers }
    }),
    step('weigh-rhythm', (context) => ({ rhythm: rhythmOf(found<Visit>(context, 'collect-visits')) })),
    wordingStep(
      'summarize-visits',
      'In at most three sentences, tell a case worker how often this resident was visited and how long ago, before the next visit.',
      (context) => found<{ rhythm: Rhythm }>(context, 'weigh-rhythm').rhythm,
    ),
    step('draft-brief', (context) => {
      const { rhythm } = found<{ rhythm: Rhythm }>(context, 'weigh-rhythm')
      const words = inLanguage(context.center, visitWords)
      const since = rhythm?.daysSinceLast ?? null
      return draft(context.center, {
        title: words.title,
        period: found<Visit>(context, 'collect-visits').period,
        basis: rhythm ? words.basis(rhythm) : [words.none],
        findings: rhythm ? [since === null ? words.first : words.since(since, rhythm.longestGapDays)] : [],
        decide: words.decide,
        wording: wordingOf(context, 'summarize-visits'),
        tags: ['visit'],
        figures: rhythm ?? {},
      })
    }),
  ],
}

export const welfare: readonly Definition[] = [caseCheck, visitBrief]
