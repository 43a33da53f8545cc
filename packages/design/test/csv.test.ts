import { expect, it } from 'vitest'
import { csvLine } from '../csv.ts'

const starts = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠', '﹢', '﹣', ' =', '\u00a0=', '\u200b＝', '\n=']

it.each(starts)('a cell that begins with %j is text for a spreadsheet', (start) => {
  expect(csvLine([`${start}cmd`])).toMatch(/^"?'/)
})

it('other cells stay as they are', () => {
  expect(csvLine(['Haneul', ' a = b', '한울 (강남)', -3, null, true, 'a,"b"'])).toBe(
    'Haneul, a = b,한울 (강남),-3,,true,"a,""b"""\r\n',
  )
})
