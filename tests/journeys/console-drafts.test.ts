/** A draft from its run to its seal: the reviewer is told, finds it, edits it, signs it with a passkey and prints it; another is refused. */

import { tellPeopleJob } from '@countersign/server/features/identity/notifications/tell-people.job.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import draftsEn from '@countersign/words/en/drafts.json' with { type: 'json' }
import center from '@countersign/words/ko/center.json' with { type: 'json' }
import drafts from '@countersign/words/ko/drafts.json' with { type: 'json' }
import inbox from '@countersign/words/ko/inbox.json' with { type: 'json' }
import today from '@countersign/words/ko/today.json' with { type: 'json' }
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { plain } from '../support/pages-fixture.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const dayMs = 86_400_000
let desk: ConsoleDesk
let director: Person
let teacher: Person
let client: Person

beforeAll(async () => {
  desk = await openConsole()
  const { world } = desk.server
  await world.query("update directory.centers set vertical = 'rehabilitation' where id = $1", [desk.center.id], true)
  director = await desk.person('박서연')
  teacher = await desk.person('김민준', 'INSTRUCTOR')
  client = await desk.person('정도윤', 'CHILD')
  for (const days of [10, 17, 24]) {
    await world.query(
      `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
       values ($1, $2, $3, $4, $3, $5, $5::timestamptz + interval '50 minutes', now())`,
      [desk.center.id, newUuid(), teacher.actorId, client.actorId, new Date(Date.now() - days * dayMs)],
    )
  }
}, 180_000)
afterAll(() => desk?.close())

const address = (path: string): string => `/c/${desk.center.domain}${path}`
const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true })
const picture = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/draft-${name}.png`, fullPage: true })
}
const isNarrow = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth')

/** Runs the weekly summary and opens its draft. */
async function newDraft(page: Page): Promise<string> {
  await page.goto(desk.origin + address('/workflows'))
  await settled(page)
  await page.getByText('주간', { exact: false }).first().click()
  await settled(page)
  const runs = page.locator('ul.rows li a')
  const before = await runs.count()
  await button(page, center.runNow).click()
  await expect.poll(() => runs.count(), { timeout: 20_000 }).toBe(before + 1)
  await expect
    .poll(() => page.locator('ul.rows li').first().textContent(), { timeout: 20_000 })
    .toContain(center.runCOMPLETED)
  await runs.first().click()
  await page.locator('.draft-text').waitFor()
  return page.url()
}

async function confirmPasskey(person: Person): Promise<void> {
  const { server } = desk
  await server.services.passkeyOutbox.deliver()
  const { accessToken: token } = await server.signIn(await desk.person('최원장'), desk.center.domain)
  const path = `/api/centers/${desk.center.id}/members/${person.actorId}/passkeys`
  const { body } = await server.call('GET', path, { token })
  const { status, text } = await server.call('POST', `${path}/${body.data[0].id}/confirm`, { token, body: {} })
  if (status !== 200) throw new Error(text)
}

it('is sent, told, found, edited, signed with a passkey and printed', { timeout: 240_000 }, async () => {
  const hers = await desk.visit(teacher, address('/workflows'))
  const url = await newDraft(hers)
  const text = hers.locator('.draft-text')
  expect(await text.textContent()).toContain('정도윤')
  expect(await text.textContent()).not.toMatch(/…[0-9a-f]{8}/)
  await picture(hers, 'sheet')
  expect(await violations(hers)).toEqual([])
  await button(hers, drafts.send).click()
  const dialog = hers.getByRole('dialog')
  await dialog.getByLabel(drafts.sendTo).selectOption({ label: '박서연' })
  expect(await violations(hers, { dialog: true })).toEqual([])
  await button(dialog, drafts.sendDo).click()
  await hers.getByText('박서연 님에게 검토를 요청함').waitFor()

  await tellPeopleJob(desk.server.services, 'main')
  const mailed = () =>
    desk.mailbox.messages.some(
      ({ to, text: mail }) => to.includes(director.email) && plain(mail).includes('/workflows?workflow='),
    )
  await expect.poll(mailed, { timeout: 15_000 }).toBe(true)

  const page = await desk.visit(director, '/me')
  await addAuthenticator(page)
  await button(page, '패스키 등록').click()
  await button(page, '새 패스키로 서명').click()
  await page.getByText('패스키를 등록했습니다.').waitFor()
  await confirmPasskey(director)
  await page.goto(desk.origin + address('/today'))
  await page.getByText(today.sentToYou).first().waitFor()
  await picture(page, 'today')
  await page.goto(desk.origin + address('/inbox'))
  await page.getByText(inbox.sentDrafts).first().waitFor()
  await picture(page, 'inbox')
  await page.getByRole('region', { name: inbox.sentDrafts }).getByRole('link').first().click()
  await page.locator('.draft-text').waitFor()
  expect(new URL(page.url()).searchParams.get('run')).toBe(new URL(url).searchParams.get('run'))

  // Unsaved text asks before the page is left.
  await button(page, drafts.edit).click()
  const field = page.getByLabel(drafts.editorLabel, { exact: true })
  expect(await field.inputValue()).toContain('정도윤')
  await field.fill(`${await field.inputValue()}\n\n추가\n- 정도윤 보호자와 통화함 <img src=x onerror=alert(1)>`)
  await picture(page, 'editor')
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: '오늘', exact: true }).first().click()
  await page.getByText(drafts.discardAsk).waitFor()
  await page.keyboard.press('Escape')
  expect(await field.inputValue()).toContain('통화함')
  await button(page, drafts.save).click()
  await page.getByText(drafts.saved).waitFor()
  await page.locator('.draft-ours').waitFor()
  expect(await page.locator('.draft-ours').last().textContent()).toContain('정도윤 보호자와 통화함 <img src=x')
  expect(await page.locator('.draft-text img').count()).toBe(0)
  await picture(page, 'compared')
  expect(await violations(page)).toEqual([])

  await page.getByLabel(drafts.comment, { exact: true }).fill('예약과 대조함')
  await button(page, drafts.sealPasskey).click()
  const statement = page.getByRole('dialog')
  await statement.getByText(drafts.statementTitle).waitFor()
  await statement.getByText('박서연 님이 고친 글').waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await picture(page, 'statement')
  await button(statement, drafts.sign).click()
  await page.getByText(drafts.sealed).waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, drafts.proofDownload).click()])
  expect(file.suggestedFilename()).toMatch(/^dpu_.*\.jsonld$/)
  await picture(page, 'sealed')
  expect(await violations(page)).toEqual([])

  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.top').isVisible()).toBe(false)
  expect(await page.locator('.draft-tools').isVisible()).toBe(false)
  const paper = page.locator('.draft-paper .draft-text')
  expect(await paper.isVisible()).toBe(true)
  expect(await paper.textContent()).toContain('정도윤 보호자와 통화함')
  await page.getByText('하늘발달센터 ·').first().waitFor()
  await picture(page, 'paper')
  expect((await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(5_000)
  await page.emulateMedia({ media: 'screen' })

  const { body } = await desk.server.call('GET', `/api/dpu/${file.suggestedFilename().split('.')[0]}`, {
    token: (await desk.server.signIn(director, desk.center.domain)).accessToken,
  })
  expect(body.data).toMatchObject({ evidenceLevel: 'AUDIT_READY', draft: { editedBy: { name: '박서연' } } })
  // Names are shown, and never sealed.
  expect(body.data.draft.text).not.toContain('정도윤')
  await page.goto(`${desk.origin}/verify/${body.data.id}`)
  await page.getByText(body.data.id.slice(-8), { exact: false }).first().waitFor({ state: 'attached' })
})

it('is refused with a reason, on a phone, and opened again; two who edit lose no text', {
  timeout: 180_000,
}, async () => {
  const phone = await desk.visit(director, address('/workflows'), { width: 360, height: 780 })
  const url = await newDraft(phone)
  const other = await desk.visit(teacher, address('/workflows'))
  await other.goto(url)
  await button(other, drafts.edit).click()
  const theirs = other.getByLabel(drafts.editorLabel, { exact: true })
  await theirs.fill('김민준의 글')

  await button(phone, drafts.refuse).click()
  await phone.getByText(drafts.needReason).waitFor()
  await phone.getByLabel(drafts.comment, { exact: true }).fill('한 주가 빠졌습니다')
  await button(phone, drafts.refuse).click()
  await phone.getByText('한 주가 빠졌습니다').waitFor()
  await phone.getByText(drafts.refusedNext).waitFor()
  expect(await button(phone, drafts.seal).count()).toBe(0)
  expect(await isNarrow(phone)).toBe(true)
  expect(await violations(phone)).toEqual([])
  await picture(phone, 'refused-phone')

  // The other one began before the refusal: nothing is lost.
  await button(other, drafts.save).click()
  await other.getByText(drafts.contestTitle).waitFor()
  expect(await theirs.inputValue()).toBe('김민준의 글')
  expect(await violations(other)).toEqual([])
  await picture(other, 'contest')
  await button(other, drafts.contestMine).click()
  await other.getByText(drafts.saved).waitFor()
  await phone.reload()
  await phone.getByText('김민준의 글').first().waitFor()
  await restyle(phone, { language: 'en', theme: 'dark' })
  await button(phone, draftsEn.edit).waitFor()
  expect(await isNarrow(phone)).toBe(true)
  expect(await violations(phone)).toEqual([])
  await picture(phone, 'edited-phone-en')
})

it('has a schedule and thresholds that an administrator changes in words', { timeout: 120_000 }, async () => {
  const page = await desk.visit(director, address('/workflows'), { width: 360, height: 780 })
  await settled(page)
  // Not the draft of the same name above it.
  await page.getByText('다음 실행').first().click()
  await page.getByText('매주 월요일 07:00').waitFor()
  await button(page, drafts.settings).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(drafts.how).selectOption('weekly')
  await dialog.getByLabel(drafts.onDay).selectOption('5')
  await dialog.getByLabel(drafts.at).fill('18:00')
  expect(await violations(page, { dialog: true })).toEqual([])
  await picture(page, 'settings-phone')
  await button(dialog, drafts.saveSettings).click()
  await page.getByText('매주 금요일 18:00').waitFor()
  expect(await isNarrow(page)).toBe(true)
  await picture(page, 'schedule-phone')
})

it('complains about nothing', () => {
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
