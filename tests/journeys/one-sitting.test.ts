/**
 * Three people set up a center in one sitting, with the waiting times of production: an account, the center, two invitations, a
 * rule that asks for two people, a key, and the first refund, which both approve on their phones from the mail. Then the same
 * center a day later: what has to wait says so, and why.
 */
import { words as approving } from '@countersign/console/approve/words.ts'
import enterKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import { plain, refund } from '../support/pages-fixture.ts'
import type { Person } from '../support/world.ts'
import { readAll } from './reading.ts'

const words = approving.ko
const password = 'first password 1'
const domain = 'saebom'
let desk: ConsoleDesk
beforeAll(async () => {
  desk = await openConsole({ ELIGIBILITY_SECONDS: '86400', RULES_WAIT_SECONDS: '259200' })
}, 180_000)
afterAll(() => desk?.close())

/** The newest address in a mail to this person. */
async function linkTo(email: string, path: string): Promise<string> {
  const found = () =>
    desk.mailbox.messages
      .toReversed()
      .filter(({ to }) => to.includes(email))
      .flatMap(({ text }) => plain(text).split(/[\s"<>]+/))
      .find((word) => word.startsWith(`${desk.origin}${path}`))
  await expect.poll(found, { timeout: 15_000 }).toBeDefined()
  return found() as string
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const someone = (email: string): Person => ({ actorId: '', email, password })
const director = someone('director@people.example')
const head = someone('head@people.example')
const owner = someone('owner@people.example')

async function inviteAdministrator(page: Page, email: string, name: string): Promise<void> {
  await page.goto(`${desk.origin}/c/${domain}/members`)
  await button(page, '구성원 초대').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('이메일').fill(email)
  await dialog.getByLabel(/이름/).fill(name)
  await dialog.getByRole('radio', { name: /^관리자/ }).check()
  await dialog.getByRole('button', { name: '초대 메일 보내기' }).click()
  await page.getByRole('link', { name: new RegExp(`${name}.*초대됨`) }).waitFor()
  const invited = await desk.open(desk.browser, await linkTo(email, '/invitations/'))
  await invited.locator('input[type=password]').fill(password)
  await invited.keyboard.press('Enter')
  await invited.getByText(enterKo.acceptedActive).waitFor()
  await invited.context().close()
}

/** On a phone, from the mail. Returns the page after the button was pressed. */
async function approve(person: Person, id: string): Promise<Page> {
  const page = await desk.open(desk.browser, await linkTo(person.email, `/approve/${id}`))
  await desk.signIn(page, person)
  await readAll(page)
  await page.locator('#approve').click()
  return page
}

async function ask(key: string): Promise<string> {
  const { body } = await desk.server.call('POST', '/api/v1/decision-events', { token: key, body: refund })
  return body.data.id
}

let key: string

it('on the first day nothing has to wait', async () => {
  const page = await desk.visit(null, '/signup')
  await page.getByLabel(enterKo.yourName).fill('김하늘')
  await page.locator('input[type=email]').fill(director.email)
  await page.keyboard.press('Enter')
  await page.goto(await linkTo(director.email, '/signup/'))
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: enterKo.enter }).click()
  await desk.signIn(page, director)
  await button(page, '새 센터 만들기').click()
  await page.getByLabel('센터 이름').fill('새봄발달센터')
  await page.getByLabel('센터 아이디').fill(domain)
  await page.getByRole('radio', { name: /Growth/ }).check()
  await page.getByText('사용할 수 있는 아이디입니다').waitFor()
  await button(page, '센터 만들기').click()
  await page.waitForURL(`**/c/${domain}/**`)

  await inviteAdministrator(page, head.email, '이원장')
  await inviteAdministrator(page, owner.email, '박대표')
  await page.goto(`${desk.origin}/c/${domain}/members`)
  await page.getByRole('link', { name: /이원장/ }).click()
  await page.getByRole('article').getByRole('heading', { name: '이원장' }).waitFor()
  expect(await page.getByText('승인 효력 시작').count()).toBe(0)

  await page.goto(`${desk.origin}/c/${domain}/policies?policy=new`)
  await page.getByLabel('정책 이름').fill('큰 환불')
  await page.getByLabel('승인자').selectOption('ADMIN2')
  await page.getByLabel('본인 확인 방법').selectOption('session')
  await button(page, '버전 1 저장').click()
  await page.getByText('첫 버전입니다.').waitFor()

  await page.goto(`${desk.origin}/c/${domain}/developers/keys`)
  await button(page, '키 만들기').click()
  await page.locator('dialog input:not([type])').first().fill('환불 봇')
  await page.locator('dialog input[placeholder]').fill('agent-refunds')
  await page.locator('dialog .btn.first').click()
  key = (await page.locator('.dev-secret code').textContent()) as string
  await page.context().close()

  const id = await ask(key)
  const first = await approve(head, id)
  await first.getByText(words.firstTitle).waitFor()
  const last = await approve(owner, id)
  await last.locator('.stamp').waitFor()
  await Promise.all([first.context().close(), last.context().close()])
  const { body } = await desk.server.call('GET', `/api/v1/decision-events/${id}`, { token: key })
  expect(body.data.status).toBe('sealed')
}, 180_000)

it('a day later a new approver waits, is told why, and is confirmed by another administrator', async () => {
  // The clock: the center, and what it knows of its people, are older by two days.
  await desk.server.world.query(
    `update directory.centers set created_at = created_at - interval '2 days' where domain = $1`,
    [domain],
  )
  const page = await desk.visit(director, `/c/${domain}/members`)
  const teacher = someone('teacher@people.example')
  await inviteAdministrator(page, teacher.email, '최선생')
  await page.getByRole('link', { name: /최선생/ }).click()
  await page.getByText('승인 효력 시작').waitFor()
  await page.getByText('아무도 모르게 승인자가 늘어나는 일을 막기 위해서입니다.').waitFor()
  // Whoever invited them does not confirm them.
  await page.getByText('이 변경을 하지 않은 다른 관리자가').waitFor()
  expect(await button(page, '역할 확인').count()).toBe(0)
  await page.context().close()

  const id = await ask(key)
  const early = await approve(teacher, id)
  await early.getByText(words.stopnewRole).waitFor()

  const other = await desk.visit(head, `/c/${domain}/members`)
  await other.getByRole('link', { name: /최선생/ }).click()
  await button(other, '역할 확인').click()
  await other.getByText('승인 효력 시작').waitFor({ state: 'detached' })
  await other.context().close()

  await early.reload()
  await readAll(early)
  await early.locator('#approve').click()
  await early.getByText(words.firstTitle).waitFor()
  await early.context().close()
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
}, 180_000)
