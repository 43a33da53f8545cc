/** A line of three steps beside a second line, on phones: each person in turn, until the last seal. */
import { words as approving } from '@countersign/console/approve/words.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
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
}, 180_000)
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

/** SHOTS names a folder for pictures. */
const picture = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true }) : null

/** Each box: what it is, and its places as people read them. */
const boxes = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('.seal-group')].map((group) => [
    group.querySelector('.side').textContent,
    ...[...group.querySelectorAll('li')].map((step) => step.querySelector('.role').textContent + ': ' +
      [...step.querySelectorAll('.place')].map((place) =>
        place.textContent || place.querySelector('svg')?.getAttribute('aria-label') || '').join(', '))])`)

it('people approve in their order, each sees whose turn it is, and the last seal closes every line', {
  timeout: 180_000,
}, async () => {
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
  // Those whose turn it is are told, and nobody else.
  expect(await desk.mailed(kim, id)).toBe(`${desk.origin}/approve/${id}`)
  expect(desk.mailbox.messages.filter(({ to }) => to.includes(park.email) || to.includes(choi.email))).toEqual([])

  const early = await opened(park, id)
  expect(await boxes(early)).toEqual([
    ['결재', '담당: 김민준 님 차례', `부원장 ${words.delegated}: `, '원장: '],
    ['합의', '회계: 윤재 님 차례'],
  ])
  await early.getByText(words.stopturn.replace('{step}', '원장')).waitFor()
  await readAll(early)
  expect(await early.locator('#approve').isDisabled()).toBe(true)
  await picture(early, 'line-early')
  expect(await violations(early)).toEqual([])
  expect(await early.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)

  for (const person of [kim, yun, choi]) {
    const page = await opened(person, id)
    expect(JSON.stringify(await boxes(page))).toContain(words.turnMine)
    await approve(page)
    await page.getByText(words.firstTitle).waitFor()
    await picture(page, `line-${person.actorId === choi.actorId ? 'third' : 'given'}`)
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
  await picture(early, 'line-sealed')
  await early.emulateMedia({ media: 'print' })
  await picture(early, 'line-printed')
  await early.context().close()

  const { body } = await desk.server.call('GET', `/api/v1/decision-events/${id}`, { token: desk.key })
  const { actionDigest, evidence } = body.data
  const executor = { token: desk.key, body: { actionDigest, executor: 'worker-1' } }
  expect((await desk.server.call('POST', `/api/v1/decision-events/${id}/consume`, executor)).status).toBe(200)
  const { accessToken: token } = await desk.server.signIn(park, desk.center.domain)
  const path = `/api/dpu/${evidence.id.replace('evd_', 'dpu_')}/export?policies=text`
  const { problems, line } = verifyExport((await desk.server.call('GET', path, { token })).body)
  expect([problems, line?.status]).toEqual([[], 'fits'])
  expect(desk.complaints).toEqual([])
})

it('in an emergency one person approves at once, and the line confirms it or objects', {
  timeout: 180_000,
}, async () => {
  const [kim, choi, park] = [
    await desk.person('김서윤', 'INSTRUCTOR'),
    await desk.person('최은영', 'INSTRUCTOR'),
    await desk.person('박지호'),
  ]
  const step = (title: string, { actorId }: Person) => ({ title, actorIds: [actorId] })
  const { pending } = await desk.policy({
    name: '급한 환불',
    match: { actionTypes: ['urgent.refund'] },
    approval: {
      steps: [step('담당', kim), step('원장', park)],
      emergency: { actorIds: [choi.actorId], confirmWithinSeconds: 43_200 },
    },
  })
  // Another administrator approves a policy that lets somebody go ahead alone.
  const guarding = await opened(park, pending.eventId)
  await approve(guarding)
  await guarding.locator('.stamp').waitFor()
  await guarding.context().close()
  const id = await desk.record({ action: { type: 'urgent.refund', input: { amount: 90_000 } } })

  const page = await opened(choi, id)
  await readAll(page)
  await page.getByRole('button', { name: words.emergencyAsk }).click()
  await page.locator('#approve').click()
  await page.getByText(words.emergencyReason).waitFor()
  await picture(page, 'emergency-asked')
  expect(await violations(page)).toEqual([])
  await page.locator('#act textarea').fill('오늘 밤 안에 보내야 합니다.')
  await page.getByRole('button', { name: words.emergencyApprove }).click()
  await page.locator('.stamp').waitFor()
  await picture(page, 'emergency-given')
  expect(await boxes(page)).toEqual([
    ['결재', `${words.emergency}: ${words.emergencyMark}`, '담당: 김서윤 님 차례', '원장: '],
  ])
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)

  for (const person of [kim, park]) {
    const confirming = await opened(person, id)
    await picture(confirming, 'emergency-confirming')
    await confirming.getByRole('button', { name: words.confirm, exact: true }).click()
    await confirming.getByRole('button', { name: words.confirm, exact: true }).waitFor({ state: 'detached' })
    expect(await violations(confirming)).toEqual([])
    if (person === park) await confirming.getByText(words.stateconfirmed).waitFor()
    await confirming.context().close()
  }
  await page.reload()
  await page.getByText(words.stateconfirmed).waitFor()
  const seal = (name: string) => words.sealsession.replace('{name}', name)
  expect(await boxes(page)).toEqual([
    ['결재', `${words.emergency}: ${words.emergencyMark}`, `담당: ${seal('김서윤')}`, `원장: ${seal('박지호')}`],
  ])
  await picture(page, 'emergency-confirmed')
  await page.emulateMedia({ media: 'print' })
  await picture(page, 'emergency-printed')
  await page.context().close()
  expect(desk.complaints).toEqual([])
})
