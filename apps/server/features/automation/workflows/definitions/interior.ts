/** Interior design: whether an estimate holds, and what is under way. */
import { closed } from '@countersign/contract/common.ts'
import { type Static, Type } from 'typebox'
import type { Definition } from '../definition.ts'
import { decisionsTagged, sessionsBetween, unreviewedBefore } from '../definition-queries.ts'
import { draft, inLanguage } from './draft.ts'
import { change, type Load, loads, type Outcomes, outcomes } from './figures.ts'
import { digestWords, reviewWords } from './interior-words.ts'
import { asOf, before, daysSince, lastDays, type Period, spanOf } from './period.ts'
import { found, step, wordingOf, wordingStep } from './steps.ts'

const Money = (description: string) => Type.Number({ minimum: 0, maximum: 1e9, description })
const Line = Type.Object(
  {
    item: Type.String({ minLength: 1, maxLength: 200 }),
    quantity: Type.Number({ exclusiveMinimum: 0, maximum: 1e6 }),
    unitPrice: Money('What the estimate asks for one'),
    referencePrice: Type.Optional(Money('What one usually costs')),
  },
  closed,
)
type Line = Static<typeof Line>

export type Estimate = {
  readonly period: Period
  readonly lines: { readonly item: string; readonly amount: number; readonly overPercent: number | null }[]
  readonly total: number
  readonly past: Outcomes
}
export type Review = {
  readonly total: number
  readonly budget: number
  readonly overBudget: number
  readonly dear: { readonly item: string; readonly overPercent: number; readonly excess: number }[]
  readonly cheap: { readonly item: string; readonly overPercent: number }[]
  readonly unreferenced: number
}

const cents = (value: number): number => Math.round(value * 100) / 100

export function linesOf(lines: readonly Line[]): Pick<Estimate, 'lines' | 'total'> {
  const weighed = lines.map(({ item, quantity, unitPrice, referencePrice }) => ({
    item,
    amount: cents(quantity * unitPrice),
    overPercent: referencePrice === undefined ? null : change(unitPrice, referencePrice),
  }))
  return { lines: weighed, total: cents(weighed.reduce((sum, { amount }) => sum + amount, 0)) }
}

export function reviewOf(
  { lines, total }: Pick<Estimate, 'lines' | 'total'>,
  budget: number,
  tolerance: number,
): Review {
  const compared = lines.flatMap((line) =>
    line.overPercent === null ? [] : [{ ...line, overPercent: line.overPercent }],
  )
  const dear = compared.filter(({ overPercent }) => overPercent > tolerance)
  return {
    total,
    budget,
    overBudget: budget === 0 ? 0 : Math.max(0, cents(total - budget)),
    dear: dear
      .map(({ item, overPercent, amount }) => ({
        item,
        overPercent,
        excess: cents(amount - amount / (1 + overPercent / 100)),
      }))
      .sort((a, b) => b.excess - a.excess),
    cheap: compared
      .filter(({ overPercent }) => overPercent < -tolerance)
      .map(({ item, overPercent }) => ({ item, overPercent })),
    unreferenced: lines.length - compared.length,
  }
}

const estimateReview: Definition = {
  key: 'interior.estimate-review',
  name: 'Estimate review',
  description: 'Holds the lines of an estimate against reference prices and a budget.',
  vertical: 'interior',
  type: 'MANUAL',
  alone: false,
  parameters: Type.Object(
    {
      project: Type.String({ minLength: 1, maxLength: 100, examples: ['P-2026-31'] }),
      lines: Type.Array(Line, {
        minItems: 1,
        maxItems: 200,
        examples: [[{ item: 'Oak floor, m²', quantity: 42, unitPrice: 89_000, referencePrice: 75_000 }]],
      }),
      currency: Type.String({ pattern: '^[A-Z]{3}$', default: 'KRW' }),
      budget: Type.Number({ minimum: 0, maximum: 1e12, default: 0, description: '0 means that none is given' }),
      tolerancePercent: Type.Integer({
        minimum: 0,
        maximum: 100,
        default: 15,
        description: 'A difference that is normal',
      }),
    },
    closed,
  ),
  steps: [
    step('collect-lines', async (context): Promise<Estimate> => {
      const period = lastDays(context, 90)
      const past = await context.read((tx) => decisionsTagged(tx, 'estimate', ...spanOf(period)))
      return { period, ...linesOf(context.parameters.lines as unknown as Line[]), past: outcomes(past) }
    }),
    step('weigh-lines', (context): Review => {
      const { budget, tolerancePercent } = context.parameters as { budget: number; tolerancePercent: number }
      return reviewOf(found<Estimate>(context, 'collect-lines'), budget, tolerancePercent)
    }),
    step('draft-review', (context) => {
      const estimate = found<Estimate>(context, 'collect-lines')
      const review = found<Review>(context, 'weigh-lines')
      const words = inLanguage(context.center, reviewWords)
      const { project, currency } = context.parameters as { project: string; currency: string }
      const { dear, cheap, ...figures } = review
      return draft(context.center, {
        title: words.title(project),
        period: estimate.period,
        basis: words.basis(estimate, review, currency),
        findings: [
          ...(review.overBudget > 0 ? [words.over(review.overBudget, currency)] : []),
          ...dear.map((each) => words.dear(each, currency)),
          ...cheap.map(words.cheap),
        ],
        decide: words.decide,
        tags: ['estimate'],
        figures: { ...figures, currency, dear: dear.length, cheap: cheap.length },
      })
    }),
  ],
}

type Projects = {
  readonly period: Period
  readonly designers: Load[]
  readonly consultationsBefore: number
  readonly openAges: number[]
  readonly unreviewed: number
}
export type Workload = {
  readonly consultations: number
  readonly consultationsBefore: number
  readonly changePercent: number | null
  readonly designers: number
  readonly openEstimates: number
  readonly lateEstimates: number
  readonly oldestDays: number
  readonly unreviewed: number
}

export function workloadOf(
  { designers, consultationsBefore, openAges, unreviewed }: Omit<Projects, 'period'>,
  lateDays: number,
): Workload {
  const consultations = designers.reduce((sum, { sessions }) => sum + sessions, 0)
  return {
    consultations,
    consultationsBefore,
    changePercent: change(consultations, consultationsBefore),
    designers: designers.length,
    openEstimates: openAges.length,
    lateEstimates: openAges.filter((days) => days >= lateDays).length,
    oldestDays: Math.max(0, ...openAges),
    unreviewed,
  }
}

const projectDigest: Definition = {
  key: 'interior.project-digest',
  name: 'Project digest',
  description:
    'Consultations of the last week, estimates that wait, drafts that nobody has reviewed, and all that in words.',
  vertical: 'interior',
  type: 'SCHEDULED',
  schedule: { cron: '0 9 * * 1' },
  alone: true,
  parameters: Type.Object(
    {
      tag: Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'estimate',
        description: 'What decisions on estimates are tagged',
      }),
      lateDays: Type.Integer({
        minimum: 1,
        maximum: 90,
        default: 10,
        description: 'An estimate is late after so many days',
      }),
    },
    closed,
  ),
  steps: [
    step('collect-projects', async (context): Promise<Projects> => {
      const period = lastDays(context, 7)
      const [from] = spanOf(lastDays(context, 90))
      const at = asOf(context)
      return context.read(async (tx) => {
        const estimates = await decisionsTagged(tx, context.parameters.tag as string, from, at)
        const open = estimates.filter(({ status }) => status === 'recorded' || status === 'approved')
        return {
          period,
          designers: loads(await sessionsBetween(tx, ...spanOf(period)), 'instructor'),
          consultationsBefore: (await sessionsBetween(tx, ...spanOf(before(context.center.timezone, period)))).length,
          openAges: open.map(({ occurredAt }) => daysSince(occurredAt, at)),
          unreviewed: (await unreviewedBefore(tx, new Date(period.from))).length,
        }
      })
    }),
    step(
      'weigh-workload',
      (context): Workload =>
        workloadOf(found<Projects>(context, 'collect-projects'), context.parameters.lateDays as number),
    ),
    wordingStep(
      'summarize-projects',
      'Summarize the week of an interior design office: consultations, estimates that wait, drafts that nobody has reviewed.',
      (context) => {
        const workload = found<Workload>(context, 'weigh-workload')
        const { consultations, consultationsBefore, openEstimates, unreviewed } = workload
        return consultations + consultationsBefore + openEstimates + unreviewed === 0 ? null : workload
      },
    ),
    step('draft-digest', (context) => {
      const workload = found<Workload>(context, 'weigh-workload')
      const words = inLanguage(context.center, digestWords)
      const { lateEstimates, unreviewed } = workload
      return draft(context.center, {
        title: words.title,
        period: found<Projects>(context, 'collect-projects').period,
        basis: words.basis(workload),
        findings: [
          ...(lateEstimates > 0 ? [words.late(lateEstimates, context.parameters.lateDays as number)] : []),
          ...(unreviewed > 0 ? [words.unreviewed(unreviewed)] : []),
        ],
        decide: words.decide,
        wording: wordingOf(context, 'summarize-projects'),
        tags: ['projects', 'weekly'],
        figures: workload,
      })
    }),
  ],
}

export const interior: readonly Definition[] = [estimateReview, projectDigest]
