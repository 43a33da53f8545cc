/** A decision of weeks ago, found by what a person remembers of it: three clicks in the list, two keys and one choice in the palette. */
import { indexCenter } from '@countersign/server/features/evidence/search/worker.ts'
import words from '@countersign/words/ko/decisions.json' with { type: 'json' }
import ui from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let director: Person
let wanted: string

beforeAll(async () => {
  desk = await openConsole()
  director = await desk.person('박서연')
  const token = await desk.server.world.key(desk.center, { scopes: ['proof:write'] })
  const record = async (description: string, amount: number) => {
    const body = {
      type: 'ai_recommendation',
      actor: { id: 'refund-agent', type: 'ai_agent', name: '정산 에이전트' },
      action: { type: 'refund.create', description, input: { amount } },
    }
    return (await desk.server.call('POST', '/api/v1/decision-events', { token, body })).body.data.id as string
  }
  wanted = await record('이하늘 님 수강료환불', 1_200_000)
  for (let at = 0; at < 40; at++) await record(`김바다 님 교구 구입 ${at + 1}번째`, 3000 + at)
  await indexCenter(desk.server.services.cells.of('main'), desk.center.id)
}, 180_000)
afterAll(() => desk?.close())

let clicks = 0
async function click(target: Locator): Promise<void> {
  clicks++
  await target.click()
}
const picture = (page: Page, shot: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${shot}.png` }) : null
const rows = (page: Page) => page.locator('.decisions-tray .item')

it.each([1280, 360])('from the inbox in three clicks, at %i px', { timeout: 120_000 }, async (width) => {
  const page = await desk.visit(director, `/c/${desk.center.domain}/inbox`, { width, height: 780 })
  await settled(page)
  clicks = 0
  await click(page.getByRole('link', { name: words.title, exact: true }).first())
  await rows(page).first().waitFor()
  await picture(page, `find-list-${width}`)
  const field = page.getByLabel(words.find)
  await click(field)
  await field.fill('하늘 환불')
  await field.press('Enter')
  await page.waitForURL(/q=/)
  await rows(page).nth(1).waitFor({ state: 'detached' })
  await picture(page, `find-found-${width}`)
  await click(rows(page).first())
  await page.waitForURL(new RegExp(`id=${wanted}`))
  expect(clicks).toBe(3)
  expect(new URL(page.url()).searchParams.get('q')).toBe('하늘 환불')
  await page.close()
})

it('keeps the filters in the address, and a view under its name', { timeout: 120_000 }, async () => {
  const address = `/c/${desk.center.domain}/decisions?minAmount=1000000`
  const page = await desk.visit(director, address)
  await settled(page)
  await rows(page).first().waitFor()
  expect(await rows(page).count()).toBe(1)
  await page.getByRole('button', { name: words.keepView }).click()
  await page.getByLabel(words.viewName).fill('큰 금액')
  await page.getByRole('button', { name: words.keep, exact: true }).click()
  expect(await violations(page)).toEqual([])
  await page.goto(`${desk.origin}/c/${desk.center.domain}/decisions`)
  await page.getByRole('button', { name: '큰 금액', exact: true }).click()
  await page.waitForURL(/minAmount=1000000/)
  await page.getByRole('button', { name: words.deleteView.replace('{name}', '큰 금액') }).click()
  await page.getByRole('button', { name: '큰 금액', exact: true }).waitFor({ state: 'detached' })
})

it('Ctrl K finds it too, and people', { timeout: 120_000 }, async () => {
  const page = await desk.visit(director, `/c/${desk.center.domain}/inbox`)
  await settled(page)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: ui.findLabel })
  await field.fill('박서')
  await page.getByRole('option', { name: '박서연' }).waitFor()
  await field.fill('120만원')
  const option = page.getByRole('option', { name: `· ${ui.findDecision} ·` })
  await option.waitFor()
  await picture(page, 'find-palette')
  expect(await violations(page, { dialog: true })).toEqual([])
  await option.click()
  await page.waitForURL(new RegExp(`decisions\\?id=${wanted}`))
})
