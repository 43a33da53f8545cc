/** A director gives herself the role of an instructor, another administrator confirms it, she is booked, and she approves as one. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled, type View } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { choose, press } from './keyboard.ts'
import { readAll } from './reading.ts'

let desk: ConsoleDesk
let director: Person
let other: Person

beforeAll(async () => {
  desk = await openConsole({ ELIGIBILITY_SECONDS: '86400' })
  director = await desk.person('박서연')
  other = await desk.person('이현우')
  await desk.person('정도윤', 'CHILD')
  await desk.server.services.eligibility.deliver()
  // The center is a month old: roles that are new wait.
  await desk.server.world.query(
    `update directory.centers set created_at = now() - interval '30 days' where id = $1`,
    [desk.center.id],
    true,
  )
  const open = [{ from: '09:00', to: '18:00' }]
  const { accessToken: token } = await desk.server.signIn(director, desk.center.domain)
  await desk.server.call('PATCH', `/api/centers/${desk.center.domain}/settings`, {
    token,
    body: { timezone: 'Asia/Seoul', booking: { slotMinutes: 60, openingHours: { mon: open } } },
  })
  await desk.policy({ name: '큰 환불', approval: { steps: [{ title: '담당', roles: ['INSTRUCTOR'] }] } })
}, 180_000)
afterAll(() => desk?.close())

const monday = (() => {
  const day = new Date(Date.now() + 8 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
})()

const visit = (person: Person, path: string, view: View = {}): Promise<Page> =>
  desk.visit(person, `/c/${desk.center.domain}${path}`, view)
const dialog = (page: Page) => page.getByRole('dialog')
/** SHOTS names a folder for pictures. */
const picture = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null

async function openMember(page: Page, name: RegExp): Promise<void> {
  await settled(page)
  await press(page.getByRole('link', { name }).first())
}

it('from the role to the seal, on a desktop and on a phone', { timeout: 240_000 }, async () => {
  const page = await visit(director, '/members')
  await openMember(page, /박서연/)
  await press(page.getByRole('button', { name: '역할 변경' }))
  const save = dialog(page).getByRole('button', { name: '역할 변경' })
  expect(await save.isDisabled()).toBe(true)
  await press(dialog(page).getByRole('checkbox', { name: /강사/ }))
  await dialog(page).getByText('강사 역할로 하는 승인은 하루 뒤부터 유효하며').waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await picture(page, 'roles-dialog-ko')
  await press(save)
  await page.getByRole('link', { name: /박서연.*관리자 · 강사/ }).waitFor()
  await page.getByText('역할을 변경했습니다. 박서연 님의 현재 역할: 관리자 · 강사').waitFor()
  await page.getByText('강사 역할의 승인 효력 시작').waitFor()
  // Nobody confirms a change of their own.
  expect(await page.getByRole('button', { name: '역할 확인' }).count()).toBe(0)
  await picture(page, 'roles-sheet-ko')

  const id = await desk.record()
  const early = await desk.visit(director, `/approve/${id}`, { width: 360, height: 780 })
  await readAll(early)
  await early.locator('#approve').click()
  await early.locator('#fault').filter({ visible: true }).waitFor()
  await picture(early, 'roles-early-360')
  await early.context().close()

  const colleague = await visit(other, '/members', { width: 360, height: 780 })
  await openMember(colleague, /박서연/)
  await press(colleague.getByRole('button', { name: '역할 확인' }))
  await colleague.getByText('강사 역할의 승인 효력 시작').waitFor({ state: 'detached' })
  await colleague.context().close()

  await page.goto(`${desk.origin}/c/${desk.center.domain}/bookings?date=${monday}`)
  await press(page.getByRole('button', { name: '예약하기', exact: true }))
  await choose(dialog(page).getByRole('radio', { name: '정도윤' }))
  await choose(dialog(page).getByRole('radio', { name: /오전 10:00/ }))
  await press(dialog(page).getByRole('button', { name: '이 시간으로 예약' }))
  await page.getByRole('button', { name: /정도윤.*박서연/ }).waitFor()

  const approval = await desk.visit(director, `/approve/${id}`, { width: 360, height: 780 })
  await readAll(approval)
  await approval.locator('#approve').click()
  await approval.locator('.stamp').waitFor()
  const { accessToken: token } = await desk.server.signIn(director, desk.center.domain)
  const { body } = await desk.server.call('GET', `/api/decisions/${id}`, { token })
  expect(body.data.status).toBe('sealed')
  await approval.context().close()
  await page.context().close()
})

it('taking the role away names the appointment that stays, in English on a phone', { timeout: 120_000 }, async () => {
  const page = await visit(other, '/members', { width: 360, height: 780, language: 'en' })
  await openMember(page, /박서연/)
  await picture(page, 'roles-sheet-en-360')
  await press(page.getByRole('button', { name: 'Change roles' }))
  await press(dialog(page).getByRole('checkbox', { name: /Teacher/ }))
  await dialog(page).getByText('1 upcoming lesson stays with this teacher').waitFor()
  await dialog(page).getByText('Approvals as Teacher stop counting right away').waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await picture(page, 'roles-dialog-en-360')
  await press(dialog(page).getByRole('link', { name: 'Show lessons' }))
  await page.getByText('정도윤').first().waitFor()
  await page.goBack()
  await settled(page)
  await page.context().close()
})
