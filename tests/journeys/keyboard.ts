import type { Page } from 'playwright-core'

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
