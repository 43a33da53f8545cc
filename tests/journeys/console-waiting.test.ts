/** A full day: a client joins the waiting list on a phone, is kept a place when one comes free, and takes it; staff see who waits. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let director: Person
let instructor: Person
let token: string

const dayMs = 86_400_000
/** A Monday in more than a week, with one slot. */
const monday = (() => {
  const day = new Date(Date.now() + 8 * dayMs)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
})()
const startsAt = `${monday}T01:00:00.000Z`
const call = (method: string, path: string, body?: unknown) =>
  desk.server.call(method, `/api/centers/${desk.center.domain}${path}`, { token, ...(body !== undefined && { body }) })

beforeAll(async () => {
  desk = await openConsole()
  director = await desk.person('박서연')
  instructor = await desk.person('김민준', 'INSTRUCTOR')
  token = (await desk.server.signIn(director, desk.center.domain)).accessToken
  const openingHours = { mon: [{ from: '10:00', to: '11:00' }] }
  await call('PATCH', '/settings', { timezone: 'Asia/Seoul', booking: { slotMinutes: 60, openingHours } })
}, 180_000)
afterAll(() => desk?.close())

const dialog = (page: Page) => page.getByRole('dialog')

it.each([
  ['ko', '강민서', ['대기 등록', '대기 명단에 등록했습니다', '대기 명단', '예약: ', '대기 취소: ']],
  [
    ...(['en', 'Mina Lee'] as const),
    ['Join waiting list', 'On the waiting list', 'Waiting list', 'Book place: ', 'Leave list: '],
  ],
] as const)('%s', { timeout: 180_000 }, async (language, name, words) => {
  const [join, joined, listed, take, leave] = words as readonly string[] as [
    ...[string, string, string, string, string],
  ]
  const holder = await desk.person('정도윤', 'PARENT')
  const taken = await call('POST', '/bookings', {
    ...{ instructorId: instructor.actorId, startsAt },
    bookedFor: holder.actorId,
  })
  expect(taken.status).toBe(201)
  const client = await desk.person(name, 'PARENT')
  const page = await desk.visit(client, `/c/${desk.center.domain}/appointments`, { language, width: 360, height: 780 })
  await settled(page)
  let clicks = 0
  const press = async (button: string | RegExp, within: Page | ReturnType<typeof dialog> = page) => {
    await within.getByRole('button', { name: button }).first().click()
    clicks++
  }
  await press(language === 'ko' ? /예약하기|예약$|새 예약/ : /^Book/)
  await dialog(page).locator('input[type=date]').fill(monday)
  await press(join, dialog(page))
  await dialog(page).getByText(joined).waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: listed }).waitFor()
  expect(clicks).toBeLessThanOrEqual(3)
  expect(await misfits(page)).toEqual([])
  expect(await violations(page)).toEqual([])

  const staff = await desk.visit(director, `/c/${desk.center.domain}/bookings?date=${monday}`, { language })
  await staff.getByRole('region', { name: listed }).getByText(name).waitFor()
  await settled(staff)
  expect(await violations(staff)).toEqual([])
  await staff.context().close()

  expect((await call('DELETE', `/bookings/${taken.body.data.id}`)).status).toBe(204)
  await page.reload()
  await press(new RegExp(`^${take}`))
  await expect.poll(async () => (await call('GET', '/waiting-list')).body.data).toEqual([])
  const { body } = await call('GET', `/bookings?clientId=${client.actorId}&status=booked`)
  expect(body.data).toMatchObject([{ startsAt, instructorId: instructor.actorId }])
  await page.getByRole('region', { name: listed }).waitFor({ state: 'detached' })

  // Off the list again, by hand.
  const other = await desk.person(`${name} 2`, 'PARENT')
  await call('POST', '/waiting-list', { instructorId: instructor.actorId, date: monday, bookedFor: other.actorId })
  const next = await desk.visit(other, `/c/${desk.center.domain}/appointments`, { language, width: 360, height: 780 })
  await next.getByRole('button', { name: new RegExp(`^${leave}`) }).click()
  await next.getByRole('region', { name: listed }).waitFor({ state: 'detached' })
  expect((await call('GET', '/waiting-list')).body.data).toEqual([])
  await next.context().close()
  await call('DELETE', `/bookings/${body.data[0].id}`)
  await page.context().close()
})
