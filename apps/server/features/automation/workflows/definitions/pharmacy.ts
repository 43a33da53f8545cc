/** Pharmacy: whose medicine runs out, and what became of interventions. */
import { closed } from '@countersign/contract/common.ts'
import { Type } from 'typebox'
import type { Definition } from '../definition.ts'
import { type DecisionFound, decisionsTagged } from '../definition-queries.ts'
import { draft, inLanguage } from './draft.ts'
import { change, inputNumber, inputText, mostKept, type Outcomes, outcomes, rate } from './figures.ts'
import { addDays, asOf, before, daysBetween, lastDays, localDay, localToday, type Period, spanOf } from './period.ts'
import { interventionWords, refillWords } from './pharmacy-words.ts'
import { found, step, wordingOf, wordingStep } from './steps.ts'

type Supply = { readonly reference: string; readonly dispensedOn: string; readonly runsOutOn: string }
export type Supplies = {
  readonly period: Period
  readonly records: number
  readonly unreadable: number
  /** Ran out long ago: those come by themselves or not at all. */
  readonly lapsed: number
  /** Run out after all that are listed. */
  readonly later: number
  readonly supplies: Supply[]
}
export type Due = Supply & { readonly daysLeft: number }
export type Refills = { readonly overdue: Due[]; readonly due: Due[]; readonly supplied: number }

const lapsedDays = 60

/** What was dispensed last counts, for each reference. Newest records come first. */
export function suppliesOf(records: readonly DecisionFound[], today: string, dayOf: (instant: Date) => string) {
  const newest = new Map<string, { at: Date; days: number }>()
  let unreadable = 0
  for (const record of records) {
    const reference = inputText(record, 'reference')
    const days = inputNumber(record, 'daysSupply')
    if (reference === null || days === null || days < 1 || days > 366) unreadable += 1
    else if ((newest.get(reference)?.at ?? 0) < record.occurredAt)
      newest.set(reference, { at: record.occurredAt, days })
  }
  const supplies = [...newest]
    .map(([reference, { at, days }]) => {
      const dispensedOn = dayOf(at)
      return { reference, dispensedOn, runsOutOn: addDays(dispensedOn, Math.floor(days)) }
    })
    .filter(({ runsOutOn }) => runsOutOn >= addDays(today, -lapsedDays))
    .sort((a, b) => (a.runsOutOn < b.runsOutOn ? -1 : 1))
  const lapsed = newest.size - supplies.length
  return {
    records: records.length,
    unreadable,
    lapsed,
    supplies: supplies.slice(0, mostKept),
    later: Math.max(0, supplies.length - mostKept),
  }
}

export function refillsOf(
  { supplies, later }: Pick<Supplies, 'supplies' | 'later'>,
  today: string,
  daysAhead: number,
): Refills {
  const left = supplies
    .map((each) => ({ ...each, daysLeft: daysBetween(today, each.runsOutOn) - 1 }))
    .sort((a, b) => a.daysLeft - b.daysLeft)
  const due = left.filter(({ daysLeft }) => daysLeft >= 0 && daysLeft <= daysAhead)
  const overdue = left.filter(({ daysLeft }) => daysLeft < 0)
  return { overdue, due, supplied: left.length - due.length - overdue.length + later }
}

const refillReview: Definition = {
  key: 'pharmacy.refill-review',
  name: 'Refill reminder review',
  description: 'Works out from what was dispensed whose supply has run out or soon will. It reminds nobody by itself.',
  vertical: 'pharmacy',
  type: 'SCHEDULED',
  schedule: { cron: '30 8 * * *' },
  alone: true,
  parameters: Type.Object(
    {
      tag: Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'dispensed',
        description: 'What dispensings are tagged; `action.input` holds `reference` and `daysSupply`',
      }),
      daysAhead: Type.Integer({ minimum: 0, maximum: 30, default: 5, description: 'Soon means within so many days' }),
    },
    closed,
  ),
  steps: [
    step('collect-dispensings', async (context): Promise<Supplies> => {
      const period = lastDays(context, 120)
      const [from] = spanOf(period)
      const tag = context.parameters.tag as string
      const records = await context.read((tx) => decisionsTagged(tx, tag, from, asOf(context)))
      return { period, ...suppliesOf(records, localToday(context), (instant) => localDay(context, instant)) }
    }),
    step(
      'weigh-supplies',
      (context): Refills =>
        refillsOf(
          found<Supplies>(context, 'collect-dispensings'),
          localToday(context),
          context.parameters.daysAhead as number,
        ),
    ),
    step('draft-review', (context) => {
      const supplies = found<Supplies>(context, 'collect-dispensings')
      const refills = found<Refills>(context, 'weigh-supplies')
      const words = inLanguage(context.center, refillWords)
      const { overdue, due, supplied } = refills
      return draft(context.center, {
        title: words.title,
        period: supplies.period,
        basis: words.basis(supplies, refills, context.parameters.tag as string),
        findings: [...overdue.map(words.overdue), ...due.map(words.due)],
        decide: words.decide,
        tags: ['refill', 'daily'],
        figures: { records: supplies.records, overdue: overdue.length, due: due.length, supplied },
      })
    }),
  ],
}

export type Interventions = {
  readonly period: Period
  readonly now: Outcomes
  readonly before: Outcomes
  readonly kinds: { readonly action: string; readonly count: number; readonly rejected: number }[]
}
export type Acceptance = {
  readonly acceptedPercent: number | null
  readonly acceptedPercentBefore: number | null
  readonly changePercent: number | null
  readonly doubtful: { readonly action: string; readonly count: number; readonly rejected: number }[]
}

/** The model sees kinds, so they must be names such as `dose.adjust`: a sentence might be about somebody. */
const kindOf = (action: string): string => (/^[\w.:-]{1,64}$/.test(action) ? action : 'other')

/** A kind that is turned down every second time or more often, and not just once, deserves a second look. */
export function acceptanceOf({ now, before: then, kinds }: Omit<Interventions, 'period'>): Acceptance {
  return {
    acceptedPercent: rate(now.approved, now.approved + now.rejected),
    acceptedPercentBefore: rate(then.approved, then.approved + then.rejected),
    changePercent: change(now.total, then.total),
    doubtful: kinds.filter(({ count, rejected }) => rejected >= 2 && rejected * 2 >= count),
  }
}

const interventionReport: Definition = {
  key: 'pharmacy.intervention-report',
  name: 'Intervention report',
  description:
    'What became of interventions: accepted, rejected or open, by kind, against the time before, and in words.',
  vertical: 'pharmacy',
  type: 'MANUAL',
  alone: false,
  parameters: Type.Object(
    {
      tag: Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'intervention',
        description: 'What interventions are tagged',
      }),
      days: Type.Integer({ minimum: 1, maximum: 90, default: 30, description: 'Days to look back' }),
    },
    closed,
  ),
  steps: [
    step('collect-interventions', async (context): Promise<Interventions> => {
      const { tag, days } = context.parameters as { tag: string; days: number }
      const period = lastDays(context, days)
      const [now, then] = await context.read(async (tx) => [
        await decisionsTagged(tx, tag, ...spanOf(period)),
        await decisionsTagged(tx, tag, ...spanOf(before(context.center.timezone, period))),
      ])
      const kinds = [...Map.groupBy(now, ({ action }) => kindOf(action))].map(([action, each]) => ({
        action,
        count: each.length,
        rejected: outcomes(each).rejected,
      }))
      return {
        period,
        now: outcomes(now),
        before: outcomes(then),
        kinds: kinds.sort((a, b) => b.count - a.count).slice(0, 50),
      }
    }),
    step(
      'weigh-acceptance',
      (context): Acceptance => acceptanceOf(found<Interventions>(context, 'collect-interventions')),
    ),
    wordingStep(
      'summarize-interventions',
      'Summarize what became of a pharmacy’s interventions: how many were accepted, rejected or are open, and which kinds are often rejected. Say nothing about medicines or patients.',
      (context) => {
        const { period: _, ...all } = found<Interventions>(context, 'collect-interventions')
        return all.now.total === 0 ? null : { ...all, ...found<Acceptance>(context, 'weigh-acceptance') }
      },
    ),
    step('draft-report', (context) => {
      const all = found<Interventions>(context, 'collect-interventions')
      const acceptance = found<Acceptance>(context, 'weigh-acceptance')
      const words = inLanguage(context.center, interventionWords)
      const { doubtful, ...figures } = acceptance
      return draft(context.center, {
        title: words.title,
        period: all.period,
        basis: words.basis(all, acceptance),
        findings: [...doubtful.map(words.doubtful), ...(all.now.open > 0 ? [words.open(all.now.open)] : [])],
        decide: words.decide,
        wording: wordingOf(context, 'summarize-interventions'),
        tags: ['intervention'],
        figures: { ...all.now, ...figures, doubtful: doubtful.length },
      })
    }),
  ],
}

export const pharmacy: readonly Definition[] = [refillReview, interventionReport]
