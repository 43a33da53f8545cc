/**
 * How people decide, from the menu: plots over time with their tables, one person's own, and nobody's of others for an
 * instructor. SHOTS=folder keeps pictures.
 */
import { countCenter } from '@countersign/server/features/evidence/oversight/counter.ts'
import words from '@countersign/words/ko/oversight.json' with { type: 'json' }
import ui from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDecisions } from '../bench/oversight-data.ts'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

const seed = Number(process.env.TEST_SEED ?? 20_261_119)
const figures = 10
let desk: ConsoleDesk
let admin: Person
let instructor: Person

beforeAll(async () => {
  desk = await openConsole()
  admin = await desk.person('박서연')
  instructor = await desk.person('김민준', 'INSTRUCTOR')
  const { server, center } = desk
  await makeDecisions(server.world, {
    ...{ centerId: center.id, rows: 900, seed, policies: 3, agents: 3, days: 88 },
    people: [admin.actorId, instructor.actorId],
  })
  await server.world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status)
     select $1, gen_random_uuid(), $2, $3, $2, at, at + interval '40 minutes', now(), case when n % 5 = 0 then 'no_show' else 'attended' end
     from (select n, date_trunc('day', now()) - n * interval '1 day' - interval '3 hours' as at from generate_series(1, 60) n) t`,
    [center.id, instructor.actorId, admin.actorId],
  )
  await server.world.query(
    `insert into cell.delivery_days (center_id, day, succeeded, failed)
     select $1, current_date - n, 20 + n % 7, n % 4 from generate_series(0, 80) n`,
    [center.id],
  )
  await countCenter(server.services.cells.of('main'), server.services.centers, center.id)
}, 180_000)
afterAll(() => desk?.close())

const picture = (page: Page, shot: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${shot}.png`, fullPage: true }) : null

async function look(page: Page, shot: string): Promise<void> {
  for (const language of ['ko', 'en'] as const)
    for (const theme of ['light', 'dark'] as const) {
      await restyle(page, { language, theme })
      await picture(page, `${shot}-${language}-${theme}`)
      expect(await misfits(page)).toEqual([])
      expect(await violations(page)).toEqual([])
    }
  await restyle(page, { language: 'ko', theme: 'light' })
}

it('an administrator gets here in two clicks, reads values by keyboard, and looks at one person', {
  timeout: 240_000,
}, async () => {
  const page = await desk.visit(admin, `/c/${desk.center.domain}/inbox`)
  await settled(page)
  await page.getByRole('button', { name: ui.more }).click()
  await page.getByRole('menuitem', { name: ui.navOversight }).click()
  await page.waitForURL('**/oversight')
  await settled(page)
  await page.locator('figure.plot svg').first().waitFor()
  expect(await page.locator('figure.plot svg[role=img]').count()).toBe(figures)
  await look(page, 'oversight')

  const hand = page.getByRole('slider', { name: new RegExp(words.outcomes) })
  await hand.focus()
  const before = await hand.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowLeft')
  const after = await hand.getAttribute('aria-valuetext')
  expect(after).not.toBe(before)
  expect(after).toMatch(new RegExp(`${words.approved} \\d+ · ${words.refused} \\d+`))

  const outcomes = page.locator('figure.plot', { hasText: words.outcomes }).first()
  await outcomes.locator('summary').click()
  const cells = await outcomes.locator('tbody tr').nth(-2).locator('td').allTextContents()
  expect(after).toContain(`${words.approved} ${cells[1]} · ${words.refused} ${cells[2]}`)

  await page.getByRole('link', { name: '김민준' }).last().click()
  await page.waitForURL(/by=person/)
  await settled(page)
  await page.locator('.oversight-only').getByText('김민준').waitFor()
  expect(await page.locator('figure.plot').count()).toBe(6)
  await page.getByRole('link', { name: words.showAll }).click()
  await page.waitForURL((url) => !url.search.includes('by='))
  await page.locator('.oversight-choices select').first().selectOption('month')
  await page.waitForURL(/period=month/)
  await settled(page)
  await page.locator('figure.plot', { hasText: words.seals }).locator('summary').click()
  expect(await page.locator('figure.plot', { hasText: words.seals }).locator('tbody tr').count()).toBeGreaterThan(21)
  await page.close()
})

it('fits a phone', { timeout: 240_000 }, async () => {
  const page = await desk.visit(admin, `/c/${desk.center.domain}/oversight?period=year`, { width: 360, height: 780 })
  await settled(page)
  await page.locator('figure.plot svg').first().waitFor()
  await look(page, 'oversight-360')
  await page.close()
})

it('an instructor sees their own figures, and those of nobody else', { timeout: 120_000 }, async () => {
  const page = await desk.visit(instructor, `/c/${desk.center.domain}/oversight?by=person&id=${admin.actorId}`)
  await settled(page)
  await page.locator('figure.plot svg').first().waitFor()
  expect(await page.getByText('박서연').count()).toBe(0)
  expect(await page.locator('table').filter({ hasText: words.byperson }).count()).toBe(0)
  await page.getByText(words.ledeOwn.slice(0, 9)).waitFor()
  await look(page, 'oversight-own')
  await page.close()
})

it('a center without decisions says so, and the former address leads here', { timeout: 120_000 }, async () => {
  const empty = await desk.server.world.center()
  await desk.server.world.member(admin, empty)
  const page = await desk.visit(admin, `/c/${empty.domain}/inbox/oversight`)
  await page.waitForURL('**/oversight')
  await settled(page)
  await page.getByText(words.none).first().waitFor()
  await picture(page, 'oversight-empty')
  expect(await violations(page)).toEqual([])
  await page.close()
})
