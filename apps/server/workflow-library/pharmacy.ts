/** Pharmacy: which supplies run out, and what was decided about interventions. */
import { change, lastOfEach, mostKept, outcomes, rate } from './figures.ts'
import { tag, whole } from './parameters.ts'
import { addDays, daysBetween } from './period.ts'
import { workflow } from './workflow.ts'

/** A supply that ran out longer ago is not listed. */
const lapsedDays = 60

export const refillReview = workflow({
  key: 'pharmacy.refill-review',
  trigger: { cron: '30 8 * * *' },
  parameters: {
    tag: tag('dispensed', 'What dispensings are tagged; `action.input` holds `reference` and `daysSupply`'),
    daysAhead: whole(0, 30, 5, 'Soon means within so many days'),
  },
  steps: ['collect-dispensings', 'weigh-supplies', 'draft-review'],
  period: { days: 120 },
  reads: { dispensings: { tagged: 'tag', during: [-120, 'now'] } },
  count: ({ dispensings }, { today, localDay }) => {
    const { last, unreadable } = lastOfEach(dispensings, 'reference', { daysSupply: [1, 366] })
    const supplies = last
      .map(([reference, { at, daysSupply }]) => {
        const runsOutOn = addDays(localDay(at), Math.floor(daysSupply))
        return { reference, runsOutOn, daysLeft: daysBetween(today, runsOutOn) - 1 }
      })
      .filter(({ daysLeft }) => daysLeft >= -lapsedDays)
      .sort((a, b) => (a.runsOutOn < b.runsOutOn ? -1 : 1))
    return {
      records: dispensings.length,
      unreadable,
      lapsed: last.length - supplies.length,
      supplies: supplies.slice(0, mostKept),
      later: Math.max(0, supplies.length - mostKept),
    }
  },
  weigh: ({ records, supplies, later }, { daysAhead }) => {
    const overdue = supplies.filter(({ daysLeft }) => daysLeft < 0)
    const due = supplies.filter(({ daysLeft }) => daysLeft >= 0 && daysLeft <= daysAhead)
    return { records, overdue, due, supplied: supplies.length - due.length - overdue.length + later }
  },
  tags: ['refill', 'daily'],
})

/** The model gets kinds, so only names such as `dose.adjust` are kinds: a sentence could be about a person. */
const kindOf = ({ action }: { readonly action: string }): string => (/^[\w.:-]{1,64}$/.test(action) ? action : 'other')
const maxKinds = 50

export const interventionReport = workflow({
  key: 'pharmacy.intervention-report',
  trigger: 'manual',
  parameters: {
    tag: tag('intervention', 'What interventions are tagged'),
    days: whole(1, 90, 30, 'Days to look back'),
  },
  steps: ['collect-interventions', 'weigh-acceptance', 'summarize-interventions', 'draft-report'],
  period: { days: 'days' },
  reads: { decisions: { tagged: 'tag', during: 'period' }, earlier: { tagged: 'tag', during: 'before' } },
  count: ({ decisions, earlier }) => {
    const kinds = [...Map.groupBy(decisions, kindOf)].map(([action, each]) => ({
      action,
      count: each.length,
      rejected: outcomes(each).rejected,
    }))
    kinds.sort((a, b) => b.count - a.count)
    return { now: outcomes(decisions), before: outcomes(earlier), kinds: kinds.slice(0, maxKinds) }
  },
  // Doubtful is a kind of which at least two, and at least half, were rejected.
  weigh: ({ now, before, kinds }) => ({
    ...now,
    acceptedPercent: rate(now.approved, now.approved + now.rejected),
    acceptedPercentBefore: rate(before.approved, before.approved + before.rejected),
    changePercent: change(now.total, before.total),
    doubtful: kinds.filter(({ count, rejected }) => rejected >= 2 && rejected * 2 >= count),
  }),
  model: {
    task: 'Summarize what became of a pharmacy’s interventions: how many were accepted, rejected or are open, and which kinds are often rejected. Say nothing about medicines or patients.',
    when: ['total'],
    facts: ['now', 'before', 'kinds', 'acceptedPercent', 'acceptedPercentBefore', 'changePercent', 'doubtful'],
    mostItems: maxKinds,
  },
  tags: ['intervention'],
})
