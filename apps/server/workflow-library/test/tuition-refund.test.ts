/** Refunds of tuition as annex 4 has them, case by case. */
import { describe, expect, it } from 'vitest'
import { type TuitionRefundInput, tuitionFault, tuitionRefund, tuitionRules } from '../tuition-refund.ts'

/** A month of twelve lessons for 300,000 won, in which three have been taught. */
const month: TuitionRefundInput = {
  ...{ cause: 'learner', on: '2026-11-10', firstDay: '2026-11-02', lastDay: '2026-11-30' },
  ...{ paid: 300_000, months: 1, month: 1, taught: 3, total: 12 },
}
const quarter: Partial<TuitionRefundInput> = { lastDay: '2027-01-31', paid: 900_000, months: 3 }

describe('what is refunded at least', () => {
  it.each<[what: string, input: Partial<TuitionRefundInput>, amount: number, of: string]>([
    ['before the first lesson: everything', { on: '2026-11-01', taught: 0 }, 300_000, 'everything'],
    ['on the first day, before anything was taught: two thirds', { on: '2026-11-02', taught: 0 }, 200_000, '2/3'],
    ['before a third has passed: two thirds', { taught: 3 }, 200_000, '2/3'],
    ['just before a third', { taught: 3.99 }, 200_000, '2/3'],
    ['exactly a third has passed: half', { taught: 4 }, 150_000, '1/2'],
    ['before half has passed: half', { taught: 5 }, 150_000, '1/2'],
    ['just before half', { taught: 5.99 }, 150_000, '1/2'],
    ['exactly half has passed: nothing', { taught: 6 }, 0, 'nothing'],
    ['all of it was taught: nothing', { taught: 12 }, 0, 'nothing'],
    ['a third that is no whole number: 3 of 10 are before it', { taught: 3, total: 10 }, 200_000, '2/3'],
    ['and 4 of 10 after it', { taught: 4, total: 10 }, 150_000, '1/2'],
    ['a part of a won is a whole one', { paid: 100_000 }, 66_667, '2/3'],
    ['one won', { paid: 1, taught: 4 }, 1, '1/2'],
    ['three months, before the first lesson', { ...quarter, on: '2026-10-30', taught: 0 }, 900_000, 'everything'],
    ['three months, early in the first: two thirds of it, two whole', { ...quarter }, 800_000, '2/3'],
    ['three months, late in the first: two whole', { ...quarter, taught: 6 }, 600_000, 'nothing'],
    ['three months, a third of the second: half of it, one whole', { ...quarter, month: 2, taught: 4 }, 450_000, '1/2'],
    ['three months, half of the last: nothing', { ...quarter, month: 3, taught: 6 }, 0, 'nothing'],
    ['three months that do not divide', { ...quarter, paid: 100_000, taught: 4 }, 83_334, '1/2'],
    ['the academy closes on the first day: everything', { cause: 'academy', on: '2026-11-02' }, 300_000, 'byDays'],
    ['the academy closes with 10 of 29 days left', { cause: 'academy', on: '2026-11-21' }, 103_449, 'byDays'],
    ['the academy closes on the last day', { cause: 'academy', on: '2026-11-30' }, 10_345, 'byDays'],
    ['the academy closes after the period', { cause: 'academy', on: '2026-12-01' }, 0, 'byDays'],
    ['the academy closes before it begins', { cause: 'academy', on: '2026-10-20' }, 300_000, 'everything'],
  ])('%s', (_, input, amount, of) => {
    const refund = tuitionRefund({ ...month, ...input })
    expect([refund.amount, refund.of]).toEqual([amount, of])
    expect(refund.ofMonth + refund.ofLater).toBe(amount)
  })

  it('never more than was paid, and less the more was taught', () => {
    for (const paid of [1, 99_999, 300_000, 1e9]) {
      for (const months of [1, 2, 7, 12]) {
        const amounts = Array.from({ length: months }, (_, at) =>
          Array.from({ length: 13 }, (__, taught) => {
            const { amount } = tuitionRefund({ ...month, paid, months, month: at + 1, taught })
            return amount
          }),
        ).flat()
        expect(Math.max(...amounts)).toBeLessThanOrEqual(paid)
        expect(amounts).toEqual(amounts.toSorted((a, b) => b - a))
      }
    }
  })

  it('within five days, over the end of a month and a leap day', () => {
    const due = (on: string) => tuitionRefund({ ...month, on, firstDay: '2020-03-31', lastDay: '2030-01-01' }).dueOn
    expect(['2026-11-10', '2026-11-28', '2028-02-26'].map(due)).toEqual(['2026-11-15', '2026-12-03', '2028-03-02'])
  })
})

describe('the table', () => {
  it('says its source and when it was compared; each version begins after the one before', () => {
    for (const { source, compared, from } of tuitionRules) {
      expect(source).toMatch(/시행령.*별표 4/)
      expect(compared > from).toBe(true)
    }
    const days = tuitionRules.map(({ from }) => from)
    expect(days).toEqual([...new Set(days)].sort())
  })

  it('of the day on which the reason arose applies, and none is made up for days before the first', () => {
    const [first] = tuitionRules
    expect(tuitionRefund(month).rule.from).toBe(first?.from)
    expect(tuitionFault({ ...month, on: '2020-03-30' })).toContain("isn't known here")
    expect(tuitionFault({ ...month, on: '2020-03-31' })).toBeNull()
  })

  it('is not applied to what contradicts itself', () => {
    expect(tuitionFault(month)).toBeNull()
    expect(tuitionFault({ ...month, lastDay: '2026-11-01' })).toContain('before it begins')
    expect(tuitionFault({ ...month, month: 2 })).toContain('month 2')
    expect(tuitionFault({ ...month, taught: 13 })).toContain('13 of 12')
  })
})
