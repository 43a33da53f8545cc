/** The links of mails open pages: an invitation, a new account and its first center, a new password. */
import enterEn from '@countersign/words/en/entry.json' with { type: 'json' }
import drafts from '@countersign/words/ko/drafts.json' with { type: 'json' }
import enterKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk, plain } from '../support/pages-fixture.ts'
import { saidIn } from '../support/said.ts'
import { violations } from './axe.ts'
import { openBrowser } from './browser.ts'
import { choose, press, signInByKeyboard, withoutPointer, write } from './keyboard.ts'

let browser: Browser
let desk: Desk

beforeAll(async () => {
  ;[browser, desk] = [await openBrowser(), await openDesk()]
  desk.server.services.workflows.start()
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

it('by keyboard: a director signs up, opens a center, invites, books and reviews the weekly draft', async () => {
  const words = enterKo
  const [email, teacher, password] = ['director@people.example', 'teacher@people.example', 'first password 1']
  const open = async (path: string) => {
    const opened = await desk.open(browser, path, { locale: 'ko-KR', viewport: { width: 1440, height: 900 } })
    return withoutPointer(opened)
  }
  const page = await open('/signup')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  await page.getByRole('heading', { name: words.signUpTitle }).waitFor()
  expect(await violations(page)).toEqual([])
  await write(page.getByLabel(words.yourName), '김하늘')
  await write(page.locator('input[type=email]'), email)
  await page.keyboard.press('Enter')
  await page.getByText(words.mailTitle).waitFor()
  await page.goto(await linkTo(email, '/signup/'))
  await page.getByRole('heading', { name: words.accountTitle }).waitFor()
  expect(await violations(page)).toEqual([])
  await write(page.locator('input[type=password]'), password)
  await page.keyboard.press('Enter')
  await press(page.getByRole('link', { name: words.enter }))
  await signInByKeyboard(page, { email, password })
  await page.waitForURL('**/onboarding')
  await press(button('새 센터 만들기'))
  await write(page.getByLabel('센터 이름'), '새봄발달센터')
  await write(page.getByLabel('센터 아이디'), 'saebom')
  await choose(page.getByRole('radio', { name: /Growth/ }))
  await page.getByText('사용할 수 있는 아이디입니다').waitFor()
  expect(await violations(page)).toEqual([])
  await press(button('센터 만들기'))
  await page.waitForURL('**/c/saebom/**')

  await page.goto(`${desk.origin}/c/saebom/members`)
  await press(button('구성원 초대'))
  await write(dialog.getByLabel('이메일'), teacher)
  await write(dialog.getByLabel(/이름/), '이선생')
  await press(dialog.getByRole('button', { name: '초대 메일 보내기' }))
  await page.getByRole('link', { name: /이선생.*초대됨/ }).waitFor()
  const invited = await open(await linkTo(teacher, '/invitations/'))
  await write(invited.locator('input[type=password]'), password)
  await invited.keyboard.press('Enter')
  await invited.getByText(words.acceptedActive).waitFor()
  await invited.context().close()

  await page.goto(`${desk.origin}/c/saebom/families`)
  await press(button('이용자 등록'))
  await write(dialog.getByLabel('이름'), '정도윤')
  await press(dialog.getByRole('button', { name: '이용자 등록' }))
  await page.getByRole('link', { name: /정도윤/ }).waitFor()
  await page.goto(`${desk.origin}/c/saebom/bookings?date=${openDay()}`)
  await press(button('예약하기'))
  await choose(dialog.getByRole('radio', { name: '정도윤' }))
  await choose(dialog.getByRole('radio', { name: /오전/ }).first())
  await press(dialog.getByRole('button', { name: '이 시간으로 예약' }))
  await page.getByRole('button', { name: /정도윤.*이선생/ }).waitFor()

  await page.goto(`${desk.origin}/c/saebom/workflows`)
  await press(button('지금 실행'))
  const run = page.getByRole('link', { name: /직접 실행/ })
  await run.waitFor()
  await press(run)
  await page.getByText(drafts.waits).waitFor({ timeout: 30_000 })
  expect(await violations(page)).toEqual([])
  await write(page.getByLabel(drafts.comment, { exact: true }), '출석부와 맞추어 보았습니다.')
  await press(button(drafts.seal))
  await page.getByText(drafts.sealed).waitFor()
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
}, 120_000)

/** A day of the next week on which the new center is open. */
function openDay(): string {
  const day = new Date(Date.now() + 7 * 86_400_000)
  // Monday to Friday.
  while (day.getUTCDay() % 6 === 0) day.setUTCDate(day.getUTCDate() + 1)
  return day.toISOString().slice(0, 10)
}

const submit = (page: Page) => page.locator('form button[type=submit]').click()

it.each([
  ['ko', 'ko-KR', 'dark'],
  ['en', 'en-US', 'light'],
] as const)(
  'invited, a password, signed in, forgotten, a new password: in %s',
  async (language, locale, colorScheme) => {
    const words = saidIn({ ko: enterKo, en: enterEn }[language], language)
    const admin = await desk.person('관리자')
    const { accessToken: token } = await desk.server.signIn(admin, desk.center.domain)
    const email = `new-${language}@people.example`
    const body = { email, role: 'INSTRUCTOR', approved: true }
    await desk.server.call('POST', `/api/centers/${desk.center.domain}/members`, { token, body })
    const invitation = await linkTo(email, '/invitations/')
    const page = await desk.open(browser, invitation, { locale, colorScheme })
    const [{ name } = {}] = await desk.server.world.query<{ name: string }>(
      'select name from directory.centers where id = $1',
      [desk.center.id],
    )
    const named = (text: string) => text.replace('{name}', name as string)
    await page.getByRole('heading', { name: named(words.inviteTitle) }).waitFor()
    await page.getByText(words.roleINSTRUCTOR).waitFor()
    await page.getByLabel(words.yourName).fill('한이안')
    expect(await violations(page)).toEqual([])
    await page.locator('input[type=password]').fill('short')
    await submit(page)
    await page.getByText(words.passwordShort).waitFor()
    await page.locator('input[type=password]').fill('first password 1')
    await submit(page)
    await page.getByRole('heading', { name: named(words.acceptedTitle) }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: named(words.goCenter) }).click()
    await page.waitForURL(`**/c/${desk.center.domain}**`)
    await page.goto(`${desk.origin}/account`)
    await page.waitForURL('**/me')
    await page.goto(invitation)
    await page.getByText(words.badLinkTitle).waitFor()

    await page.goto(`${desk.origin}/password`)
    await page.locator('input[type=email]').fill(email)
    await submit(page)
    await page.getByText(words.mailTitle).waitFor()
    await page.goto(await linkTo(email, '/password/'))
    await page.getByRole('heading', { name: words.resetTitle }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.locator('input[type=password]').fill('second password 2')
    await submit(page)
    await page.getByText(words.resetDoneTitle).waitFor()
    await page.getByRole('link', { name: words.enter }).click()
    await desk.signIn(page, { actorId: '', email, password: 'second password 2' })
    await page.waitForURL(`**/c/${desk.center.domain}**`)
    expect([desk.complaints, desk.foreign]).toEqual([[], []])
    await page.context().close()
  },
)

it('from the custom domain of a center to the host of the service and back, in Korean', async () => {
  const words = enterKo
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
  await page.getByRole('button', { name: words.enter }).click()
  await page.waitForURL(`${desk.origin}/signin/${center.domain}?handoff=*`)
  await page.locator('input[type=email]').waitFor()
  expect(await violations(page)).toEqual([])
  await desk.signIn(page, person)
  await page.waitForURL((url) => url.origin === site && !url.pathname.startsWith('/signin'))
  const me = await page.evaluate(`fetch('/api/auth/me').then((answer) => answer.json())`)
  expect(me).toMatchObject({ data: { authorizedDomains: [center.domain], confined: true } })
  expect(complaints).toEqual([])
  await context.close()
})
