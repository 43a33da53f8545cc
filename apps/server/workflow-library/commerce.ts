/** Commerce: what to order, and what to do about a payment that failed. */
import { amount, change, lastOfEach, mostKept, outcomes, round1 } from './figures.ts'
import { tag, whole } from './parameters.ts'
import { daysSince } from './period.ts'
import { workflow } from './workflow.ts'

/** Days that stock lasts beyond the delivery of an order made now. */
const slackOf = (item: { onHand: number; dailySales: number; leadDays: number }): number =>
  item.dailySales === 0 ? Number.MAX_VALUE : item.onHand / item.dailySales - item.leadDays

export const stockDecision = workflow({
  key: 'commerce.stock-decision',
  trigger: { cron: '0 6 * * *' },
  parameters: {
    tag: tag('stock', 'What counts are tagged; `action.input` holds `sku`, `onHand`, `dailySales` and `leadDays`'),
    safetyDays: whole(0, 90, 3, 'Days that stock should last beyond the delivery'),
    coverDays: whole(0, 90, 14, 'Days that an order should cover'),
    staleDays: whole(1, 30, 7, 'A count is too old after so many days'),
  },
  steps: ['collect-counts', 'weigh-stock', 'draft-decision'],
  period: { days: 30 },
  reads: { counts: { tagged: 'tag', during: [-30, 'now'] } },
  count: ({ counts }, { at: now }) => {
    const { last, unreadable } = lastOfEach(counts, 'sku', { onHand: amount, dailySales: amount, leadDays: amount })
    const items = last
      .map(([sku, { at, ...numbers }]) => ({ sku, ...numbers, ageDays: daysSince(at, now) }))
      .sort((a, b) => slackOf(a) - slackOf(b))
    const plentiful = Math.max(0, items.length - mostKept)
    return { records: counts.length, unreadable, articles: items.length, items: items.slice(0, mostKept), plentiful }
  },
  // An article is ordered where it does not last until the delivery and the safety days.
  weigh: ({ articles, items, plentiful }, { safetyDays, coverDays, staleDays }) => {
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
    return { articles, orders, stale, enough: fresh.length - orders.length + plentiful }
  },
  tags: ['stock', 'daily'],
})

/** Reasons that are usually temporary and do not need the customer. */
const passing = /timeout|unavailable|network|try_again|processing/i

export const paymentFailureReview = workflow({
  key: 'commerce.payment-failure-review',
  trigger: { event: 'payment.failed' },
  parameters: { tag: tag('payment', 'What decisions about payments are tagged') },
  steps: ['collect-payments', 'weigh-failure', 'summarize-failure', 'draft-review'],
  period: { days: 30 },
  reads: { decisions: { tagged: 'tag', during: 'period' }, earlier: { tagged: 'tag', during: 'before' } },
  count: ({ decisions, earlier }, { event }) => {
    const { reason, amount: paid, currency } = event?.data ?? {}
    const failure = event && {
      reason: typeof reason === 'string' ? reason.slice(0, 100) : 'unknown',
      amount: typeof paid === 'number' ? paid : null,
      currency: typeof currency === 'string' ? currency.trimEnd() || null : null,
    }
    const now = outcomes(decisions)
    return { failure, ...now, now, before: outcomes(earlier) }
  },
  weigh: ({ failure, now, before }) => {
    const isPassing = failure && passing.test(failure.reason)
    const aPaymentFailed = failure !== null
    return { changePercent: change(now.total, before.total), isPassing, isLasting: isPassing === false, aPaymentFailed }
  },
  model: {
    task: 'In at most three sentences, tell the staff of a shop what happened with this payment and how decisions about payments have gone lately.',
    when: ['failure', 'total'],
    // The reason is a text of a caller, so the model gets only whether it is temporary.
    facts: ['now', 'before', 'changePercent', 'isPassing', 'aPaymentFailed'],
  },
  figures: ['total', 'approved', 'rejected', 'open', 'meanRisk', 'changePercent', 'isPassing'],
  tags: ['payment'],
})
