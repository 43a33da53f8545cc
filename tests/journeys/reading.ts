/** A decision is read to its end before it can be approved: by the button that goes on reading. */
import type { Page } from 'playwright-core'

const state = `(() => {
  const bar = document.querySelector('.read-bar')
  return { isRead: bar?.classList.contains('all') ?? false, text: bar?.querySelector('#state')?.textContent ?? '', y: scrollY }
})()`
const mostPresses = 120
/** In one task of the page: between a look and a later click the last value may come into view, and the click would approve. */
const goOn = `(() => {
  if (!document.querySelector('.read-bar')?.classList.contains('all')) document.querySelector('#approve').click()
})()`

/** Presses until every value was in view, and returns how often. A press right after the last one would count for nothing. */
export async function readAll(page: Page, press?: () => Promise<unknown>): Promise<number> {
  await page.locator('#approve').waitFor()
  const go = press ?? (() => page.evaluate(goOn))
  for (let presses = 0; presses < mostPresses; presses++) {
    const before = await stable(page)
    if (before.isRead) {
      await page.waitForTimeout(650)
      return presses
    }
    await go()
  }
  throw new Error('the decision was not read to its end')
}

interface State {
  readonly isRead: boolean
  readonly text: string
}

/** When nothing scrolls any more. */
async function stable(page: Page): Promise<State> {
  for (let last = ''; ; ) {
    const seen = await page.evaluate<State>(state)
    if (seen.isRead || JSON.stringify(seen) === last) return seen
    last = JSON.stringify(seen)
    await page.waitForTimeout(120)
  }
}
