/** The inbox of the console: push messages, two approvers at once, and hostile content. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import { hostileTexts } from '../support/hostile.ts'
import { openPushService, type PushService, pushSettings } from '../support/push-service.ts'
import { refund } from '../support/pages-fixture.ts'
import { some } from '../support/some.ts'

let desk: ConsoleDesk
let service: PushService
const address = (path: string): string => `/c/${desk.center.domain}${path}`

beforeAll(async () => {
  service = await openPushService()
  desk = await openConsole({ MAX_POLICIES_PER_CENTER: '1000', ...pushSettings })
  await desk.policy({ name: '알림', match: { actionTypes: ['notice.*'] } })
}, 180_000)
afterAll(async () => {
  await desk?.close()
  await service?.close()
})

it('a browser is told that a decision waits, after a click in the profile and until the person signs out', async () => {
  const person = await desk.person('정하은')
  const page = await desk.visit(person, '/me', { options: { permissions: ['notifications'] } })
  const subscription = service.subscribe()
  // The browser of a test has no push service of its own; everything after the subscription is real.
  await page.evaluate(
    `PushManager.prototype.subscribe = async ({ applicationServerKey }) => ({
      options: {}, toJSON: () => { globalThis.asked = applicationServerKey; return ${JSON.stringify(subscription)} } })`,
  )
  const box = page.getByLabel('이 브라우저로 알림 받기')
  await box.click()
  await page.locator('#messages input:checked').waitFor()
  const id = await desk.record({ action: { ...refund.action, type: 'notice.send' } })
  await desk.tell()
  await expect.poll(() => service.received.length, { timeout: 10_000 }).toBe(1)
  const [{ message, sender } = { message: '', sender: null }] = service.received
  expect(sender).toBe(await page.evaluate('globalThis.asked'))

  const browser = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const each of registrations) if (!each.isDeleted) resolve(each.registrationId)
    })
  })
  await browser.send('ServiceWorker.enable')
  const registrationId = await registered
  await browser.send('ServiceWorker.deliverPushMessage', { origin: desk.origin, registrationId, data: message })
  const shown = () =>
    page.evaluate(`navigator.serviceWorker.getRegistration('/console/')
      .then((each) => each.getNotifications())
      .then((all) => all.map(({ title, body, data }) => ({ title, body, url: data.url })))`)
  await expect.poll(shown).toEqual([
    {
      title: '승인을 기다리는 결정이 있습니다',
      body: '하늘발달센터 · 눌러서 읽고 결정하십시오',
      url: desk.origin + address(`/inbox?id=${id}`),
    },
  ])
  // The worker controls no page.
  expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull()
  await page.getByRole('button', { name: '정하은' }).click()
  await page.getByRole('menuitem', { name: '나가기' }).click()
  await page.waitForURL('**/login')
  expect(await page.evaluate(`navigator.serviceWorker.getRegistration('/console/').then(String)`)).toBe('undefined')
  expect(await desk.server.world.query('select from directory.push_subscriptions')).toEqual([])
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
}, 60_000)

it('of two approvers at once, one seals, and the other reads who was faster and when', async () => {
  const id = await desk.record({ action: { ...refund.action, type: 'notice.send' } })
  const people = [await desk.person('김민준'), await desk.person('이도윤')]
  const pages = await Promise.all(people.map((person) => desk.visit(person, address(`/inbox?id=${id}`))))
  const buttons = pages.map((page) => page.getByRole('button', { name: '승인하고 봉인' }))
  await Promise.all(buttons.map((button) => button.waitFor()))
  await Promise.all(buttons.map((button) => button.click()))
  const told = await Promise.all(
    pages.map(async (page) => {
      await page.locator('.inbox-told').waitFor()
      return (await page.locator('.inbox-told').textContent()) ?? ''
    }),
  )
  const winner = told.findIndex((text) => text.includes('승인을 봉인했습니다.'))
  expect(winner).toBeGreaterThanOrEqual(0)
  const other = told[1 - winner]
  expect(other).toContain('먼저 결정되었습니다')
  expect(other).toMatch(new RegExp(`${['김민준', '이도윤'][winner]} 님이 .*(오전|오후) .*에 승인하고 봉인했습니다`))
  await Promise.all(pages.map((page) => page.context().close()))
}, 60_000)

/** The elements of the sheet, with the names of their attributes, without what they say and without drawn names. */
const skeleton = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const copy = document.querySelector('article.sheet').cloneNode(true)
    for (const svg of copy.querySelectorAll('svg')) svg.replaceChildren()
    const tree = (element) => [
      element.tagName,
      ...[...element.attributes].map(({ name }) => name).filter((name) => !['title', 'width', 'height'].includes(name)),
      ...[...element.children].map(tree),
    ]
    return JSON.stringify(tree(copy))
  })()`)

it('a record never becomes markup, whatever it says', { timeout: 1_800_000 }, async () => {
  const reader = await desk.person('한지우')
  const page = await desk.visit(reader, '/me')
  const { accessToken: token } = await desk.server.signIn(reader, desk.center.domain)
  const views = async (text: string) => {
    const type = `hostile.${newUuid()}`
    const key = text === '__proto__' ? `key ${text}` : text
    await desk.policy({ name: text, description: text, match: { actionTypes: [type] } })
    const id = await desk.record({
      actor: { id: text, type: 'ai_agent', name: text },
      action: { type, description: text, input: { [key]: text, list: [text] }, output: { deep: { [key]: [text] } } },
      aiContext: { ...refund.aiContext, model: text, provider: text, reasoning: text },
      reason: text,
      tags: [[...text].slice(0, 50).join('')],
    })
    await desk.server.call('POST', `/api/decisions/${id}/comments`, { token, body: { text } })
    const seen: string[] = []
    for (const path of [`/inbox?id=${id}`, `/decisions?id=${id}`]) {
      await page.goto(desk.origin + address(path))
      await page.locator('.sentence').waitFor()
      seen.push(await skeleton(page))
    }
    expect([text, await page.evaluate('globalThis.hit')]).toEqual([text, undefined])
    return seen
  }
  const plain = await views('조용한 글')
  for (const text of some(hostileTexts, 3)) expect([text, ...(await views(text))]).toEqual([text, ...plain])
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
