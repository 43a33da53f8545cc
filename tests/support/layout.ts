/** What does not fit on a page: the page itself scrolling sideways, text that is cut off or small, and targets that a finger misses. */
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
      // A fold says itself that it cuts.
      if (/hidden|clip/.test(overflowY) && !each.matches('.long:has(+ .unfold)') && box.bottom > edge.bottom + 3) {
        found.push('cut at the bottom: ' + name)
        break
      }
      if (/auto|scroll/.test(overflowX + overflowY)) break
    }
  }
  return [...new Set(found)]
})()`

/** The names of a center and of a person are cut on purpose: the menus behind them have them whole. */
const allowed = /center-name|person-name/

const misfitsNow = async (page: Page): Promise<string[]> =>
  ((await page.evaluate(script)) as string[]).filter((each) => !allowed.test(each))

export async function misfits(page: Page): Promise<string[]> {
  const found: string[] = []
  const before = page.viewportSize()
  for (const size of narrowViews) {
    await page.setViewportSize(size)
    // The line of words folds after the page has its new width.
    let here = await misfitsNow(page)
    for (let again = 0; here.length > 0 && again < 20; again += 1) {
      await page.waitForTimeout(100)
      here = await misfitsNow(page)
    }
    found.push(...here.map((each) => `${size.width}: ${each}`))
  }
  if (before) await page.setViewportSize(before)
  return found
}

/** Text below 14 px, and what a finger presses below 44 px. A link within a sentence is as high as its line. */
export const tooSmall = `(() => {
  const found = []
  const name = (element) => element.tagName.toLowerCase() + '.' + element.className + ' "' + (element.textContent || element.ariaLabel || element.name || '').trim().slice(0, 30) + '"'
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('.unseen, .skip, [inert]')
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    // The letters of a seal are drawn; zero hides a word beside its drawing.
    if (!texts.currentNode.data.trim() || element.closest('script, style, svg.seal, .unseen') || !isSeen(element)) continue
    const svg = element.closest('svg')
    const size = parseFloat(getComputedStyle(element).fontSize) * (svg?.viewBox.baseVal?.width ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1)
    if (size > 0 && size < 13.95) found.push(size.toFixed(1) + ' px of text: ' + name(element))
  }
  const within = (element) => {
    const display = getComputedStyle(element).display
    if (display !== 'inline') return false
    const block = element.parentElement.closest('p, li, dd, td, div, span, small, label, h1, h2, h3')
    return block && block.textContent.trim().length > element.textContent.trim().length
  }
  for (const element of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [role=option], [role=menuitem]')) {
    const label = element.matches('[type=checkbox], [type=radio], [type=file]') ? element.closest('label') ?? (element.id && document.querySelector('label[for="' + element.id + '"]')) : null
    const target = label || element
    if (!isSeen(target) || element.disabled || within(element)) continue
    const { width, height } = target.getBoundingClientRect()
    if (width === 0) continue
    if (height < 43.9 || width < 43.9) found.push('a target of ' + width.toFixed() + ' x ' + height.toFixed() + ': ' + name(target))
  }
  return [...new Set(found)]
})()`
