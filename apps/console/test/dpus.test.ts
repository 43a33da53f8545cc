/** The first line of a content, and the filters in the address of the list of DPUs. */
import { expect, it, vi } from 'vitest'
import { dpusSearch, filtersOf } from '../areas/dpus/search.ts'
import { firstLine } from '../areas/dpus/text.ts'

it.each([
  ['# Weekly report\n\nText', 'Weekly report'],
  ['\n\n- **Refund** of `820`', 'Refund of 820'],
  ['Refund 820', 'Refund 820'],
  ['---\n\n', ''],
  ['', ''],
])('of %j it is %j', (content, line) => {
  expect(firstLine(content)).toBe(line)
})

it('what is no filter is left out', () => {
  // The clock of a center is that of the address.
  vi.stubGlobal('location', { pathname: '/c/haneul/dpus' })
  expect(filtersOf(dpusSearch({ level: 'NONE' as never, tag: '', workflow: 7 as never, from: 'x', to: 'y' }))).toEqual(
    {},
  )
  expect(filtersOf(dpusSearch({ level: 'DRAFT', tag: 'refund', from: '2026-11-01', to: '2026-11-30' }))).toEqual({
    evidenceLevel: 'DRAFT',
    tag: 'refund',
    from: expect.stringContaining('2026-'),
    to: expect.stringContaining('2026-'),
  })
  vi.unstubAllGlobals()
})
