/** Appointments in the calendar of a phone: turned on, read, reset and turned off, from each page that has appointments. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk

beforeAll(async () => {
  desk = await openConsole()
}, 180_000)
afterAll(() => desk?.close())

const dialog = (page: Page) => page.getByRole('dialog')
const read = async (address: string) => (await desk.server.call('GET', new URL(address).pathname)).status

it.each([
  [
    'ko',
    'INSTRUCTOR',
    '/bookings',
    1280,
    ['캘린더 구독', '캘린더 구독 켜기', '새 주소 받기', '캘린더 구독 끄기', '이름 표시'],
  ],
  [
    ...(['en', 'PARENT', '/appointments', 360] as const),
    [
      'Calendar subscription',
      'Turn on calendar subscription',
      'Get new address',
      'Turn off calendar subscription',
      'Show names',
    ],
  ],
  [
    'ko',
    'PARENT',
    '/family',
    360,
    ['캘린더 구독', '캘린더 구독 켜기', '새 주소 받기', '캘린더 구독 끄기', '이름 표시'],
  ],
] as const)('%s, as %s from %s, %i pixels', { timeout: 120_000 }, async (language, role, path, width, words) => {
  const [link, on, reset, off, names] = words as readonly [string, string, string, string, string]
  const person = await desk.person('김민준', role)
  const page = await desk.visit(person, `/c/${desk.center.domain}${path}`, { language, width })
  await settled(page)
  await page.getByRole('link', { name: link }).click()
  await page.getByRole('button', { name: on }).click()
  const code = page.locator('.me-secret code')
  const first = (await code.textContent()) ?? ''
  expect(first).toMatch(/\/api\/calendar\/csc_[\w-]{43}\.ics$/)
  expect(await page.locator('a[href^="webcal:"]').getAttribute('href')).toBe(first.replace(/^https?:/, 'webcal:'))
  expect(await read(first)).toBe(200)
  await settled(page)
  expect(await violations(page)).toEqual([])
  expect(await misfits(page)).toEqual([])

  await page.getByRole('checkbox', { name: names }).check()
  await page.getByRole('button', { name: reset }).click()
  await dialog(page).getByRole('button', { name: reset }).click()
  await expect.poll(() => code.textContent()).not.toBe(first)
  const second = (await code.textContent()) ?? ''
  expect([await read(first), await read(second)]).toEqual([404, 200])

  // Shown once.
  await page.reload()
  await page.getByRole('button', { name: reset }).waitFor()
  expect(await code.count()).toBe(0)
  await expect.poll(() => page.getByRole('checkbox', { name: names }).isChecked()).toBe(true)
  await page.getByRole('button', { name: off }).click()
  await dialog(page).getByRole('button', { name: off }).click()
  await page.getByRole('button', { name: on }).waitFor()
  expect(await read(second)).toBe(404)
  await page.context().close()
})
