/** Interior design: how an estimate compares with prices and budget, and which estimates are open. */
import { closed } from '@countersign/contract/common.ts'
import { Type } from 'typebox'
import { change, distinct, isOpen, outcomes, round2, sum } from './figures.ts'
import { tag, whole } from './parameters.ts'
import { daysSince } from './period.ts'
import { workflow } from './workflow.ts'

const money = (description: string) => Type.Number({ minimum: 0, maximum: 1e9, description })
const line = Type.Object(
  {
    item: Type.String({ minLength: 1, maxLength: 200 }),
    quantity: Type.Number({ exclusiveMinimum: 0, maximum: 1e6 }),
    unitPrice: money('What the estimate asks for one'),
    referencePrice: Type.Optional(money('What one usually costs')),
  },
  closed,
)

export const estimateReview = workflow({
  key: 'interior.estimate-review',
  trigger: 'manual',
  parameters: {
    project: Type.String({ minLength: 1, maxLength: 100, examples: ['P-2026-31'] }),
    lines: Type.Array(line, {
      minItems: 1,
      maxItems: 200,
      examples: [[{ item: 'Oak floor, m²', quantity: 42, unitPrice: 89_000, referencePrice: 75_000 }]],
    }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', default: 'KRW' }),
    budget: Type.Number({ minimum: 0, maximum: 1e12, default: 0, description: '0 means that none is given' }),
    tolerancePercent: whole(0, 100, 15, 'A difference that is normal'),
  },
  steps: ['collect-lines', 'weigh-lines', 'draft-review'],
  period: { days: 90 },
  reads: { estimates: { tagged: 'estimate', during: 'period' } },
  count: ({ estimates }, { parameters }) => {
    const lines = parameters.lines.map(({ item, quantity, unitPrice, referencePrice }) => ({
      item,
      amount: round2(quantity * unitPrice),
      overPercent: referencePrice === undefined ? null : change(unitPrice, referencePrice),
    }))
    return { lines, total: round2(sum(lines, ({ amount }) => amount)), past: outcomes(estimates) }
  },
  weigh: ({ lines, total }, { budget, currency, tolerancePercent }) => {
    const compared = lines.flatMap(({ overPercent, ...each }) => (overPercent === null ? [] : { ...each, overPercent }))
    const excess = (amount: number, overPercent: number) => round2(amount - amount / (1 + overPercent / 100))
    return {
      total,
      budget,
      overBudget: budget === 0 ? 0 : Math.max(0, round2(total - budget)),
      unreferenced: lines.length - compared.length,
      currency,
      dear: compared
        .filter(({ overPercent }) => overPercent > tolerancePercent)
        .map((each) => ({ ...each, excess: excess(each.amount, each.overPercent) }))
        .sort((a, b) => b.excess - a.excess),
      cheap: compared.filter(({ overPercent }) => overPercent < -tolerancePercent),
    }
  },
  tags: ['estimate'],
  asks: ({ project, total }) => ({ type: 'estimate.send', input: { project, amount: total } }),
})

export const projectDigest = workflow({
  key: 'interior.project-digest',
  trigger: { cron: '0 9 * * 1' },
  parameters: {
    tag: tag('estimate', 'What decisions on estimates are tagged'),
    lateDays: whole(1, 90, 10, 'An estimate is late after so many days'),
  },
  steps: ['collect-projects', 'weigh-workload', 'summarize-projects', 'draft-digest'],
  period: { days: 7 },
  reads: {
    estimates: { tagged: 'tag', during: [-90, 'now'] },
    consultations: { sessions: 'period' },
    consultationsBefore: { sessions: 'before' },
    drafts: 'unreviewed drafts',
  },
  count: ({ estimates, consultations, consultationsBefore, drafts }, { at }) => ({
    consultations: consultations.length,
    consultationsBefore: consultationsBefore.length,
    designers: distinct(consultations, 'instructor'),
    openAges: estimates.filter(isOpen).map(({ occurredAt }) => daysSince(occurredAt, at)),
    unreviewed: drafts.length,
  }),
  weigh: ({ openAges, unreviewed, ...counts }, { lateDays }) => ({
    ...counts,
    changePercent: change(counts.consultations, counts.consultationsBefore),
    openEstimates: openAges.length,
    lateEstimates: openAges.filter((days) => days >= lateDays).length,
    oldestDays: Math.max(0, ...openAges),
    unreviewed,
  }),
  model: {
    task: 'Summarize the week of an interior design office: consultations, estimates that wait, drafts that nobody has reviewed.',
    when: ['consultations', 'consultationsBefore', 'openEstimates', 'unreviewed'],
  },
  tags: ['projects', 'weekly'],
})
