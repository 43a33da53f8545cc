/**
 * What a private academy in Korea has to refund at least: annex 4 of the enforcement decree of the act on private teaching institutes.
 * A version of the table holds from its date on. When the law changes, add a version: a refund whose reason arose before keeps its own.
 * Study rooms (독서실) and remote lessons are counted in another way and are not in these tables. Pure.
 */
import { addDays, daysBetween } from './period.ts'

interface TuitionRule {
  /** The first day on which a reason for a refund can arise under it. */
  readonly from: string
  readonly source: string
  /** When somebody last compared the table with its source. */
  readonly compared: string
  /** The refund is due this many days after the reason arose. */
  readonly days: number
  /** The share of a month’s fee that is refunded before this share of its lessons has passed, in ascending order; after the last, nothing. */
  readonly shares: readonly { readonly before: Fraction; readonly refunds: Fraction }[]
}
type Fraction = readonly [part: number, of: number]

export const tuitionRules: readonly TuitionRule[] = [
  {
    from: '2020-03-31',
    source: '학원의 설립·운영 및 과외교습에 관한 법률 시행령 제18조제3항 별표 4 (2020. 3. 31. 개정)',
    compared: '2026-11-19',
    days: 5,
    shares: [
      { before: [1, 3], refunds: [2, 3] },
      { before: [1, 2], refunds: [1, 2] },
    ],
  },
]

export interface TuitionRefundInput {
  /** `learner`: gives up the lessons. `academy`: cannot teach or offer the room any more, or keeps the learner away. */
  readonly cause: 'learner' | 'academy'
  /** When the reason arose, and the period that was paid for; local dates. */
  readonly on: string
  readonly firstDay: string
  readonly lastDay: string
  /** In won, for the whole period. */
  readonly paid: number
  /** How many months of equal fee the period has, and in which of them the reason arose. */
  readonly months: number
  readonly month: number
  /** Of that month, in hours or in lessons of equal length. */
  readonly taught: number
  readonly total: number
}

export type RefundCase = 'everything' | 'byDays' | 'nothing' | `${number}/${number}`
export interface TuitionRefund {
  readonly rule: TuitionRule
  /** What is refunded of the month in which the reason arose. */
  readonly of: RefundCase
  readonly amount: number
  /** The amount again as the month in question and the months after it, which are refunded whole. */
  readonly ofMonth: number
  readonly ofLater: number
  readonly dueOn: string
}

/** What is wrong with the input as a whole; null if nothing is. */
export function tuitionFault({
  on,
  firstDay,
  lastDay,
  months,
  month,
  taught,
  total,
}: TuitionRefundInput): string | null {
  if (lastDay < firstDay) return `The period ends on ${lastDay}, before it begins on ${firstDay}.`
  if (month > months) return `The reason arose in month ${month}, but ${months} were paid for.`
  if (taught > total) return `${taught} of ${total} were taught; it can be ${total} at most.`
  const [first] = tuitionRules
  return first && on < first.from ? `The table for days before ${first.from} isn't known here.` : null
}

/** The table is what must be refunded at least, so a part of a won is a whole one. */
export function tuitionRefund(input: TuitionRefundInput): TuitionRefund {
  const { cause, on, firstDay, lastDay, paid, months, month, taught, total } = input
  const rule = tuitionRules.findLast(({ from }) => from <= on) as TuitionRule
  const refund = (of: RefundCase, amount: number, ofLater = 0): TuitionRefund => ({
    ...{ rule, of, amount, ofLater, ofMonth: amount - ofLater, dueOn: addDays(on, rule.days) },
  })
  if (on < firstDay) return refund('everything', paid)
  if (cause === 'academy') {
    const left = on > lastDay ? 0 : daysBetween(on, lastDay)
    return refund('byDays', Math.ceil((paid * left) / daysBetween(firstDay, lastDay)))
  }
  const share = rule.shares.find(({ before: [part, of] }) => taught * of < total * part)
  const [part, of] = share?.refunds ?? [0, 1]
  const later = months - month
  return refund(
    share ? `${part}/${of}` : 'nothing',
    Math.ceil((paid * (part + later * of)) / (months * of)),
    Math.ceil((paid * later) / months),
  )
}
