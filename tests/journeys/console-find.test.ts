/** A decision of weeks ago, found by what a person remembers of it: three clicks in the list, two keys and one choice in the palette. */
import { indexCenter } from '@countersign/server/features/evidence/search/worker.ts'
import words from '@countersign/words/ko/decisions.json' with { type: 'json' }
import ui from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
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

const addressOf = (path: string) => `/c/${desk.center.domain}/${path}`
const nameView = async (page: Page, name: string, { isShared = false } = {}) => {
  await page.getByRole('button', { name: words.keepView }).click()
  await page.getByLabel(words.viewName).fill(name)
  if (isShared) await page.getByLabel(words.shareWithStaff).check()
  await page.getByRole('button', { name: words.keep, exact: true }).click()
  await page.getByRole('button', { name, exact: true }).waitFor()
}

it.each([1280, 360])(
  'keeps the filters in the address, and a view under its name, at %i px',
  { timeout: 120_000 },
  async (width) => {
    const page = await desk.visit(director, addressOf('decisions?minAmount=1000000'), { width, height: 780 })
    await settled(page)
    await rows(page).first().waitFor()
    expect(await rows(page).count()).toBe(1)
    await nameView(page, '큰 금액')
    await picture(page, `view-${width}`)
    expect([await violations(page), await misfits(page)]).toEqual([[], []])
    // The search page has it too, and so has another browser.
    const elsewhere = await desk.visit(director, addressOf('search'), { width, height: 780 })
    await elsewhere.getByRole('button', { name: '큰 금액', exact: true }).click()
    await elsewhere.waitForURL(/minAmount=1000000/)
    expect([await violations(elsewhere), await misfits(elsewhere)]).toEqual([[], []])
    await page.goto(`${desk.origin}${addressOf('decisions')}`)
    await page.getByRole('button', { name: '큰 금액', exact: true }).click()
    await page.waitForURL(/minAmount=1000000/)
    const remove = page.getByRole('button', { name: words.deleteView.replace('{name}', '큰 금액') })
    await remove.click()
    await page.getByRole('button', { name: '큰 금액', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: ui.undo, exact: true }).click()
    await page.getByRole('button', { name: '큰 금액', exact: true }).waitFor()
    await remove.click()
    await page.getByRole('button', { name: '큰 금액', exact: true }).waitFor({ state: 'detached' })
    await Promise.all([page.close(), elsewhere.close()])
  },
)

it('a shared view is everybody’s on the staff, and opens when its person is gone', { timeout: 120_000 }, async () => {
  const gone = '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'
  const page = await desk.visit(director, addressOf(`decisions?personId=${gone}`))
  await settled(page)
  await nameView(page, '예전 담당자', { isShared: true })
  const colleague = await desk.person('정하늘', 'INSTRUCTOR')
  const other = await desk.visit(colleague, addressOf('decisions'))
  await other.getByRole('button', { name: '예전 담당자', exact: true }).click()
  await other.getByText(words.unlisted).waitFor()
  await other.getByText(words.emptyTitle).waitFor()
  expect(await other.getByRole('button', { name: words.deleteView.replace('{name}', '예전 담당자') }).count()).toBe(0)
  expect(await other.getByLabel(words.shareWithStaff).count()).toBe(0)
  await page.getByRole('button', { name: words.deleteView.replace('{name}', '예전 담당자') }).click()
  await page.getByRole('button', { name: '예전 담당자', exact: true }).waitFor({ state: 'detached' })
  await Promise.all([page.close(), other.close()])
})

it('views of an earlier version move from the browser once', { timeout: 120_000 }, async () => {
  const page = await desk.visit(director, addressOf('inbox'))
  await settled(page)
  const key = `countersign-views:${desk.center.domain}`
  const views = [
    { name: '대기 중', filters: { waiting: true } },
    { name: '빈 보기', filters: {} },
  ]
  await page.evaluate(([at, text]) => localStorage.setItem(at as string, text as string), [key, JSON.stringify(views)])
  await page.goto(`${desk.origin}${addressOf('decisions')}`)
  await page.getByRole('button', { name: '대기 중', exact: true }).waitFor()
  expect(await page.evaluate((at) => localStorage.getItem(at), key)).toBe(null)
  const elsewhere = await desk.visit(director, addressOf('decisions'))
  await elsewhere.getByRole('button', { name: '대기 중', exact: true }).click()
  await elsewhere.waitForURL(/waiting=true/)
  await Promise.all([page.close(), elsewhere.close()])
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

it.each([1280, 360])(
  'the search page has every kind, and keeps question and filters in its address, at %i px',
  {
    timeout: 120_000,
  },
  async (width) => {
    const page = await desk.visit(director, `/c/${desk.center.domain}/inbox`, { width, height: 780 })
    await settled(page)
    if (width === 360) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: ui.findLabel }).fill('하늘')
      await page.getByRole('option', { name: ui.findAll.replace('{text}', '하늘') }).click()
    } else {
      await page.getByRole('button', { name: new RegExp(`^${ui.more}`) }).click()
      await page.getByRole('menuitem', { name: ui.navSearch }).click()
      const empty = page.getByRole('searchbox', { name: words.searchTitle })
      await empty.fill('하늘')
      await empty.press('Enter')
    }
    await page.waitForURL(/\/search\?q=/)
    await page.getByRole('heading', { name: `${words.title} · 1` }).waitFor()
    expect([await violations(page), await misfits(page)]).toEqual([[], []])
    await picture(page, `search-${width}`)
    const field = page.getByRole('searchbox', { name: words.searchTitle })
    await field.fill('박서연')
    await field.press('Enter')
    await page.getByRole('heading', { name: `${words.kindPeople} · 1` }).waitFor()
    await page.getByRole('link', { name: /박서연/ }).click()
    await page.waitForURL(/members\?member=/)
    await page.goBack()
    await field.fill('없는단어')
    await field.press('Enter')
    await page.getByText(words.searchNothing).waitFor()
    expect(desk.complaints).toEqual([])
    await page.close()
  },
)
