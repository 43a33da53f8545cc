/**
 * The first page of a center's staff: what waits, the day's appointments, two weeks of attendance, and what a new center does
 * first. TEST_PICTURES=1 keeps pictures in `.dev/today`.
 */
import { mkdirSync } from 'node:fs'
import words from '@countersign/words/ko/today.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Center, Person } from '../support/world.ts'
import { violations } from './axe.ts'

const folder = new URL('../../.dev/today', import.meta.url).pathname
const longName = '남궁선우리엘리자베스프란체스카마리아테레지아'
let desk: ConsoleDesk
let admin: Person
let instructor: Person

beforeAll(async () => {
  desk = await openConsole()
  if (process.env.TEST_PICTURES) mkdirSync(folder, { recursive: true })
  admin = await desk.person('박서연')
  instructor = await desk.person('김민준', 'INSTRUCTOR')
  const other = await desk.person('최은희', 'INSTRUCTOR')
  const clients = [await desk.person('정도윤', 'CHILD'), await desk.person(longName, 'CHILD')]
  for (const [at, day] of [-9, -8, -7, -6, -2, -1, 0, 0, 0, 1, 2].entries()) {
    await book(
      day,
      9 + at,
      at % 3 === 0 ? other : instructor,
      clients[at % 2] as Person,
      day < 0 ? (at % 4 === 1 ? 'no_show' : 'attended') : 'booked',
    )
  }
}, 180_000)
afterAll(() => desk?.close())

/** So many days from today, at this hour of the center. */
const book = (days: number, hour: number, by: Person, client: Person, status: string, center: Center = desk.center) =>
  desk.server.world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status)
     select $1, gen_random_uuid(), $2, $3, $2, at, at + interval '40 minutes', now(), $6
     from (select (date_trunc('day', now() at time zone 'Asia/Seoul') + $4 * interval '1 day' + $5 * interval '1 hour') at time zone 'Asia/Seoul' as at) t`,
    [center.id, by.actorId, client.actorId, days, hour, status],
  )

async function look(page: Page, name: string): Promise<void> {
  for (const language of ['ko', 'en'] as const) {
    await restyle(page, { language })
    if (process.env.TEST_PICTURES) await page.screenshot({ path: `${folder}/${name}-${language}.png`, fullPage: true })
    expect(await misfits(page)).toEqual([])
    expect(await violations(page)).toEqual([])
  }
  await restyle(page, { language: 'ko' })
}

it('an administrator begins here, and each line leads to where it is done', { timeout: 120_000 }, async () => {
  await desk.policy()
  const waiting = await desk.record()
  const page = await desk.visit(admin, `/c/${desk.center.domain}`)
  await page.waitForURL('**/today')
  await settled(page)
  await page.getByRole('heading', { name: words.waiting.replace('{count}', '1') }).waitFor()
  expect(await page.locator('.today-row').count()).toBe(3)
  await page.locator('.today-plot summary').click()
  expect(await page.getByRole('row').count()).toBe(15)
  await look(page, 'admin')
  await page.getByRole('link', { name: words.steppasskey }).click()
  await page.waitForURL('**/me')
  await page.goBack()
  await page.locator('.today-waiting').getByRole('link').first().click()
  await page.waitForURL(`**/inbox?id=${waiting}`)
})

it('an instructor sees their own appointments and no list of first steps', { timeout: 120_000 }, async () => {
  const page = await desk.visit(instructor, `/c/${desk.center.domain}/today`)
  await settled(page)
  await page.locator('.today-row').first().waitFor()
  expect(await page.locator('.today-row').getByText('최은희').count()).toBe(0)
  expect(await page.getByText(words.firstWeek).count()).toBe(0)
  await look(page, 'instructor')
})

it('a new center on a phone says what is empty and what to do first; the list can be hidden', {
  timeout: 120_000,
}, async () => {
  const center = await desk.server.world.center({ name: '새 센터' })
  const director = await desk.person('한지우', 'ADMIN', center)
  const page = await desk.visit(director, `/c/${center.domain}`, { width: 360, height: 780 })
  await page.waitForURL('**/today')
  await settled(page)
  await page.getByText(words.noAppointments).waitFor()
  await page.getByRole('heading', { name: words.nothingWaits }).waitFor()
  await page.getByText(words.firstWeek).waitFor()
  await look(page, 'new-center')
  await page.getByRole('button', { name: words.stepsHide }).click()
  await page.reload()
  await settled(page)
  expect(await page.getByText(words.firstWeek).count()).toBe(0)
})
