/** A line of three steps beside a second line, on phones: each person in turn, until the last seal. */
import { words as approving } from '@countersign/console/approve/words.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../support/pages-fixture.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { openBrowser } from './browser.ts'
import { readAll } from './reading.ts'

const words = approving.ko
const viewport = { width: 360, height: 780 }
let browser: Browser
let desk: Desk

beforeAll(async () => {
  ;[browser, desk] = [await openBrowser(), await openDesk()]
})
afterAll(async () => {
  await browser?.close()
  await desk?.close()
})

async function opened(person: Person, id: string): Promise<Page> {
  const page = await desk.open(browser, `/approve/${id}`, { viewport })
  await desk.signIn(page, person)
  await page.locator('.seal-line').first().waitFor({ state: 'attached' })
  return page
}

async function approve(page: Page): Promise<void> {
  await readAll(page)
  await page.locator('#approve').click()
}

/** Each box: what it is, and its places as people read them. */
const boxes = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('.seal-group')].map((group) => [
    group.querySelector('.side').textContent,
    ...[...group.querySelectorAll('li')].map((step) => step.querySelector('.role').textContent + ': ' +
      [...step.querySelectorAll('.place')].map((place) =>
        place.textContent || place.querySelector('svg')?.getAttribute('aria-label') || '').join(', '))])`)

it('people approve in their order, each sees whose turn it is, and the last seal closes every line', async () => {
  const [kim, choi, park, yun] = [
    await desk.person('김민준', 'INSTRUCTOR'),
    await desk.person('최은희', 'INSTRUCTOR'),
    await desk.person('박서연'),
    await desk.person('윤재', 'INSTRUCTOR'),
  ]
  const step = (title: string, { actorId }: Person) => ({ title, actorIds: [actorId] })
  await desk.policy({
    name: '큰 환불',
    approval: { steps: [step('담당', kim), { ...step('부원장', choi), delegated: true }, step('원장', park)] },
  })
  await desk.policy({ name: '환불 회계 합의', approval: { steps: [step('회계', yun)] } })
  const id = await desk.record()

  const early = await opened(park, id)
  expect(await boxes(early)).toEqual([
    ['결재', '담당: 김민준 님 차례', `부원장 ${words.delegated}: `, '원장: '],
    ['합의', '회계: 윤재 님 차례'],
  ])
  await approve(early)
  await early.getByText(words.stopturn.replace('{step}', '원장')).waitFor()
  expect(await violations(early)).toEqual([])
  expect(await early.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)

  for (const person of [kim, yun, choi]) {
    const page = await opened(person, id)
    expect(JSON.stringify(await boxes(page))).toContain(words.turnMine)
    await approve(page)
    await page.getByText(words.firstTitle).waitFor()
    expect(await violations(page)).toEqual([])
    await page.reload()
    await page.getByText(words.mine).waitFor()
    await page.context().close()
  }

  await early.reload()
  await early.locator('.seal-line').first().waitFor({ state: 'attached' })
  await approve(early)
  await early.locator('.stamp').waitFor()
  const seal = (name: string) => words.sealsession.replace('{name}', name)
  expect(await boxes(early)).toEqual([
    ['결재', `담당: ${seal('김민준')}`, `부원장 ${words.delegated}: ${seal('최은희')}`, `원장: ${seal('박서연')}`],
    ['합의', `회계: ${seal('윤재')}`],
  ])
  expect(await violations(early)).toEqual([])
  await early.context().close()
  expect(desk.complaints).toEqual([])
})
