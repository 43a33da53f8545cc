/** The links of mails open pages: an invitation, a new account, a new password. */
import { languages } from '@countersign/pages/words.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildConsole } from '../../tools/build-console.ts'
import { type Desk, openDesk, plain } from '../support/pages-fixture.ts'
import { violations } from './axe.ts'
import { openBrowser } from './browser.ts'

let browser: Browser
let desk: Desk

beforeAll(async () => {
  await buildConsole()
  ;[browser, desk] = [await openBrowser(), await openDesk()]
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await desk?.close()
})

/** The newest address in a mail to this person. */
async function linkTo(email: string, path: string): Promise<string> {
  await desk.server.services.mail.close()
  const letter = desk.mailbox.messages.findLast(({ to, text }) => to.includes(email) && plain(text).includes(path))
  const found = plain(letter?.text ?? '')
    .split(/[\s"<>]+/)
    .find((word) => word.startsWith(`${desk.origin}${path}`))
  if (!found) throw new Error(`no address ${path} was mailed to ${email}`)
  return found
}

it('an account is opened from the mailed link, in Korean', async () => {
  const words = languages.ko
  const email = 'director@people.example'
  const page = await desk.open(browser, `${desk.origin}/signup`, { locale: 'ko-KR' })
  await page.getByRole('heading', { name: words.signUpTitle }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByLabel(words.yourName).fill('김하늘')
  await page.locator('input[type=email]').fill(email)
  await submit(page)
  await page.getByText(words.signUpDoneTitle).waitFor()
  await page.goto(await linkTo(email, '/signup/'))
  await page.getByRole('heading', { name: words.openTitle }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.locator('input[type=password]').fill('first password 1')
  await submit(page)
  await page.getByText(words.openDoneTitle).waitFor()
  await page.getByRole('link', { name: words.toSignIn }).click()
  await desk.signIn(page, { actorId: '', email, password: 'first password 1' })
  await page.waitForURL('**/onboarding')
  await page.context().close()
})

const submit = (page: Page) => page.locator('form button[type=submit]').click()

it.each([
  ['ko', 'ko-KR', 'dark'],
  ['en', 'en-US', 'light'],
] as const)(
  'invited, a password, signed in, forgotten, a new password: in %s',
  async (language, locale, colorScheme) => {
    const words = languages[language]
    const admin = await desk.person('관리자')
    const { accessToken: token } = await desk.server.signIn(admin, desk.center.domain)
    const email = `new-${language}@people.example`
    const body = { email, role: 'INSTRUCTOR', approved: true }
    await desk.server.call('POST', `/api/centers/${desk.center.domain}/members`, { token, body })
    const invitation = await linkTo(email, '/invitations/')
    const page = await desk.open(browser, invitation, { locale, colorScheme })
    await page.getByRole('heading', { name: words.inviteTitle }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.locator('input[type=password]').fill('short')
    await submit(page)
    await page.getByText(words.passwordShort).waitFor()
    await page.locator('input[type=password]').fill('first password 1')
    await submit(page)
    await page.getByText(words.acceptedTitle).waitFor()
    await page.getByRole('link', { name: words.toSignIn }).click()
    await desk.signIn(page, { actorId: '', email, password: 'first password 1' })
    await page.waitForURL(`**/c/${desk.center.domain}**`)
    await page.goto(`${desk.origin}/account`)
    await page.getByRole('heading', { name: words.accountTitle }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.goto(invitation)
    await page.locator('input[type=password]').fill('first password 1')
    await submit(page)
    await page.getByText(words.badLinkTitle).waitFor()

    await page.goto(`${desk.origin}/password`)
    await page.locator('input[type=email]').fill(email)
    await submit(page)
    await page.getByText(words.forgotDoneTitle).waitFor()
    await page.goto(await linkTo(email, '/password/'))
    await page.getByRole('heading', { name: words.resetTitle }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.locator('input[type=password]').fill('second password 2')
    await submit(page)
    await page.getByText(words.resetDoneTitle).waitFor()
    await page.getByRole('link', { name: words.toSignIn }).click()
    await desk.signIn(page, { actorId: '', email, password: 'second password 2' })
    await page.waitForURL(`**/c/${desk.center.domain}**`)
    expect([desk.complaints, desk.foreign]).toEqual([[], []])
    await page.context().close()
  },
)

it('from the custom domain of a center to the host of the service and back, in Korean', async () => {
  const words = languages.ko
  const name = '바다발달센터'
  const center = await desk.server.world.center({ name, customDomain: 'bada.localhost', tenantType: 'WHITE_LABEL' })
  const person = await desk.person('김바다', 'INSTRUCTOR', center)
  const site = `http://bada.localhost:${new URL(desk.origin).port}`
  const context = await browser.newContext({ locale: 'ko-KR', viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text())
  })
  // The address of the way back has https and no port; this server has neither.
  await page.route('https://bada.localhost/**', (route) =>
    route.fulfill({
      status: 302,
      headers: { location: route.request().url().replace('https://bada.localhost', site) },
    }),
  )
  await page.goto(`${site}/signin`)
  await page.getByRole('heading', { name }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: words.signIn }).click()
  await page.waitForURL(`${desk.origin}/signin/${center.domain}?handoff=*`)
  await page.locator('input[type=email]').waitFor()
  expect(await violations(page)).toEqual([])
  await desk.signIn(page, person)
  await page.waitForURL((url) => url.origin === site && !url.pathname.startsWith('/signin'))
  const me = await page.evaluate(`fetch('/api/auth/me').then((answer) => answer.json())`)
  expect(me).toMatchObject({ data: { authorizedDomains: [center.domain] } })
  expect(complaints).toEqual([])
  await context.close()
})
