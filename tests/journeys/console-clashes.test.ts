/** One person in two centers: whoever may see both is warned before booking, and each center learns nothing of the other. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import type { Center, Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let other: Center
let director: Person
let instructor: Person
let elsewhere: Person

const dayMs = 86_400_000
const monday = (() => {
  const day = new Date(Date.now() + 8 * dayMs)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
})()
const hourly = { slotMinutes: 60, openingHours: { mon: [{ from: '10:00', to: '13:00' }] } }

beforeAll(async () => {
  desk = await openConsole()
  const { world } = desk.server
  director = await desk.person('박서연')
  instructor = await desk.person('김민준', 'INSTRUCTOR')
  other = await world.center({ name: '바다발달센터' })
  elsewhere = await world.person()
  await world.member(director, other)
  await world.member(elsewhere, other, 'INSTRUCTOR')
  for (const center of [desk.center, other]) {
    const { accessToken: token } = await desk.server.signIn(director, center.domain)
    const body = { timezone: 'Asia/Seoul', booking: hourly }
    expect((await desk.server.call('PATCH', `/api/centers/${center.id}/settings`, { token, body })).status).toBe(200)
  }
}, 180_000)
afterAll(() => desk?.close())

const dialog = (page: Page) => page.getByRole('dialog')

it.each([
  ['a client', '/appointments'],
  ['a guardian', '/family'],
] as const)('%s', { timeout: 120_000 }, async (who, path) => {
  const { world } = desk.server
  const person = await desk.person('정도윤', 'PARENT')
  await world.member(person, other, 'PARENT')
  const child = await world.person({ login: false })
  for (const center of [desk.center, other]) {
    await world.member(child, center, 'CHILD')
    await world.guardian(person, child, center)
  }
  const bookedFor = who === 'a client' ? person.actorId : child.actorId
  const { accessToken: token } = await desk.server.signIn(director, other.domain)
  const startsAt = `${monday}T0${who === 'a client' ? 1 : 2}:00:00.000Z`
  const there = await desk.server.call('POST', `/api/centers/${other.id}/bookings`, {
    ...{ token, body: { instructorId: elsewhere.actorId, startsAt, bookedFor } },
  })
  expect(there.status).toBe(201)

  const page = await desk.visit(person, `/c/${desk.center.domain}${path}`, { width: 360, height: 780 })
  await settled(page)
  await page.getByRole('button', { name: '예약하기' }).first().click()
  if (path === '/family')
    await dialog(page).locator('.family-choices label').filter({ hasNotText: '바다발달센터' }).click()
  await dialog(page).locator('input[type=date]').fill(monday)
  const time = who === 'a client' ? '오전 10:00' : '오전 11:00'
  await dialog(page)
    .getByRole('radio', { name: new RegExp(time) })
    .check()
  await dialog(page)
    .getByText(/바다발달센터.*같은 시간|같은 시간.*바다발달센터/)
    .waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog(page)
    .getByRole('radio', { name: /오후 12:00/ })
    .check()
  await expect.poll(() => dialog(page).getByText('바다발달센터').count()).toBe(path === '/family' ? 1 : 0)
  await page.context().close()

  // Staff of this center: no page and no answer names the other.
  const staff = (await desk.server.signIn(instructor, desk.center.domain)).accessToken
  const own = `/api/centers/${desk.center.id}`
  for (const asked of [
    `${own}/bookings?clientId=${bookedFor}`,
    `${own}/waiting-list?clientId=${bookedFor}`,
    `${own}/available-slots?date=${monday}`,
    `/api/family/appointments?childId=${bookedFor}`,
  ]) {
    const { text } = await desk.server.call('GET', asked, { token: staff })
    for (const secret of [other.domain, '바다발달센터', elsewhere.actorId, there.body.data.id])
      expect(text).not.toContain(secret)
  }
})
