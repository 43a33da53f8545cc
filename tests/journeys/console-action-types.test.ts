/** An administrator describes an action, sees it on a decision, and takes changes back; staff read it. */
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
  await desk.policy()
}, 180_000)
afterAll(() => desk?.close())

const path = () => `/c/${desk.center.domain}/action-types`
const scrollsSideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
const shot = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true }) : null

const label = '<b>받는 분</b>'

it('describes an action that was requested, shows it on the decision, and takes it back', {
  timeout: 120_000,
}, async () => {
  const waiting = await desk.record({
    action: {
      type: 'coupon.grant',
      description: 'anything',
      input: { to: '김하늘', amount: 900_000, deep: { 'a/b': [1] } },
    },
  })
  const page = await desk.visit(admin, `/c/${desk.center.domain}/policies`)
  // From the menu.
  await page.getByRole('banner').getByRole('button', { name: '더 보기' }).click()
  await page.getByRole('menuitem', { name: '작업 종류', exact: true }).click()
  await settled(page)
  await page.getByText('아직 직접 설명한 작업이 없습니다').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'coupon.grant' }).click()
  await page.getByText('아직 설명이 없어 이름 그대로 보입니다').waitFor()
  await page.getByRole('link', { name: '상담 에이전트' }).waitFor()
  await shot(page, 'types-unnamed')
  await page.getByRole('button', { name: '작업 설명하기' }).click()
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: '설명 저장' })
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('이름(한국어)').fill('쿠폰 지급')
  await dialog.getByLabel('제목 문장(한국어, 선택)').fill('쿠폰 {won} 지급')
  await dialog.getByText('중괄호에는 /amount처럼').waitFor()
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('제목 문장(한국어, 선택)').fill('쿠폰 지급: ')
  await dialog.getByRole('button', { name: '/to', exact: true }).click()
  await dialog.getByText('최근 결정: 쿠폰 지급: 김하늘').waitFor()
  await dialog.getByRole('button', { name: '값 추가' }).click()
  expect(await dialog.getByLabel('값의 위치').inputValue()).toBe('/to')
  await dialog.getByLabel('한국어', { exact: true }).fill(label)
  expect(await violations(page, { dialog: true })).toEqual([])
  await shot(page, 'types-form')
  await save.click()
  const done = page.locator('.done-line')
  await done.getByText('쿠폰 지급을 저장했습니다').waitFor()
  await page.getByRole('definition').getByText(label).waitFor()
  await shot(page, 'types-sheet')
  expect(await violations(page)).toEqual([])

  // What approvers read is the sentence.
  const decision = await desk.visit(admin, `/c/${desk.center.domain}/decisions?id=${waiting}`)
  await decision.getByRole('heading', { name: /쿠폰 지급: 김하늘/ }).waitFor()
  await decision.context().close()

  // Changed, taken back; deleted, taken back.
  await page.getByRole('button', { name: '설명 수정' }).click()
  await dialog.getByLabel('이름(한국어)').fill('이름 바꿈')
  await save.click()
  await page.getByRole('heading', { name: '이름 바꿈' }).waitFor()
  await done.getByRole('button', { name: '실행 취소' }).click()
  await page.getByRole('heading', { name: '쿠폰 지급', exact: true }).waitFor()
  await page.getByRole('button', { name: '설명 삭제' }).click()
  await page.getByText('아직 설명이 없어 이름 그대로 보입니다').waitFor()
  await done.getByRole('button', { name: '실행 취소' }).click()
  await page.getByRole('heading', { name: '쿠폰 지급', exact: true }).waitFor()
  await page.getByText('버전 5').first().waitFor()
  expect(desk.complaints).toEqual([])
  await page.context().close()
})

it('a type that is described already is not replaced unseen, however it is spelled', async () => {
  const page = await desk.visit(admin, path())
  await page.getByRole('button', { name: '작업 설명 추가' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('작업 이름(요청에 쓰인 그대로)').fill('Coupon.Grant')
  await dialog.getByLabel('이름(한국어)').fill('다른 설명')
  await dialog.getByText('이미 설명한 작업입니다').waitFor()
  expect(await dialog.getByRole('button', { name: '설명 저장' }).isDisabled()).toBe(true)
  // The service's own types have its words.
  await dialog.getByLabel('작업 이름(요청에 쓰인 그대로)').fill('countersign.mandate')
  await dialog.getByRole('button', { name: '설명 저장' }).click()
  await dialog.locator('.fault', { hasText: /\S/ }).waitFor()
  await page.context().close()
})

it('a provided description becomes the center’s own, and comes back when that is deleted', async () => {
  const page = await desk.visit(admin, `${path()}?type=message.send`, { language: 'en' })
  await page.getByText('Provided for your line of work.').waitFor()
  await page.getByRole('button', { name: 'Adapt to your center' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name in English').fill('Text to a family')
  await dialog.getByRole('button', { name: 'Save description' }).click()
  await page.getByRole('heading', { name: 'Text to a family' }).waitFor()
  await page.getByRole('button', { name: 'Delete description' }).click()
  await page.getByText('Provided for your line of work.').waitFor()
  await page.context().close()
})

it('is whole on a narrow phone, in both languages and themes', async () => {
  const page = await desk.visit(admin, path(), { width: 360, height: 740 })
  for (const language of ['ko', 'en'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      await restyle(page, { language, theme })
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    }
    await shot(page, `types-list-360-${language}`)
  }
  await page.getByRole('link', { name: /coupon\.grant/ }).click()
  await page.getByRole('button', { name: 'Edit description' }).waitFor()
  expect(await violations(page)).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  await shot(page, 'types-sheet-360')
  await page.getByRole('button', { name: 'Edit description' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add a value' }).click()
  expect(await violations(page, { dialog: true })).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  await shot(page, 'types-form-360')
  await page.context().close()
})

it('staff who may not change them read them', async () => {
  const page = await desk.visit(await desk.person('김민준', 'INSTRUCTOR'), path())
  await page.getByRole('link', { name: /coupon\.grant/ }).click()
  await page.getByRole('heading', { name: '쿠폰 지급' }).waitFor()
  expect(await page.getByRole('button', { name: /설명 (수정|삭제|추가)/ }).count()).toBe(0)
  expect(await violations(page)).toEqual([])
  await page.context().close()
})
