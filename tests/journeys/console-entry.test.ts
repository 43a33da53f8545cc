/** Into the console and out of it: by password and by passkey, in two tabs, in both languages and themes. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

let desk: ConsoleDesk
let director: Person

beforeAll(async () => {
  desk = await openConsole()
  director = await desk.person('박서연')
}, 180_000)
afterAll(() => desk?.close())

const person = (page: Page) => page.getByRole('button', { name: '박서연' })

it('signs in by password, changes language and theme, and signs out', async () => {
  const page = await desk.visit(null, '/me')
  await page.waitForURL('**/login?next=%2Fme')
  await page.getByRole('button', { name: '로그인', exact: true }).click()
  await page.getByText('이메일을 입력하세요.').waitFor()
  await desk.signIn(page, { ...director, password: 'not the password' })
  await page.getByText('이메일이나 비밀번호가 맞지 않습니다.').waitFor()
  expect(await violations(page)).toEqual([])
  await desk.signIn(page, director)
  await page.waitForURL('**/me')
  await page.getByRole('heading', { name: '내 정보' }).waitFor()
  await person(page).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Your profile' }).waitFor()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('heading', { name: 'Your profile' }).waitFor()
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('profile')
  await page.getByRole('option', { name: 'Profile', exact: true }).waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await page.keyboard.press('Escape')
  // Keys without a modifier do nothing until the person turns them on.
  await page.keyboard.press('?')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await person(page).click()
  await page.getByRole('menuitem', { name: 'Help for this page' }).click()
  await page.getByRole('dialog').waitFor()
  await page.getByLabel('Use single-letter shortcuts').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await page.keyboard.press('Escape')
  // The language is the account's, so every later sign-in would be in English too.
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await person(page).click()
  await page.getByRole('menuitemradio', { name: '한국어' }).click()
  expect((await saved).status()).toBe(200)
  await page.getByRole('menuitem', { name: '로그아웃' }).click()
  await page.waitForURL('**/login')
  await page.goto(`${desk.origin}/me`)
  await page.waitForURL('**/login?next=%2Fme')
  await page.context().close()
})

it('two tabs whose tokens expire at the same time both stay signed in', async () => {
  const one = await desk.visit(director, '/me')
  const other = await one.context().newPage()
  await other.goto(`${desk.origin}/me`)
  await Promise.all([settled(one), settled(other)])
  const error = { code: 'TOKEN_EXPIRED', message: 'The access token has expired.' }
  for (const page of [one, other]) {
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 401, json: { success: false, error } }), {
      times: 1,
    })
  }
  await Promise.all([one, other].map((page) => page.reload()))
  for (const page of [one, other]) {
    await page.getByText(director.email).first().waitFor()
  }
  // Signing out in one tab ends the other.
  await person(one).click()
  await one.getByRole('menuitem', { name: '로그아웃' }).click()
  await one.waitForURL('**/login')
  await other.reload()
  await other.waitForURL('**/login?next=%2Fme')
  await one.context().close()
})

it('registers a passkey in the profile, signs in with it, and ends the other session', async () => {
  const elsewhere = await desk.visit(director, '/me')
  const page = await desk.visit(director, '/me')
  await addAuthenticator(page)
  await page.getByLabel('패스키 이름').fill('업무용 전화기')
  await page.getByRole('button', { name: '패스키 등록' }).click()
  await page.getByRole('button', { name: '새 패스키로 서명' }).click()
  await page.getByText('패스키를 등록했습니다.').waitFor()
  await page.getByText('업무용 전화기').waitFor()
  expect(await violations(page)).toEqual([])
  await person(page).click()
  await page.getByRole('menuitem', { name: '로그아웃' }).click()
  await page.getByRole('button', { name: '패스키로 로그인' }).click()
  await page.waitForURL(`**/c/${desk.center.domain}**`)
  await page.goto(`${desk.origin}/me`)
  await page.getByRole('button', { name: '로그아웃' }).first().click()
  await page.getByText('다른 기기에는 로그인되어 있지 않습니다.').waitFor()
  await elsewhere.reload()
  await elsewhere.waitForURL('**/login?next=%2Fme')
  await Promise.all([page.context().close(), elsewhere.context().close()])
})

it('no request to another host, no complaint of the browser', () => {
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
