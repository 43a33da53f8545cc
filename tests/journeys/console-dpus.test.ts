/** The list of DPUs: found from the menu and from a workflow, narrowed by its filters, and leading to what each row stands for. */
import center from '@countersign/words/ko/center.json' with { type: 'json' }
import dpus from '@countersign/words/ko/dpus.json' with { type: 'json' }
import ui from '@countersign/words/ko/ui.json' with { type: 'json' }
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { handAt } from './tasks/hand.ts'

let desk: ConsoleDesk
let admin: Person
let at: string

beforeAll(async () => {
  desk = await openConsole()
  admin = await desk.person('박서연')
  at = `/c/${desk.center.domain}`
}, 180_000)
afterAll(() => desk?.close())

it('a center without any says when the first one appears', { timeout: 60_000 }, async () => {
  const page = await desk.visit(admin, `${at}/dpus`)
  await page.getByText(dpus.noneTitle).waitFor()
  expect(await page.getByRole('button', { name: dpus.print }).isDisabled()).toBe(true)
  expect(await violations(page)).toEqual([])
  await page.context().close()
})

it('a draft is found from its workflow, by level and tag, and opened by its row', { timeout: 180_000 }, async () => {
  await desk.policy()
  await desk.record()
  const { accessToken: token } = await desk.server.signIn(admin, desk.center.domain)
  const { body: listed } = await desk.server.call('GET', '/api/workflows', { token })
  const weekly = listed.data.find(({ schedule }: { schedule: object | null }) => schedule !== null)
  const started = await desk.server.call('POST', `/api/workflows/${weekly.id}/execute`, { token, body: {} })
  const { executionId } = started.body.data
  await expect
    .poll(async () => (await desk.server.call('GET', '/api/dpu', { token })).body.data.length, { timeout: 30_000 })
    .toBe(1)
  const page = await desk.visit(admin, at)
  await settled(page)
  const hand = handAt(page)
  await hand.menu(ui.navWorkflows)
  await page.locator('.item', { hasText: /./ }).first().waitFor()
  await page.goto(`${desk.origin}${at}/workflows?workflow=${weekly.id}`)
  await page.getByRole('link', { name: center.runsDpus }).click()
  await page.waitForURL(`**/dpus?workflow=${weekly.id}`)
  const row = page.locator('tbody tr')
  await row.first().waitFor()
  expect(await row.count()).toBe(1)
  expect(await row.first().textContent()).toContain(dpus.levelDRAFT)
  for (const [language, width] of [
    ['ko', 1440],
    ['en', 1440],
    ['ko', 390],
    ['en', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await restyle(page, { language })
    if (process.env.TEST_PICTURES) await page.screenshot({ path: `/tmp/pages-pics/dpus-${language}-${width}.png` })
    expect(await misfits(page)).toEqual([])
    expect(await violations(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await restyle(page, { language: 'ko' })
  // By level, there is none of those that are ready for an audit.
  await page.getByLabel(dpus.level).selectOption('AUDIT_READY')
  await page.getByText(dpus.emptyTitle).waitFor()
  await page.getByRole('button', { name: dpus.clear }).click()
  await row.first().waitFor()
  expect(new URL(page.url()).search).toBe('')
  // Keys without a modifier are a choice of each person.
  await page.evaluate(`localStorage.setItem('countersign-preferences', JSON.stringify({ singleKeys: true }))`)
  await page.reload()
  await row.first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('no such tag')
  await page.keyboard.press('Enter')
  await page.getByText(dpus.emptyTitle).waitFor()
  await page.getByRole('button', { name: dpus.clear }).click()
  await row.first().waitFor()
  // The keys lead through the rows, and Enter opens the draft.
  await page.getByRole('heading', { name: dpus.title }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/workflows?workflow=${weekly.id}&run=${executionId}`)
  await settled(page)
  await hand.menu(ui.navDpus)
  await page.waitForURL('**/dpus')
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
})
