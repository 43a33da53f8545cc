/** What does not fit on a page: the page itself scrolling sideways, and text that is cut off. */
import type { Page } from 'playwright-core'

/** The narrowest phone that WCAG 1.4.10 names, and a screen of 1440 x 900 at 200 % zoom. */
const narrowViews = [
  { width: 320, height: 640 },
  { width: 720, height: 450 },
] as const

const script = `(() => {
  const width = document.documentElement.clientWidth
  const found = []
  if (document.documentElement.scrollWidth > width) found.push('the page scrolls to ' + document.documentElement.scrollWidth)
  // A region of its own may scroll: a table, code, the line of words.
  const scrolls = (element) => element && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (texts.nextNode()) {
    const node = texts.currentNode
    const element = node.parentElement
    if (!node.data.trim() || element.closest('script, style, .unseen, .skip, option, [hidden], svg')) continue
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    const name = element.tagName.toLowerCase() + '.' + element.className + ' "' + node.data.trim().slice(0, 40) + '"'
    if ((box.right > width + 1 || box.left < -1) && !scrolls(element)) found.push('outside of the page: ' + name)
    for (let each = element; each && each !== document.body; each = each.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(each)
      const edge = each.getBoundingClientRect()
      if (/hidden|clip/.test(overflowX) && (box.right > edge.right + 1 || box.left < edge.left - 1)) {
        found.push('cut at the side: ' + name)
        break
      }
      if (/hidden|clip/.test(overflowY) && box.bottom > edge.bottom + 3) {
        found.push('cut at the bottom: ' + name)
        break
      }
      if (/auto|scroll/.test(overflowX + overflowY)) break
    }
  }
  return [...new Set(found)]
})()`

/** The names of a center are cut on purpose: the menu behind them has them whole. */
const allowed = /center-name/

export async function misfits(page: Page): Promise<string[]> {
  const found: string[] = []
  const before = page.viewportSize()
  for (const size of narrowViews) {
    await page.setViewportSize(size)
    const here = (await page.evaluate(script)) as string[]
    found.push(...here.filter((each) => !allowed.test(each)).map((each) => `${size.width}: ${each}`))
  }
  if (before) await page.setViewportSize(before)
  return found
}
