/** The inbox of the console: push messages, batches, two approvers, deputies, refusals of the server, and hostile content. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import wordsOf from '@countersign/words/ko/decisions.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { hostileTexts } from '../support/hostile.ts'
import { refund } from '../support/pages-fixture.ts'
import { openPushService, type PushService, pushSettings } from '../support/push-service.ts'
import { some } from '../support/some.ts'
import type { Person } from '../support/world.ts'
import { useSingleKeys, withoutPointer } from './keyboard.ts'
import { readAll } from './reading.ts'

let desk: ConsoleDesk
let service: PushService
const address = (path: string): string => `/c/${desk.center.domain}${path}`

beforeAll(async () => {
  service = await openPushService()
  desk = await openConsole({ MAX_POLICIES_PER_CENTER: '1000', ...pushSettings }, 'whole')
  await desk.policy({ name: '알림', match: { actionTypes: ['notice.*'] } })
}, 180_000)
afterAll(async () => {
  await desk?.close()
  await service?.close()
})

/** Read to its end, then the button that seals. */
async function seal(page: Page): Promise<void> {
  await readAll(page)
  await page.getByRole('button', { name: '승인하고 봉인' }).click()
}

/**
 * Clicks the notification in the service worker. A browser without a screen has no notification to click, and refuses to open or
 * focus a page without a click; so the event is made here, and those two calls are noted. The worker, its notification and
 * the list of open pages are real.
 */
async function clickNotification(page: Page): Promise<unknown> {
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('no service worker runs')
  return worker.evaluate(`(async () => {
    const [opened, focused, work] = [[], [], []]
    Clients.prototype.openWindow = async (url) => void opened.push(url)
    WindowClient.prototype.focus = async function () { focused.push(this.url) }
    ExtendableEvent.prototype.waitUntil = (promise) => void work.push(promise)
    const [notification] = await registration.getNotifications()
    dispatchEvent(new NotificationEvent('notificationclick', { notification }))
    await Promise.all(work)
    return { opened, focused, left: (await registration.getNotifications()).length }
  })()`)
}

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
  await page.locator('#messages').getByRole('checkbox', { name: '이 브라우저로 알림 받기', checked: true }).waitFor()
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
  // A message to a worker that is not active yet is lost.
  const state = `navigator.serviceWorker.getRegistration('/console/').then((each) => each.active?.state)`
  await expect.poll(() => page.evaluate(state), { timeout: 10_000 }).toBe('activated')
  await browser.send('ServiceWorker.deliverPushMessage', { origin: desk.origin, registrationId, data: message })
  const shown = () =>
    page.evaluate(`navigator.serviceWorker.getRegistration('/console/')
      .then((each) => each.getNotifications())
      .then((all) => all.map(({ title, body, data }) => ({ title, body, url: data.url })))`)
  await expect.poll(shown, { timeout: 10_000 }).toEqual([
    {
      title: '승인을 기다리는 결정이 있습니다',
      body: '하늘발달센터 · 열어서 확인하고 결재하세요',
      url: desk.origin + address(`/inbox?id=${id}`),
    },
  ])
  expect(await clickNotification(page)).toEqual({
    opened: [desk.origin + address(`/inbox?id=${id}`)],
    focused: [],
    left: 0,
  })
  await browser.send('ServiceWorker.deliverPushMessage', { origin: desk.origin, registrationId, data: message })
  await expect.poll(async () => ((await shown()) as unknown[]).length, { timeout: 10_000 }).toBe(1)
  const other = await page.context().newPage()
  await other.goto(desk.origin + address(`/inbox?id=${id}`))
  expect(await clickNotification(page)).toEqual({ opened: [], focused: [other.url()], left: 0 })
  await other.close()
  // The worker controls no page.
  expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull()
  await page.getByRole('button', { name: '정하은' }).click()
  await page.getByRole('menuitem', { name: '로그아웃' }).click()
  await page.waitForURL('**/login')
  expect(await page.evaluate(`navigator.serviceWorker.getRegistration('/console/').then(String)`)).toBe('undefined')
  expect(await desk.server.world.query('select from directory.push_subscriptions')).toEqual([])
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
}, 60_000)

it('of two approvers at once, one seals, and the other reads who was faster and when', async () => {
  const id = await desk.record({ action: { ...refund.action, type: 'notice.send' } })
  const people = [await desk.person('김민준'), await desk.person('이도윤')]
  const visit = async (person: Person) => withoutPointer(await desk.visit(person, address(`/inbox?id=${id}`)))
  const pages = await Promise.all(people.map(visit))
  for (const page of pages) await useSingleKeys(page)
  await Promise.all(pages.map((page) => readAll(page, () => page.keyboard.press('a'))))
  // The first press only says what the second one does.
  await Promise.all(pages.map((page) => page.keyboard.press('a')))
  await Promise.all(pages.map((page) => page.getByText('한 번 더 누르면 승인합니다.').waitFor()))
  await Promise.all(pages.map((page) => page.keyboard.press('a')))
  const told = await Promise.all(
    pages.map(async (page) => {
      await page.locator('.inbox-told').waitFor()
      return (await page.locator('.inbox-told').textContent()) ?? ''
    }),
  )
  const winner = told.findIndex((text) => !text.includes('다른 사람이 먼저 결정했습니다'))
  expect(winner).toBeGreaterThanOrEqual(0)
  const other = told[1 - winner]
  expect(other).toContain('다른 사람이 먼저 결정했습니다')
  expect(other).toMatch(new RegExp(`${['김민준', '이도윤'][winner]} 님이 .*(오전|오후) .*에 승인하고 봉인했습니다`))
  await Promise.all(pages.map((page) => page.context().close()))
}, 60_000)

const told = (page: Page) => page.locator('.inbox-told')
const details = async (person: Person, id: string) => {
  const { accessToken: token } = await desk.server.signIn(person, desk.center.domain)
  return (await desk.server.call('GET', `/api/decisions/${id}`, { token })).body.data
}

it('what is recorded appears without a reload, several are approved at once and recorded alone, and what another decides is told', async () => {
  const person = await desk.person('오세훈')
  const other = await desk.person('윤지민')
  const page = await desk.visit(person, address('/inbox'))
  await settled(page)
  const ids = []
  for (let n = 1; n <= 4; n++) {
    ids.push(
      await desk.record({
        action: { ...refund.action, type: 'notice.send', description: `알림 ${n}`, input: { title: `알림 ${n}` } },
      }),
    )
  }
  const rows = page.locator('.tray .item')
  for (let n = 1; n <= 3; n++) {
    await rows.filter({ hasText: `Title 알림 ${n}` }).click()
    await rows
      .filter({ hasText: `Title 알림 ${n}` })
      .getByText('열어 봄')
      .waitFor()
  }
  await page.getByRole('link', { name: '열어 본 요청 한 번에 승인' }).click()
  await page.locator('table').waitFor()
  // The page opens with a decision of another test, which counts as opened where it takes its time.
  for (let n = 1; n <= 3; n++) await page.getByRole('checkbox', { name: `Title 알림 ${n}` }).check()
  await readAll(page)
  await page.getByRole('button', { name: '3건 승인하고 봉인' }).click()
  await expect.poll(() => page.locator('tbody').getByText('봉인 완료').count(), { timeout: 15_000 }).toBe(3)
  const sealed = await Promise.all(ids.slice(0, 3).map((id) => details(person, id)))
  expect(sealed.map(({ approvals }) => approvals.length)).toEqual([1, 1, 1])
  expect(new Set(sealed.map(({ evidence }) => evidence.chainHash)).size).toBe(3)

  // Another person decides through the API what is open here.
  const last = ids[3] as string
  await page.goto(desk.origin + address(`/inbox?id=${last}`))
  await readAll(page)
  await desk.approveAs(other, last)
  await told(page).getByText('윤지민 님이').waitFor()
  expect(await told(page).textContent()).toContain('다른 사람이 먼저 결정했습니다')
  await page.context().close()
}, 90_000)

it('two people approve where a policy asks for two, and the list names the state between', async () => {
  await desk.policy({ name: '두 사람', match: { actionTypes: ['plan.close'] }, guards: { dualApproval: true } })
  const [first, second] = [await desk.person('강민서'), await desk.person('조유나')]
  const id = await desk.record({ action: { ...refund.action, type: 'plan.close' } })
  const page = await desk.visit(first, address(`/inbox?id=${id}`))
  await seal(page)
  await told(page).getByText('결재선의 나머지 사람도 승인하면 봉인됩니다').waitFor()
  await page.goto(desk.origin + address(`/decisions?id=${id}`))
  await page.locator('.item[aria-current]').getByText('1명 승인').waitFor()
  await page.getByRole('link', { name: /^대기 중 \d/ }).waitFor()
  const next = await desk.visit(second, address('/inbox'))
  await next.locator('.item', { hasText: '1명 승인' }).click()
  await seal(next)
  await told(next).getByText('승인하고 봉인했습니다.').waitFor()
  expect((await details(second, id)).approvals).toHaveLength(2)
  // Told by the event stream to the page of the first.
  await page.locator('.item[aria-current]').getByText('봉인').waitFor()
  for (const each of [page, next]) await each.context().close()
}, 90_000)

it('whoever asked withdraws a request, and approvers see that it was withdrawn', async () => {
  const [asking, approver] = [await desk.person('임수아', 'INSTRUCTOR'), await desk.person('한도윤')]
  const actor = { id: asking.actorId, type: 'human', name: '임수아' }
  const id = await desk.record({ actor, action: { ...refund.action, type: 'notice.send' } })
  const other = await desk.visit(approver, address(`/inbox?id=${id}`))
  await other.getByText('승인한 뒤 7일 동안 사용할 수 있습니다.').first().waitFor()
  await other.goto(desk.origin + address(`/decisions?id=${id}`))
  await other.getByRole('link', { name: wordsOf.toInbox }).waitFor()
  expect(await other.getByRole('button', { name: wordsOf.withdraw }).count()).toBe(0)
  const page = await desk.visit(asking, address(`/decisions?id=${id}`))
  await page.getByRole('button', { name: wordsOf.withdraw }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(wordsOf.withdrawReason).fill('금액을 잘못 적었습니다.')
  await dialog.getByRole('button', { name: wordsOf.withdraw }).click()
  await page.getByText(wordsOf.withdrawn).first().waitFor()
  await page.getByText('금액을 잘못 적었습니다.').waitFor()
  await other.goto(desk.origin + address(`/inbox?id=${id}`))
  await other.getByText('회수했습니다. 더 하실 일은 없습니다.').waitFor()
  for (const each of [page, other]) await each.context().close()
}, 90_000)

it('a deputy approves for a member who is absent, and both names are shown', async () => {
  const absent = await desk.person('서지호')
  const deputy = await desk.person('문가은', 'INSTRUCTOR')
  await desk.policy({
    name: '서지호 님의 승인',
    match: { actionTypes: ['plan.sign'] },
    approval: { actorIds: [absent.actorId] },
  })
  const id = await desk.record({ action: { ...refund.action, type: 'plan.sign' } })
  const asked = await desk.visit(absent, address(`/inbox?id=${id}`))
  await asked.getByRole('button', { name: '대결자 지정' }).click()
  const dialog = asked.getByRole('dialog')
  await dialog.getByRole('combobox').selectOption({ label: '문가은' })
  await dialog.getByRole('button', { name: '대결자 지정' }).click()
  await asked.getByText('문가은 님을 대결자로 지정했습니다.').waitFor()
  await asked.context().close()
  const page = await desk.visit(deputy, address(`/inbox?id=${id}`))
  await seal(page)
  await told(page).getByText('승인하고 봉인했습니다.').waitFor()
  await page.getByText('서지호 님을 대신해 결재했습니다.').waitFor()
  expect((await details(deputy, id)).approvals).toMatchObject([
    { onBehalfOf: absent.actorId, onBehalfOfName: '서지호' },
  ])
  await page.context().close()
}, 60_000)

it('a page that asks too often counts down and goes on by itself', async () => {
  const page = await desk.visit(await desk.person('배수아'), '/me')
  let refused = 0
  await page.route('**/api/console/inbox*', (route) => {
    if (refused++ > 0) return route.continue()
    const error = { code: 'RATE_LIMITED', message: 'Too many requests.', requestId: 'req_1', timestamp: new Date() }
    const headers = { 'retry-after': '3', 'x-request-id': 'req_1' }
    return route.fulfill({ status: 429, headers, json: { success: false, error } })
  })
  await page.goto(desk.origin + address('/inbox'))
  await page.getByText(/잠시 기다리고 있습니다. [123]초 뒤에/).waitFor()
  await page.getByText('결재할 요청이 없습니다').or(page.locator('.inbox-row').first()).first().waitFor()
  expect(refused).toBeGreaterThan(1)
  await expect.poll(() => page.locator('.pause').count(), { timeout: 5000 }).toBe(0)
  await page.context().close()
}, 60_000)

/** The elements of the sheet, with the names of their attributes, without what they say and without drawn names. */
const skeleton = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const copy = document.querySelector('article.sheet').cloneNode(true)
    for (const svg of copy.querySelectorAll('svg')) svg.replaceChildren()
    // Warnings about letters, the cut of a long text and the number of values in a heading depend on the text.
    for (const ours of copy.querySelectorAll('.warned, .unfold')) ours.remove()
    for (const heading of copy.querySelectorAll('h1')) {
      const tags = new Set([...heading.querySelectorAll('*')].map((each) => each.tagName))
      heading.replaceChildren(...[...tags].map((tag) => document.createElement(tag)))
    }
    const tree = (element) => [
      element.tagName,
      ...[...element.attributes].map(({ name }) => name).filter((name) => !['title', 'width', 'height', 'class', 'style'].includes(name)),
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
  // A long sentence is folded, and still seen.
  const long = '이 글은 길어서 문장이 접힙니다. '.repeat(4).trim()
  for (const text of [long, ...some(hostileTexts, 3)]) expect([text, ...(await views(text))]).toEqual([text, ...plain])
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
