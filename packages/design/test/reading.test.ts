import { expect, it } from 'vitest'
import { readingOf } from '../reading.ts'

/** Parts of these heights, one below the other, behind a window of 100 that scrolls. */
function page(...heights: number[]) {
  let scrolled = 0
  const parts = heights.map((height, at) => {
    const top = heights.slice(0, at).reduce((sum, each) => sum + each, 0)
    return { getBoundingClientRect: () => ({ top: top - scrolled, bottom: top + height - scrolled }) }
  })
  const reading = readingOf(parts, () => ({ top: 0, bottom: 100 }))
  return {
    reading,
    scroll(by: number) {
      scrolled = Math.max(0, Math.min(scrolled + by, Math.max(0, heights.reduce((sum, each) => sum + each, 0) - 100)))
      return reading.look().length
    },
  }
}

it('counts what has been in view, and keeps it', () => {
  const { scroll } = page(40, 40, 40, 40)
  expect([scroll(0), scroll(60), scroll(-60)]).toEqual([2, 4, 4])
})

it('does not count a part whose middle was passed over, until it is read from above', () => {
  const { reading, scroll } = page(40, 300, 40)
  expect([scroll(0), scroll(280)]).toEqual([1, 2])
  expect(reading.ahead()).toBeLessThan(0)
  expect([scroll(-200), scroll(60), scroll(60), scroll(60)]).toEqual([2, 2, 2, 3])
})

it('does not count what has no height', () => {
  expect(page(40, 0, 40).scroll(0)).toBe(2)
})

it.each([[[40, 40, 40, 40, 40, 40]], [[30, 400, 30]], [[250, 250, 250]], [Array.from({ length: 200 }, () => 33)]])(
  'going on shows all of %j, and skips nothing',
  (heights) => {
    const { reading, scroll } = page(...heights)
    let presses = 0
    for (let seen = scroll(0); seen < heights.length; presses++) {
      expect(presses).toBeLessThan(200)
      const before = seen
      seen = scroll(reading.ahead())
      expect(seen).toBeGreaterThanOrEqual(before)
    }
    expect(reading.ahead()).toBe(0)
  },
)
