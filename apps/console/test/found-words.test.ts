/** What was searched for is underlined where it is. */
import { expect, it } from 'vitest'
import { partsOf } from '../areas/decisions/found-words.ts'

const marked = (text: string, q: string | undefined) => {
  const parts = partsOf(text, q)
  expect(parts.map(([part]) => part).join('')).toBe(text)
  return parts.flatMap(([part, isFound]) => (isFound ? [part] : []))
}

it.each([
  ['이하늘 님에게 820,000원 환불', '하늘 환불', ['하늘', '환불']],
  ['Refund $1,640.00 to Haneul Lee', 'haneul REFUND 1640', ['Refund', '1,640', 'Haneul']],
  ['Refund 16400', '1640', []],
  ['Refund (a+b) now', '(a+b)', ['(a+b)']],
  ['Refund to Haneul', 'han haneul', ['Haneul']],
  ['İstanbul refund', 'refund', ['refund']],
  ['Refund', undefined, []],
  ['Refund', '   ', []],
] as const)('in “%s”, of “%s”', (text, q, found) => {
  expect(marked(text, q)).toEqual(found)
})
