/** Welfare: cases that wait for a decision, and what is known before a visit. */
import { typedId } from '../lib/ids.ts'
import { change, distinct, held, isOpen, label, mostKept } from './figures.ts'
import { tag, whole } from './parameters.ts'
import { addDays, daysBetween, daysSince, within } from './period.ts'
import { workflow } from './workflow.ts'

const isRisky = ({ risk }: { readonly risk: number | null }): boolean => risk !== null && risk >= 0.7

export const caseCheck = workflow({
  key: 'welfare.case-check',
  trigger: { cron: '30 7 * * 1' },
  parameters: {
    tag: tag('case', 'What decisions on cases are tagged'),
    overdueDays: whole(1, 90, 14, 'Open for so long is too long'),
  },
  steps: ['collect-cases', 'weigh-cases', 'draft-check'],
  period: { days: 7 },
  reads: { decisions: { tagged: 'tag', during: [-90, 'now'] }, drafts: 'unreviewed drafts' },
  count: ({ decisions, drafts }, { period, before, at }) => {
    const open = decisions.filter(isOpen).map(({ id, action, occurredAt, riskScore }) => ({
      id: typedId('decisionEvent', id),
      action: action.slice(0, 100),
      days: daysSince(occurredAt, at),
      risk: riskScore,
    }))
    const recent = decisions.filter(({ occurredAt }) => within(period, occurredAt))
    return {
      // Risky cases come before old ones: a case that is cut off is neither.
      cases: open.sort((a, b) => Number(isRisky(b)) - Number(isRisky(a)) || b.days - a.days).slice(0, mostKept),
      open: open.length,
      decided: recent.filter((each) => !isOpen(each)).length,
      newCases: recent.length,
      newCasesBefore: decisions.filter(({ occurredAt }) => within(before, occurredAt)).length,
      unreviewed: drafts.length,
    }
  },
  weigh: ({ cases, open, unreviewed }, { overdueDays }) => {
    const byAge = cases.toSorted((a, b) => b.days - a.days)
    return {
      oldestDays: byAge[0]?.days ?? 0,
      medianDays: byAge[Math.ceil(byAge.length / 2) - 1]?.days ?? 0,
      open,
      overdue: byAge.filter(({ days }) => days >= overdueDays),
      risky: byAge.filter((each) => each.days < overdueDays && isRisky(each)),
      unreviewed,
    }
  },
  tags: ['case-check', 'weekly'],
})

const quarter = 90

export const visitBrief = workflow({
  key: 'welfare.visit-brief',
  trigger: { event: 'booking.created' },
  parameters: {},
  steps: ['collect-visits', 'weigh-rhythm', 'summarize-visits', 'draft-brief'],
  period: { daysBeforeBooking: 2 * quarter },
  reads: { visits: { sessions: 'period', of: 'client of the booking' } },
  count: ({ visits }, { period, booking, localDay }) => ({
    visit: booking && { resident: label(booking.client), day: localDay(booking.startsAt) },
    days: held(visits).map(({ startsAt }) => localDay(startsAt)),
    caseWorkers: distinct(held(visits), 'instructor'),
    quarterBegins: addDays(period.lastDay, 1 - quarter),
  }),
  // The visits before this one come in the order of time, over two quarters.
  weigh: ({ visit, days, caseWorkers, quarterBegins }) => {
    if (!visit) return {}
    const recent = days.filter((day) => day >= quarterBegins).length
    const gaps = [...days, visit.day].slice(1).map((day, index) => daysBetween(days[index] as string, day) - 1)
    const daysSinceLast = gaps.pop() ?? null
    return {
      ...visit,
      visitsBefore: recent,
      visitsInQuarterBefore: days.length - recent,
      changePercent: change(recent, days.length - recent),
      daysSinceLast,
      longestGapDays: gaps.length === 0 ? null : Math.max(...gaps),
      workers: caseWorkers,
    }
  },
  model: {
    task: 'In at most three sentences, tell a case worker how often this resident was visited and how long ago, before the next visit.',
    when: ['visit'],
  },
  tags: ['visit'],
})
