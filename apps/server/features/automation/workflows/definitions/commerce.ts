/** Commerce: what to order, and what to do about a payment that failed. */
import { closed } from '@countersign/contract/common.ts'
import { Type } from 'typebox'
import type { Definition } from '../definition.ts'
import { type DecisionFound, decisionsTagged } from '../definition-queries.ts'
import { paymentWords, stockWords } from './commerce-words.ts'
import { draft, inLanguage } from './draft.ts'
import { change, inputNumber, inputText, mostKept, type Outcomes, outcomes, round1 } from './figures.ts'
import { asOf, before, daysSince, lastDays, type Period, spanOf } from './period.ts'
import { found, step, wordingOf, wordingStep } from './steps.ts'

type Item = {
  readonly sku: string
  readonly onHand: number
  readonly dailySales: number
  readonly leadDays: number
  readonly ageDays: number
}
export type Stock = {
  readonly period: Period
  readonly records: number
  readonly unreadable: number
  readonly items: Item[]
  /** With more slack than all that are listed. */
  readonly plentiful: number
}
export type Order = {
  readonly sku: string
  readonly onHand: number
  readonly daysLeft: number
  readonly quantity: number
}
export type StockDecision = {
  readonly orders: Order[]
  readonly stale: { readonly sku: string; readonly ageDays: number }[]
  readonly enough: number
}

/** Days that stock lasts beyond the delivery of an order made now. */
const slackOf = ({ onHand, dailySales, leadDays }: Item): number =>
  dailySales === 0 ? Number.MAX_VALUE : onHand / dailySales - leadDays

/** The last count of each article, the scarcest first. Newest records come first. */
export function itemsOf(records: readonly DecisionFound[], at: Date): Omit<Stock, 'period'> {
  const items = new Map<string, Item & { readonly countedAt: Date }>()
  let unreadable = 0
  for (const record of records) {
    const sku = inputText(record, 'sku')
    const onHand = inputNumber(record, 'onHand')
    const dailySales = inputNumber(record, 'dailySales')
    const leadDays = inputNumber(record, 'leadDays')
    if (sku === null || onHand === null || dailySales === null || leadDays === null) unreadable += 1
    else if ((items.get(sku)?.countedAt ?? 0) < record.occurredAt) {
      const countedAt = record.occurredAt
      items.set(sku, { sku, onHand, dailySales, leadDays, ageDays: daysSince(countedAt, at), countedAt })
    }
  }
  const scarcest = [...items.values()].map(({ countedAt: _, ...item }) => item).sort((a, b) => slackOf(a) - slackOf(b))
  return {
    records: records.length,
    unreadable,
    items: scarcest.slice(0, mostKept),
    plentiful: Math.max(0, scarcest.length - mostKept),
  }
}

/** Order when what is there does not last until the delivery and some days beyond; enough then for the days to cover. */
export function stockDecisionOf(
  { items, plentiful }: Pick<Stock, 'items' | 'plentiful'>,
  safetyDays: number,
  coverDays: number,
  staleDays: number,
): StockDecision {
  const fresh = items.filter(({ ageDays }) => ageDays < staleDays)
  const orders = fresh
    .filter(({ onHand, dailySales, leadDays }) => dailySales > 0 && onHand <= dailySales * (leadDays + safetyDays))
    .map(({ sku, onHand, dailySales, leadDays }) => ({
      sku,
      onHand,
      daysLeft: round1(onHand / dailySales),
      quantity: Math.max(1, Math.ceil(dailySales * (leadDays + safetyDays + coverDays) - onHand)),
    }))
    .sort((a, b) => a.daysLeft - b.daysLeft)
  const stale = items.filter(({ ageDays }) => ageDays >= staleDays).map(({ sku, ageDays }) => ({ sku, ageDays }))
  return { orders, stale, enough: fresh.length - orders.length + plentiful }
}

const Days = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 90, default: fallback, description })

const stockDecision: Definition = {
  key: 'commerce.stock-decision',
  name: 'Stock decision',
  description: 'Works out from the last counts what has to be ordered and how much. It orders nothing by itself.',
  vertical: 'commerce',
  type: 'SCHEDULED',
  schedule: { cron: '0 6 * * *' },
  alone: true,
  parameters: Type.Object(
    {
      tag: Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'stock',
        description: 'What counts are tagged; `action.input` holds `sku`, `onHand`, `dailySales` and `leadDays`',
      }),
      safetyDays: Days(3, 'Days that stock should last beyond the delivery'),
      coverDays: Days(14, 'Days that an order should cover'),
      staleDays: Type.Integer({
        minimum: 1,
        maximum: 30,
        default: 7,
        description: 'A count is too old after so many days',
      }),
    },
    closed,
  ),
  steps: [
    step('collect-counts', async (context): Promise<Stock> => {
      const period = lastDays(context, 30)
      const [from] = spanOf(period)
      const tag = context.parameters.tag as string
      const records = await context.read((tx) => decisionsTagged(tx, tag, from, asOf(context)))
      return { period, ...itemsOf(records, asOf(context)) }
    }),
    step('weigh-stock', (context): StockDecision => {
      const { safetyDays, coverDays, staleDays } = context.parameters as Record<string, number>
      return stockDecisionOf(
        found<Stock>(context, 'collect-counts'),
        safetyDays as number,
        coverDays as number,
        staleDays as number,
      )
    }),
    step('draft-decision', (context) => {
      const stock = found<Stock>(context, 'collect-counts')
      const decision = found<StockDecision>(context, 'weigh-stock')
      const words = inLanguage(context.center, stockWords)
      const { orders, stale, enough } = decision
      return draft(context.center, {
        title: words.title,
        period: stock.period,
        basis: words.basis(stock, decision, context.parameters.tag as string),
        findings: [...orders.map(words.order), ...stale.map(words.stale)],
        decide: words.decide,
        tags: ['stock', 'daily'],
        figures: { articles: stock.items.length + stock.plentiful, orders: orders.length, stale: stale.length, enough },
      })
    }),
  ],
}

type Failure = { readonly reason: string; readonly amount: number | null; readonly currency: string | null } | null
export type Payments = {
  readonly period: Period
  readonly failure: Failure
  readonly now: Outcomes
  readonly before: Outcomes
}
type Judgement = { readonly changePercent: number | null; readonly isPassing: boolean | null }

/** Reasons that usually go away by themselves; everything else needs the customer. */
const passing = /timeout|unavailable|network|try_again|processing/i

export const judgementOf = ({ failure, now, before: then }: Omit<Payments, 'period'>): Judgement => ({
  changePercent: change(now.total, then.total),
  isPassing: failure && passing.test(failure.reason),
})

const paymentFailureReview: Definition = {
  key: 'commerce.payment-failure-review',
  name: 'Payment failure review',
  description:
    'When a payment fails: whether the reason passes by itself, and how decisions about payments have gone lately.',
  vertical: 'commerce',
  type: 'EVENT',
  event: 'payment.failed',
  alone: false,
  parameters: Type.Object(
    {
      tag: Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'payment',
        description: 'What decisions about payments are tagged',
      }),
    },
    closed,
  ),
  steps: [
    step('collect-payments', async (context): Promise<Payments> => {
      const { reason, amount, currency } = context.event?.data ?? {}
      const failure = context.event && {
        reason: typeof reason === 'string' ? reason.slice(0, 100) : 'unknown',
        amount: typeof amount === 'number' ? amount : null,
        currency: typeof currency === 'string' ? currency : null,
      }
      const period = lastDays(context, 30)
      const tag = context.parameters.tag as string
      const [now, then] = await context.read(async (tx) => [
        await decisionsTagged(tx, tag, ...spanOf(period)),
        await decisionsTagged(tx, tag, ...spanOf(before(context.center.timezone, period))),
      ])
      return { period, failure, now: outcomes(now), before: outcomes(then) }
    }),
    step('weigh-failure', (context): Judgement => judgementOf(found<Payments>(context, 'collect-payments'))),
    wordingStep(
      'summarize-failure',
      'In at most three sentences, tell the staff of a shop what happened with this payment and how decisions about payments have gone lately.',
      (context) => {
        const { period: _, ...payments } = found<Payments>(context, 'collect-payments')
        if (payments.failure === null && payments.now.total === 0) return null
        // The reason is a stranger's text: the model gets the judgement about it.
        const { failure, ...counts } = payments
        return { ...counts, ...found<Judgement>(context, 'weigh-failure'), aPaymentFailed: failure !== null }
      },
    ),
    step('draft-review', (context) => {
      const payments = found<Payments>(context, 'collect-payments')
      const { isPassing, changePercent } = found<Judgement>(context, 'weigh-failure')
      const words = inLanguage(context.center, paymentWords)
      return draft(context.center, {
        title: words.title,
        period: payments.period,
        basis: words.basis(payments),
        findings: [
          ...(isPassing === null ? [] : [isPassing ? words.passing : words.lasting]),
          ...(payments.now.open > 0 ? [words.open(payments.now.open)] : []),
        ],
        decide: words.decide,
        wording: wordingOf(context, 'summarize-failure'),
        tags: ['payment'],
        figures: { ...payments.now, changePercent, isPassing },
      })
    }),
  ],
}

export const commerce: readonly Definition[] = [stockDecision, paymentFailureReview]
