/** People of a center and of a partner in the console: a director, a parent on a phone, a partner. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let director: Person
let instructor: Person
let child: Person

beforeAll(async () => {
  desk = await openConsole()
  instructor = await desk.person('김민준', 'INSTRUCTOR')
  child = await desk.person('정도윤', 'CHILD')
  director = await desk.person('박서연')
  const { accessToken } = await desk.server.signIn(director, desk.center.domain)
  const open = [{ from: '09:00', to: '18:00' }]
  await desk.server.call('PATCH', `/api/centers/${desk.center.domain}/settings`, {
    token: accessToken,
    body: { timezone: 'Asia/Seoul', booking: { slotMinutes: 60, openingHours: { mon: open } } },
  })
}, 180_000)
afterAll(() => desk?.close())

/** A Monday at least a week ahead, so that every slot of the day is still free. */
const monday = (() => {
  const day = new Date(Date.now() + 8 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
})()

const dialog = (page: Page) => page.getByRole('dialog')

it('a director invites a member, books, and cancels with a reason', async () => {
  const page = await desk.visit(director, `/c/${desk.center.domain}/members`)
  await page.getByRole('button', { name: '초대하기' }).click()
  await dialog(page).getByLabel('이메일').fill('new@haneul.example')
  await dialog(page).getByRole('button', { name: '초대 보내기' }).click()
  await page.getByRole('link', { name: /new@haneul\.example/ }).click()
  await page.getByText('아직 초대를 받아들이지 않았습니다.').waitFor()

  await page.goto(`${desk.origin}/c/${desk.center.domain}/bookings?date=${monday}`)
  await page.getByRole('button', { name: '예약하기' }).click()
  await dialog(page).getByRole('radio', { name: '정도윤' }).check()
  await dialog(page)
    .getByRole('radio', { name: /오전 10:00/ })
    .check()
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog(page).getByRole('button', { name: '이 시간으로 예약하기' }).click()
  const slip = page.getByRole('button', { name: /정도윤/ })
  await slip.click()
  await dialog(page).getByRole('button', { name: '예약 취소' }).click()
  await dialog(page).getByLabel('취소하는 까닭').fill('<b>입원</b>')
  await dialog(page).getByRole('button', { name: '취소하기' }).click()
  await page.getByText('<b>입원</b>').waitFor()
  expect(await violations(page)).toEqual([])

  await desk.server.world.query(
    `insert into cell.attendance (center_id, id, kind, source, client_id, reference, at, recorded_at)
     select $1, gen_random_uuid(), kind, 'event', client, reference, timestamptz '2026-03-02T01:00Z' + n * interval '1 day', now()
     from (values ('no_show', $2::uuid, null, 0), ('attended', $2, null, 1), ('attended', null, '<i>learner</i>', 2)) v (kind, client, reference, n)`,
    [desk.center.id, child.actorId],
  )
  await page.getByRole('link', { name: '출석부' }).click()
  await page.getByText('출석 2건, 결석 1건').waitFor()
  await page.getByText('<i>learner</i>').waitFor()
  await page.getByRole('button', { name: '정도윤' }).first().click()
  await page.getByText('출석 1건, 결석 1건').waitFor()
  await page.getByLabel('상태').selectOption('no_show')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.getByRole('row', { name: /정도윤.*결석/ }).waitFor()
  expect(await violations(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV로 내려받기' }).click(),
  ])
  expect((await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(2)
  await page.context().close()
})

it('a parent on a phone sees the appointment of a child and moves it', async () => {
  const parent = await desk.person('정미래', 'PARENT')
  await desk.server.world.guardian(parent, child, desk.center)
  const { accessToken } = await desk.server.signIn(instructor, desk.center.domain)
  const booked = await desk.server.call('POST', `/api/centers/${desk.center.domain}/bookings`, {
    token: accessToken,
    body: { instructorId: instructor.actorId, bookedFor: child.actorId, startsAt: `${monday}T02:00:00.000Z` },
  })
  expect(booked.status).toBe(201)
  const page = await desk.visit(parent, `/c/${desk.center.domain}`, { width: 390, height: 844 })
  await page.waitForURL('**/family')
  await page.getByRole('button', { name: /오전 11:00.*정도윤/ }).click()
  await dialog(page).getByRole('button', { name: '다른 시간으로 옮기기' }).click()
  await dialog(page)
    .getByRole('radio', { name: /오후 3:00/ })
    .check()
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog(page).getByRole('button', { name: '이 시간으로 옮기기' }).click()
  await page.getByRole('button', { name: /오후 3:00.*정도윤/ }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.context().close()
})

it('a partner creates a center whose address is checked while it is typed', async () => {
  const { world } = desk.server
  const partner = await world.person()
  const owner = await world.partner()
  await world.account(partner, owner, 'PARTNER_ADMIN')
  const policies = [{ name: '환불은 사람이 봅니다', match: {}, guards: { humanReview: true } }]
  await world.query(`update directory.partners set kind = 'franchise', settings = $2 where id = $1`, [
    owner.id,
    { newCenters: { policies } },
  ])
  const page = await desk.visit(partner, '/p')
  await page.getByRole('link', { name: '새 센터' }).click()
  await page.getByLabel('이름').fill('바다발달센터')
  await page.getByLabel('주소').fill('Ba')
  await page.getByText('3자에서 30자까지 쓰십시오.').waitFor()
  await page.getByLabel('주소').fill(desk.center.domain)
  await page.getByText('이미 쓰고 있습니다').waitFor()
  await page.getByLabel('주소').fill('bada-center')
  await page.getByText('쓸 수 있습니다').waitFor()
  await page.getByRole('button', { name: '센터 만들기' }).click()
  await page.getByRole('link', { name: /바다발달센터.*bada-center/ }).click()
  await page.getByRole('heading', { name: '바다발달센터' }).waitFor()
  await page.getByRole('button', { name: '끄기 환불은 사람이 봅니다' }).click()
  await page.getByRole('button', { name: '켜기 환불은 사람이 봅니다' }).waitFor()
  await page.getByText('2번째 판').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: '사슬' }).click()
  await page.getByRole('row', { name: /바다발달센터/ }).waitFor()
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
})
