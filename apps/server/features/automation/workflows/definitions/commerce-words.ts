/** What the drafts of commerce say, in English and Korean. */
import type { Order, Payments, Stock, StockDecision } from './commerce.ts'

export const stockWords = {
  en: {
    title: 'Stock decision',
    basis: ({ records, unreadable, items, plentiful }: Stock, { orders, enough }: StockDecision, tag: string) => [
      `${records} counts tagged «${tag}»${unreadable > 0 ? `, ${unreadable} of them incomplete` : ''}; the last one of each of ${items.length + plentiful} articles`,
      `${orders.length} to order, ${enough} with enough`,
    ],
    order: ({ sku, onHand, daysLeft, quantity }: Order) =>
      `${sku}: order ${quantity}; ${onHand} left, for ${daysLeft} days`,
    stale: ({ sku, ageDays }: { sku: string; ageDays: number }) => `${sku}: counted ${ageDays} days ago, count again`,
    decide: [
      'Which of these orders are placed, and in which quantity?',
      'Is a season or a campaign coming that sales do not show?',
    ],
  },
  ko: {
    title: '재고 결정',
    basis: ({ records, unreadable, items, plentiful }: Stock, { orders, enough }: StockDecision, tag: string) => [
      `「${tag}」 태그 재고 기록 ${records}건${unreadable > 0 ? `, 그중 불완전한 기록 ${unreadable}건` : ''}, 품목 ${items.length + plentiful}개의 마지막 기록 기준`,
      `발주 필요 ${orders.length}개, 충분 ${enough}개`,
    ],
    order: ({ sku, onHand, daysLeft, quantity }: Order) =>
      `${sku}: ${quantity}개 발주, 현재 ${onHand}개로 ${daysLeft}일분`,
    stale: ({ sku, ageDays }: { sku: string; ageDays: number }) => `${sku}: ${ageDays}일 전 기록, 다시 세어야 함`,
    decide: ['어떤 품목을 몇 개 발주할지', '판매량에 드러나지 않은 성수기나 행사가 있는지'],
  },
}

export const paymentWords = {
  en: {
    title: 'Payment failure review',
    basis: ({ failure, now, before: then }: Payments) => [
      failure
        ? `a payment failed: ${failure.reason}${failure.amount === null ? '' : `, ${failure.amount} ${failure.currency ?? ''}`.trimEnd()}`
        : 'started by hand, without a payment that failed',
      `decisions about payments: ${now.total} in 30 days (${then.total} in the 30 before), ${now.rejected} rejected, ${now.open} open`,
    ],
    passing: 'a reason that usually passes: try the payment again before the customer is asked',
    lasting: 'a reason that needs the customer: another card or another way to pay',
    open: (count: number) => `${count} decisions about payments are still open`,
    decide: ['Try again, ask the customer, or cancel the order?', 'Is the order held back until then?'],
  },
  ko: {
    title: '결제 실패 검토',
    basis: ({ failure, now, before: then }: Payments) => [
      failure
        ? `결제 실패: ${failure.reason}${failure.amount === null ? '' : `, ${failure.amount} ${failure.currency ?? ''}`.trimEnd()}`
        : '실패한 결제 없이 직접 실행함',
      `결제 관련 결정: 30일 동안 ${now.total}건(그 전 30일 ${then.total}건), 반려 ${now.rejected}건, 미결 ${now.open}건`,
    ],
    passing: '일시적인 사유: 고객에게 묻기 전에 다시 결제를 시도할 것',
    lasting: '고객의 조치가 필요한 사유: 다른 카드나 결제 수단 필요',
    open: (count: number) => `결제 관련 미결 결정 ${count}건`,
    decide: ['다시 시도할지, 고객에게 물을지, 주문을 취소할지', '그때까지 주문을 보류할지'],
  },
}
