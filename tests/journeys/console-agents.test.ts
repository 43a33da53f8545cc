/** An administrator finds an agent, reads what it asks for, and stops it from there. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let admin: Person

beforeAll(async () => {
  desk = await openConsole()
  admin = await desk.person('최원장')
}, 180_000)
afterAll(() => desk?.close())

const path = () => `/c/${desk.center.domain}/agents`
const scrollsSideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
const shot = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true }) : null

it('a center without agents is told how to connect one', async () => {
  const page = await desk.visit(admin, path(), { width: 360, height: 740 })
  await page.getByText('아직 에이전트가 없습니다').waitFor()
  await page.getByRole('link', { name: '에이전트 연결하기' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.context().close()
})

it('finds an agent with Ctrl K, sees what waits, and stops and releases it', { timeout: 120_000 }, async () => {
  await desk.policy()
  const waiting = await desk.record()
  await desk.record({
    actor: { id: 'agent-notes', type: 'service', name: '<b>기록</b>' },
    action: { type: 'note.write' },
  })
  await desk.server.world.key(desk.center, {
    scopes: ['decide'],
    boundTo: { id: 'agent-refunds', type: 'ai_agent' },
  })
  const page = await desk.visit(admin, `/c/${desk.center.domain}/policies`)
  await page.getByRole('link', { name: '새 정책' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('에이전트')
  await page.getByRole('dialog').getByRole('option', { name: '에이전트', exact: true }).click()
  await page.waitForURL((url) => url.pathname === path())
  await page.getByText('<b>기록</b>').first().waitFor()
  await page.getByRole('link', { name: /상담 에이전트/ }).click()
  const sheet = page.getByRole('article')
  await sheet.getByRole('link', { name: 'refund.pay' }).waitFor()
  await sheet.getByRole('link', { name: /50만원을 넘는 환불/ }).waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'agents-sheet')

  // Its decisions, those that wait.
  await sheet.getByRole('link', { name: '대기 1건 보기' }).click()
  await page.waitForURL((url) => url.searchParams.get('waiting') === 'true')
  await settled(page)
  expect(page.url()).toContain('actorId=agent-refunds')
  await page.goBack()

  // A key of its own begins filled in.
  await sheet.getByRole('link', { name: '이 에이전트의 키 만들기' }).click()
  expect(await page.getByRole('dialog').getByRole('textbox', { name: '지정 에이전트' }).inputValue()).toBe(
    'agent-refunds',
  )
  await page.goBack()

  await sheet.getByRole('link', { name: '이 에이전트 정지' }).click()
  expect(await page.getByLabel('에이전트', { exact: true }).inputValue()).toBe('agent-refunds')
  await page.getByLabel('사유', { exact: true }).fill('같은 환불을 세 번 요청함')
  await page.getByRole('button', { name: '이 에이전트 정지' }).click()
  await page.getByRole('heading', { name: 'agent-refunds 정지 · 최원장' }).waitFor()
  await page.goto(`${desk.origin}${path()}?agent=agent-refunds`)
  await sheet.getByText(/부터 정지되어 있습니다/).waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'agents-stopped')
  await sheet.getByRole('link', { name: '보기 · 해제' }).click()
  await page.getByLabel('해제 사유').fill('원인을 고침')
  await page.getByRole('button', { name: '정지 해제' }).click()
  await page.getByText('원인을 고침').waitFor()
  await page.goto(`${desk.origin}${path()}?agent=agent-refunds`)
  await sheet.getByRole('link', { name: '이 에이전트 정지' }).waitFor()
  await desk.approveAs(admin, waiting)
  expect(desk.complaints).toEqual([])
  await page.context().close()
})

it('is whole on a narrow phone, in both languages and themes', async () => {
  await desk.record({ actor: { id: 'x'.repeat(300), type: 'ai_agent' }, action: { type: 'y'.repeat(300) } })
  const page = await desk.visit(admin, path(), { width: 360, height: 740 })
  for (const language of ['ko', 'en'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      await restyle(page, { language, theme })
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    }
    await shot(page, `agents-360-${language}`)
  }
  await page.getByRole('link', { name: /x{255}/ }).click()
  await page.getByRole('link', { name: 'Stop this agent' }).waitFor()
  expect(await violations(page)).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  await shot(page, 'agents-sheet-360')
  await page.context().close()
})

it('staff who may not stop have no word for it in their menu', async () => {
  const page = await desk.visit(await desk.person('김민준', 'INSTRUCTOR'), `/c/${desk.center.domain}/inbox`)
  await page.getByRole('banner').getByRole('button', { name: '더 보기' }).click()
  await page.getByRole('menuitem', { name: '작업 종류' }).waitFor()
  expect(await page.getByRole('menuitem', { name: '에이전트' }).count()).toBe(0)
  await page.context().close()
})
