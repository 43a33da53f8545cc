/**
 * What the console tells without being asked: banners that appear and go, a message after each change with the way back, the
 * question before something typed is lost, and the first pages of guardians, developers and partners. TEST_PICTURES=1 keeps pictures
 * in `.dev/told`.
 */
import { mkdirSync } from 'node:fs'
import center from '@countersign/words/ko/center.json' with { type: 'json' }
import developers from '@countersign/words/ko/developers.json' with { type: 'json' }
import done from '@countersign/words/ko/done.json' with { type: 'json' }
import family from '@countersign/words/ko/family.json' with { type: 'json' }
import partner from '@countersign/words/ko/partner.json' with { type: 'json' }
import today from '@countersign/words/ko/today.json' with { type: 'json' }
import ui from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

const folder = new URL('../../.dev/told', import.meta.url).pathname
let desk: ConsoleDesk
let admin: Person
let guardian: Person
let at: string

beforeAll(async () => {
  desk = await openConsole()
  if (process.env.TEST_PICTURES) mkdirSync(folder, { recursive: true })
  admin = await desk.person('박서연')
  guardian = await desk.person('이하늘', 'PARENT')
  at = `/c/${desk.center.domain}`
  await desk.server.world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
     select $1, plan_id, 'ACTIVE', billing_cycle, now() + interval '20 days', seat_limit
     from directory.plan_versions order by plan_id, version limit 1 on conflict do nothing`,
    [desk.center.id],
  )
}, 180_000)
afterAll(() => desk?.close())

const query = (text: string, values: unknown[] = []) => desk.server.world.query(text, [desk.center.id, ...values])
const banner = (page: Page) => page.locator('.banners').getByRole('status')
const message = (page: Page) => page.locator('.done-line').getByRole('status')
const dialog = (page: Page) => page.getByRole('dialog')

async function look(page: Page, name: string): Promise<void> {
  for (const language of ['ko', 'en'] as const) {
    await restyle(page, { language })
    if (process.env.TEST_PICTURES) await page.screenshot({ path: `${folder}/${name}-${language}.png` })
    expect(await misfits(page)).toEqual([])
    expect(await violations(page)).toEqual([])
  }
  await restyle(page, { language: 'ko' })
}

it('banners name what is wrong, the worst first, lead to where it ends, and go with it', {
  timeout: 120_000,
}, async () => {
  // A suspended center takes no new members, which the next tests and a second attempt need.
  onTestFinished(async () => {
    await query("update directory.subscriptions set status = 'ACTIVE' where center_id = $1")
    await query('update cell.webhooks set active = false, deleted_at = now() where center_id = $1')
  })
  await query("update directory.subscriptions set status = 'SUSPENDED' where center_id = $1")
  const { body } = await desk.server.call('POST', '/api/webhooks', {
    token: (await desk.server.signIn(admin, desk.center.domain)).accessToken,
    // Nothing is sealed here: an attempt at the same time would write its own count of failures.
    body: { url: 'https://receiver.example/hook', events: ['dpu.sealed'] },
  })
  const { id } = body.data ?? body
  await query(
    "update cell.webhook_endpoints set failures = 9, failing_since = now() - interval '1 hour' where center_id = $1",
  )
  const page = await desk.visit(admin, `${at}/today`)
  await banner(page).getByText(ui.subscriptionSUSPENDED).waitFor()
  expect(await banner(page).count()).toBe(1)
  await page.locator('.banners-more').click()
  expect(await banner(page).count()).toBe(2)
  await look(page, 'banners')
  await page.getByRole('link', { name: ui.webhookOpen }).click()
  await page.waitForURL(`**/developers/webhooks/${id}`)
  // A guardian hears of the suspension, and of nothing that they cannot change.
  const other = await desk.visit(guardian, `${at}/family`, { width: 360, height: 780 })
  await banner(other).getByText(ui.subscriptionSUSPENDED).waitFor()
  expect(await banner(other).count()).toBe(1)
  expect(await other.locator('.banners').getByRole('link').count()).toBe(0)
  await look(other, 'guardian-banner')
  await query("update directory.subscriptions set status = 'ACTIVE' where center_id = $1")
  await query('update cell.webhook_endpoints set failures = 0, failing_since = null where center_id = $1')
  for (const each of [page, other]) {
    await each.reload()
    await settled(each)
    expect(await banner(each).count()).toBe(0)
    await each.context().close()
  }
})

it('Enter submits a dialog, Escape asks before it loses what was typed, and the message takes it back', {
  timeout: 120_000,
}, async () => {
  const page = await desk.visit(admin, `${at}/members`)
  await settled(page)
  const open = page.getByRole('button', { name: center.inviteTitle }).first()
  await open.click()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await open.click()
  const email = dialog(page).getByLabel(center.email)
  await email.fill('minji@example.com')
  await page.keyboard.press('Escape')
  await dialog(page).getByText(ui.unsavedText).waitFor()
  if (process.env.TEST_PICTURES) await page.screenshot({ path: `${folder}/unsaved.png` })
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog(page).getByRole('button', { name: ui.unsavedStay }).click()
  expect(await email.inputValue()).toBe('minji@example.com')
  await dialog(page).getByLabel(center.inviteName, { exact: true }).fill('김민지')
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
  await message(page).getByText(done.invited.replace('{name}', '김민지')).waitFor()
  await look(page, 'invited')
  await page.context().close()
})

it('a form that was not saved is asked about before its page is left, and not after it was saved', {
  timeout: 120_000,
}, async () => {
  const page = await desk.visit(admin, `${at}/bookings/hours`)
  await settled(page)
  const name = page.locator('form.closing input:not([type=date])')
  await name.fill('여름 휴가')
  await page.getByRole('link', { name: ui.navToday, exact: true }).click()
  await dialog(page).getByText(ui.unsavedText).waitFor()
  await dialog(page).getByRole('button', { name: ui.unsavedStay }).click()
  expect(new URL(page.url()).pathname).toBe(`${at}/bookings/hours`)
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  await page.locator('form.closing input[type=date]').first().fill(day)
  await name.press('Enter')
  await message(page).getByText(done.daysClosed.replace('{name}', '여름 휴가')).waitFor()
  await page.locator('.done-line').getByRole('button', { name: ui.undo }).click()
  await message(page).getByText(ui.undone).waitFor()
  await expect.poll(() => page.locator('.closed-days').getByText('여름 휴가').count()).toBe(0)
  await page.getByRole('link', { name: ui.navToday, exact: true }).click()
  await page.waitForURL('**/today')
  await page.getByText(today.recordsIntact).waitFor()
  await look(page, 'today')
  await page.context().close()
})

it('a guardian begins with what comes next, on a phone; developers and partners with what waits', {
  timeout: 120_000,
}, async () => {
  const child = await desk.person('이서윤', 'CHILD')
  const instructor = await desk.person('김민준', 'INSTRUCTOR')
  await desk.server.world.guardian(guardian, child, desk.center)
  for (const [days, status] of [
    [2, 'booked'],
    [-3, 'attended'],
    [-5, 'no_show'],
  ] as const) {
    await query(
      `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status)
       select $1, gen_random_uuid(), $2, $3, $2, s, s + interval '40 minutes', now(), $5
       from (select date_trunc('hour', now()) + $4 * interval '1 day' as s) t`,
      [instructor.actorId, child.actorId, days, status],
    )
  }
  const phone = await desk.visit(guardian, at, { width: 360, height: 780 })
  await phone.waitForURL('**/family')
  await settled(phone)
  await phone.getByRole('region', { name: family.appointments }).getByText('김민준').first().waitFor()
  await look(phone, 'guardian')
  await phone.context().close()

  const dev = await desk.visit(admin, `${at}/developers`)
  await dev.getByRole('heading', { name: developers.attention }).waitFor()
  await look(dev, 'developers')
  await dev.context().close()

  const franchise = await desk.server.world.partner('franchise')
  const operator = await desk.person('최은희', 'INSTRUCTOR')
  await desk.server.world.account(operator, franchise, 'PARTNER_ADMIN')
  await desk.server.world.center({ partner: franchise, name: '별빛센터' })
  const suspended = await desk.server.world.center({ partner: franchise, name: '달빛센터' })
  await desk.server.world.setCenterStatus(suspended, 'SUSPENDED')
  const page = await desk.visit(operator, '/p')
  await page.getByText(partner.waitsSuspended.replace('{name, 이가}', '달빛센터가')).waitFor()
  await look(page, 'partner')
  await page.context().close()
})
