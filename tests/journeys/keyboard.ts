/** A page by keyboard alone. Each helper moves the focus with Tab, and fails where Tab does not lead to the element. */
import type { Locator, Page } from 'playwright-core'

/** Presses Tab until an element that matches has the focus. */
export async function reach(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${selector} cannot be reached with Tab`)
}

export async function pressAt(page: Page, selector: string): Promise<void> {
  await reach(page, selector)
  await page.keyboard.press('Enter')
}

export async function signInByKeyboard(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.locator('h1').waitFor()
  await reach(page, 'input[type=email]')
  await page.keyboard.insertText(person.email)
  await reach(page, 'input[type=password]')
  await page.keyboard.insertText(person.password)
  await page.keyboard.press('Enter')
}

/** What is read of an element; the types of the browser are not part of the tests. */
interface Target {
  readonly ownerDocument: Scope & { readonly activeElement: Target; readonly defaultView: Window }
  readonly parentElement: Target | null
  readonly nextElementSibling: Target | null
  readonly labels?: Iterable<Target> | null
  getBoundingClientRect(): Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>
  readonly type: string
  readonly tabIndex: number
  readonly checked: boolean
  readonly options: Iterable<{ readonly value: string; readonly label: string }>
  readonly selectedIndex: number
  matches(selector: string): boolean
  checkVisibility(): boolean
}
interface Window {
  readonly innerWidth: number
  readonly innerHeight: number
  getComputedStyle(of: Target, part: string): Readonly<Record<'outlineStyle' | 'outlineWidth' | 'boxShadow', string>>
}
interface Scope {
  querySelector(selector: string): Scope | null
  querySelectorAll(selector: string): Iterable<Target>
}

const pointerGuard = `addEventListener('pointerdown', () => console.error('a pointer was used'), true)`

/** From now on a pointer on this page is a complaint of the browser, which the journeys do not accept. */
export async function withoutPointer(page: Page): Promise<Page> {
  await page.addInitScript(pointerGuard)
  await page.evaluate(pointerGuard)
  return page
}

/**
 * How far the element is from the focus in the order of Tab, as the document states it: negative backwards. A guess that saves a
 * look after each press; what has the focus afterwards decides. Of a group of radio buttons one is in the order.
 */
function distance(element: Target): number {
  const { ownerDocument: page } = element
  const scope = page.querySelector('dialog:modal') ?? page
  const stops = [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  const order = stops.filter((each) => {
    if (each.tabIndex < 0 || each.matches(':disabled, [inert] *') || !each.checkVisibility()) return false
    return each.type !== 'radio' || each === element || each.checked
  })
  return order.indexOf(element) - order.indexOf(page.activeElement)
}

/** An outline of the control, of its label, of what stands after it or frames it, or a shadow of it; and a part of it is in the window. */
function focusFault(element: Target): string {
  const { defaultView: window } = element.ownerDocument
  const labels = [...(element.labels ?? [])]
  const frames = [element.parentElement, element.parentElement?.parentElement, element.nextElementSibling, ...labels]
  const isDrawn = [element, ...frames].some(
    (each) =>
      each &&
      ['', '::before', '::after'].some((part) => {
        const { outlineStyle, outlineWidth, boxShadow } = window.getComputedStyle(each, part)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || (each === element && boxShadow !== 'none')
      }),
  )
  const isInWindow = [element, ...labels].some((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect()
    return right > 0 && bottom > 0 && left < window.innerWidth && top < window.innerHeight
  })
  return isDrawn ? (isInWindow ? '' : 'has the focus outside the window') : 'shows no focus'
}

/** The focus of a keyboard is drawn, perhaps after a transition. */
async function mustShowFocus(locator: Locator): Promise<void> {
  let fault = 'shows no focus'
  for (let looks = 0; looks < 10 && fault !== ''; looks++) {
    if (looks > 0) await locator.page().waitForTimeout(50)
    fault = await locator.evaluate(focusFault)
  }
  if (fault !== '') throw new Error(`${locator} ${fault}`)
}

const hasFocus = (element: Target): boolean => element === element.ownerDocument.activeElement
const mostPresses = 150

export async function tabTo(locator: Locator): Promise<void> {
  await locator.waitFor()
  const page = locator.page()
  const guess = await locator.evaluate(distance)
  for (let presses = 0; presses < Math.abs(guess); presses++) await page.keyboard.press(guess > 0 ? 'Tab' : 'Shift+Tab')
  for (let presses = 0; presses < mostPresses; presses++) {
    if (await locator.evaluate(hasFocus)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${locator} cannot be reached with Tab`)
}

/** The arrows move within a menu that is open, and within some lists. */
async function arrowTo(locator: Locator): Promise<void> {
  await locator.waitFor()
  for (let presses = 0; presses < mostPresses; presses++) {
    if (await locator.evaluate(hasFocus)) return
    await locator.page().keyboard.press('ArrowDown')
  }
  throw new Error(`${locator} cannot be reached with the arrows`)
}

/** A link, a button, a checkbox, an item of a menu. A field of text has the focus then, and no more is pressed. */
export async function press(locator: Locator): Promise<void> {
  await (await locator.elementHandle())?.waitForElementState('enabled')
  const { isItem, isInside, ticks, takesText } = await locator.evaluate((element: Target) => ({
    isItem: element.matches('[role^=menuitem]'),
    isInside: element.matches('ol [tabindex="-1"]'),
    ticks: element.matches('[type=checkbox], [type=file]'),
    takesText: element.matches('input:not([type]), [type=text], [type=search], [type=email], textarea'),
  }))
  // Tab leads to the first of a list, and the arrows within it.
  if (isInside) await tabTo(locator.locator('xpath=ancestor::ol[1]').locator('[tabindex="0"]').first())
  await (isItem || isInside ? arrowTo : tabTo)(locator)
  await mustShowFocus(locator)
  if (!takesText) await locator.page().keyboard.press(ticks ? 'Space' : 'Enter')
}

/** Shortcuts of one letter are off until the person turns them on. */
export const useSingleKeys = (page: Page): Promise<void> =>
  page
    .evaluate(`localStorage.setItem('countersign-preferences', JSON.stringify({ singleKeys: true }))`)
    .then(() => page.reload())
    .then(() => {})

/** Replaces what a field has. */
export async function write(locator: Locator, text: string): Promise<void> {
  await tabTo(locator)
  await mustShowFocus(locator)
  await locator.page().keyboard.press('ControlOrMeta+a')
  await locator.page().keyboard.insertText(text)
}

/** One of a group of radio buttons: Tab leads to the group, the arrows within it. */
export async function choose(locator: Locator): Promise<void> {
  await locator.waitFor()
  const { page, group } = { page: locator.page(), group: await locator.getAttribute('name') }
  const inGroup = () => page.evaluate(`document.activeElement.name === ${JSON.stringify(group)}`)
  for (let presses = 0; !(await inGroup()); presses++) {
    if (presses > mostPresses) throw new Error(`${locator} cannot be reached with Tab`)
    await page.keyboard.press('Tab')
  }
  const size = await page.locator(`input[name="${group}"]`).count()
  for (let presses = 0; presses < size && !(await locator.isChecked()); presses++) {
    const here = await locator.evaluate(hasFocus)
    await page.keyboard.press(here ? 'Space' : 'ArrowDown')
  }
  if (!(await locator.isChecked())) throw new Error(`${locator} cannot be chosen with the arrows`)
  await mustShowFocus(locator)
}

/** An option of a list, by its value: opened, and chosen with the arrows. */
export async function pick(locator: Locator, value: string): Promise<void> {
  await tabTo(locator)
  await mustShowFocus(locator)
  const { from, to } = await locator.evaluate(
    ({ options, selectedIndex }: Target, wanted: string) => ({
      from: selectedIndex,
      to: [...options].findIndex((each) => each.value === wanted || each.label === wanted),
    }),
    value,
  )
  if (to < 0) throw new Error(`${locator} has no option ${value}`)
  const { keyboard } = locator.page()
  await keyboard.press('Alt+ArrowDown')
  for (let at = from; at !== to; at += Math.sign(to - from)) await keyboard.press(to > from ? 'ArrowDown' : 'ArrowUp')
  await keyboard.press('Enter')
}
