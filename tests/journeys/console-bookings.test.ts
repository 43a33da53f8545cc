/** Bookings that save work: a series over holidays in a few clicks, moves by pointer and by keyboard, and the same on a phone. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled, type View } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let director: Person
let instructor: Person
let token: string

const dayMs = 86_400_000
/** A Monday in more than a week. */
const monday = (() => {
  const day = new Date(Date.now() + 8 * dayMs)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
})()
const later = (days: number) => new Date(Date.parse(monday) + days * dayMs).toISOString().slice(0, 10)
const call = (method: string, path: string, body?: unknown) =>
  desk.server.call(method, `/api/centers/${desk.center.domain}${path}`, { token, ...(body !== undefined && { body }) })

beforeAll(async () => {
  desk = await openConsole()
  director = await desk.person('박서연')
  instructor = await desk.person('김민준', 'INSTRUCTOR')
  await desk.person('정도윤', 'CHILD')
  await desk.person('강민서', 'CHILD')
  token = (await desk.server.signIn(director, desk.center.domain)).accessToken
  const open = [{ from: '09:00', to: '18:00' }]
  const openingHours = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, open]))
  await call('PATCH', '/settings', { timezone: 'Asia/Seoul', booking: { slotMinutes: 60, openingHours } })
}, 180_000)
afterAll(() => desk?.close())

const visit = (person: Person, path: string, view: View = {}): Promise<Page> =>
  desk.visit(person, `/c/${desk.center.domain}${path}`, view)
const dialog = (page: Page) => page.getByRole('dialog')
const picture = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null

/** Counts what a person presses; opening a list and choosing from it are two. */
function counted() {
  let clicks = 0
  return {
    clicks: () => clicks,
    async click(locator: Locator) {
      await locator.click()
      clicks++
    },
    async check(locator: Locator) {
      await locator.check()
      clicks++
    },
    async choose(locator: Locator, value: string) {
      await locator.selectOption(value)
      clicks += 2
    },
  }
}

/** From the middle of one to the middle of the other, as a hand does it. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await settled(page)
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('nothing to drag')
  await page.mouse.move(start.x + start.width / 2, start.y + 10)
  await page.mouse.down()
  await page.mouse.move(start.x + start.width / 2 + 12, start.y + 24, { steps: 3 })
  await page.mouse.move(end.x + end.width / 2, end.y + 12, { steps: 8 })
}

it('twelve weeks with two closed days in eight clicks at most', { timeout: 240_000 }, async () => {
  await call('POST', '/closures', { from: later(7), name: '개원 기념일' })
  await call('POST', '/closures', { from: later(35), name: '직원 연수' })
  const page = await visit(director, `/bookings?date=${monday}`)
  await settled(page)
  const hand = counted()
  await hand.click(page.locator(`[data-day="${monday}"]`).getByRole('button', { name: /오전 10:00 예약하기/ }))
  await hand.check(dialog(page).getByRole('radio', { name: '정도윤' }))
  await hand.choose(dialog(page).getByLabel('반복'), '12')
  await dialog(page).getByText('예약 10건 · 제외한 날 2일').waitFor()
  await dialog(page).getByText('휴무: 개원 기념일').waitFor()
  await dialog(page).getByText('휴무: 직원 연수').waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await picture(page, 'series-preview')
  await hand.click(dialog(page).getByRole('button', { name: '10건 예약' }))
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /정도윤/ }).waitFor()
  expect(hand.clicks()).toBeLessThanOrEqual(8)
  await picture(page, 'week')

  await page.getByRole('button', { name: /정도윤/ }).click()
  await dialog(page).getByText('12주 중 1주차').waitFor()
  await dialog(page)
    .getByText(/휴무로 제외/)
    .first()
    .waitFor()
  await picture(page, 'series-facts')
  await dialog(page).getByRole('button', { name: '예약 취소' }).click()
  await dialog(page).getByRole('radio', { name: '이 예약과 이후 예약' }).check()
  await dialog(page).getByLabel('취소 사유').fill('이사')
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog(page).getByRole('button', { name: '예약 취소' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  const { body } = await call('GET', `/bookings?from=${monday}T00:00:00Z&status=booked`)
  expect(body.pagination.total).toBe(0)
  await page.context().close()
})

it('an appointment moves by dragging, with undo, and by keyboard, with words for those who listen', async () => {
  const body = { instructorId: instructor.actorId, startsAt: `${later(1)}T01:00:00.000Z` }
  const { body: members } = await call('GET', '/members?search=강민서')
  await call('POST', '/bookings', { ...body, bookedFor: members.data[0].actorId })
  const page = await visit(director, `/bookings?date=${monday}`)
  await settled(page)
  const slip = page.getByRole('button', { name: /강민서/ })
  const free = (day: string, time: RegExp) => page.locator(`[data-day="${day}"]`).getByRole('button', { name: time })
  const said = page.locator('.move-lines').getByRole('status').first()
  const startsAt = async () =>
    (await call('GET', `/bookings?clientId=${members.data[0].actorId}`)).body.data[0].startsAt

  await drag(page, slip, free(later(3), /오후 2:00 예약하기/))
  await picture(page, 'drag')
  await page.mouse.up()
  await page
    .locator('.done-line')
    .getByText(/강민서 님의 예약을 옮겼습니다/)
    .waitFor()
  expect(await startsAt()).toBe(`${later(3)}T05:00:00.000Z`)
  await page.getByRole('button', { name: '실행 취소' }).click()
  await expect.poll(startsAt).toBe(`${later(1)}T01:00:00.000Z`)

  // A weekend is closed: nothing moves, and the page says why.
  await settled(page)
  await drag(page, slip, page.locator(`[data-day="${later(5)}"]`))
  await page.mouse.up()
  await expect.poll(() => said.textContent()).toContain('옮기지 않았습니다')
  expect(await dialog(page).count()).toBe(0)
  expect(await startsAt()).toBe(`${later(1)}T01:00:00.000Z`)

  await slip.focus()
  await page.keyboard.press('m')
  await expect.poll(() => said.textContent()).toContain('화살표 키')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => said.textContent()).toMatch(/새 예약 시간: .*오전 11:00/)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => said.textContent()).toBe('')
  expect(await startsAt()).toBe(`${later(1)}T01:00:00.000Z`)
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(startsAt).toBe(`${later(2)}T01:00:00.000Z`)

  // Somebody else is faster: the slip goes back, and the reason is said.
  await settled(page)
  const taken = `${later(3)}T01:00:00.000Z`
  await call('POST', '/bookings', { instructorId: instructor.actorId, startsAt: taken })
  await slip.focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.locator('.move-lines').getByRole('alert').waitFor()
  expect(await startsAt()).toBe(`${later(2)}T01:00:00.000Z`)
  await page.context().close()
})

it('a phone of 360 pixels does the same by buttons', async () => {
  const page = await visit(director, `/bookings?date=${monday}`, { width: 360, height: 780 })
  await settled(page)
  const day = page.getByRole('region').nth(4)
  await page
    .getByRole('button', { name: /예약하기/ })
    .nth(1)
    .waitFor()
  expect(await violations(page)).toEqual([])
  expect(await misfits(page)).toEqual([])
  await picture(page, 'phone')
  await page.getByRole('button', { name: /강민서/ }).click()
  await dialog(page).getByRole('button', { name: '시간 변경' }).click()
  await dialog(page)
    .getByRole('radio', { name: /오후 4:00/ })
    .check()
  await dialog(page).getByRole('button', { name: '이 시간으로 변경' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /오후 4:00.*강민서/ }).waitFor()
  expect(await day.count()).toBeLessThanOrEqual(1)
  await page.context().close()
})

it('hours, closed days and public holidays have a page, on a phone too', async () => {
  const page = await visit(director, '/bookings')
  await page.getByRole('link', { name: '근무 시간과 휴무일' }).click()
  await settled(page)
  await page.getByRole('checkbox', { name: /운영 시간 내내 근무/ }).uncheck()
  await page.getByRole('button', { name: '저장' }).click()
  await page.getByText(/근무 시간을 저장했습니다/).waitFor()
  const { body } = await call('GET', '/instructors')
  expect(body.data[0].hours.mon).toEqual([{ from: '09:00', to: '18:00' }])
  const adopt = page.getByRole('button', { name: /년 공휴일에 모두 휴무/ }).last()
  await page.getByRole('link', { name: /관공서의 공휴일에 관한 규정/ }).waitFor()
  await adopt.click()
  await page.getByText(/휴무일을 추가했습니다/).waitFor()
  await page.getByLabel('시작일').fill(later(20))
  await page.getByLabel('휴무 사유').fill('<b>이전</b>')
  await page.getByRole('button', { name: '휴무일 추가' }).click()
  await page.getByRole('listitem').filter({ hasText: '<b>이전</b>' }).getByRole('button').click()
  await page
    .locator('.done-line')
    .getByText(/휴무를 해제했습니다/)
    .waitFor()
  expect(await violations(page)).toEqual([])
  expect(await misfits(page)).toEqual([])
  await picture(page, 'hours')
  await page.context().close()
  const own = await visit(instructor, '/bookings/hours', { width: 360, height: 780 })
  await settled(own)
  expect(await own.getByRole('button', { name: /휴무/ }).count()).toBe(0)
  await picture(own, 'hours-phone')
  await own.context().close()
})
