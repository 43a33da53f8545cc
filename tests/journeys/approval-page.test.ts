/** From a mail to a seal, in a real browser at the width of a phone. */
import { languages } from '@countersign/pages/words.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../support/pages-fixture.ts'
import { openBrowser } from './browser.ts'

let browser: Browser
let desk: Desk

beforeAll(async () => {
  ;[browser, desk] = [await openBrowser(), await openDesk()]
  await desk.policy()
})
afterAll(async () => {
  await browser?.close()
  await desk?.close()
})

it.each([
  ['ko', 'ko-KR', 'light'],
  ['en', 'en-US', 'dark'],
] as const)('mail, sign-in, read, approve, sealed, verified: in %s', async (language, locale, colorScheme) => {
  const words = languages[language]
  const shot = (name: string) =>
    process.env.SHOTS &&
    page.screenshot({ path: `${process.env.SHOTS}/${name}-${language}.png`, fullPage: name.endsWith('full') })
  const approver = await desk.person('박서연')
  const id = await desk.record()
  const page = await desk.open(browser, `/approve/${id}`, { locale, colorScheme })
  await page.getByRole('heading', { name: words.signInTitle }).waitFor()
  await shot('signin')
  await desk.signIn(page, approver)
  await page.locator('#approve').waitFor()
  await page.waitForTimeout(500)
  await shot('decision')
  await shot('decision-full')
  await page.locator('#approve').click()
  await page.locator('.stamp').waitFor()
  await page.waitForTimeout(500)
  await shot('sealed')
  await shot('sealed-full')
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
})
