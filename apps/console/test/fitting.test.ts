/** How many words fit on a line, beside the button that holds the others. */
import { expect, it } from 'vitest'
import { fittingCount } from '../ui/fitting.ts'

const copies = [40, 60, 50, 30]

it('all words, where there is room for them', () => {
  expect(fittingCount(copies, 10, 40 + 60 + 50 + 20, false)).toBe(3)
  expect(fittingCount(copies, 10, 40 + 60 + 50 + 30 + 30, true)).toBe(3)
})

it('as many as leave room for the button', () => {
  expect(fittingCount(copies, 10, 169, false)).toBe(2)
  expect(fittingCount(copies, 10, 209, true)).toBe(2)
  expect(fittingCount(copies, 10, 149, true)).toBe(1)
  expect(fittingCount(copies, 10, 79, true)).toBe(0)
})

it('none on a line of no width, and none of none', () => {
  expect(fittingCount(copies, 10, 0, true)).toBe(0)
  expect(fittingCount([30], 10, 100, true)).toBe(0)
})
