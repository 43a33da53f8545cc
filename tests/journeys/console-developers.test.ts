/**
 * A developer in the console, by keyboard alone: a policy in a sentence, a key of one agent, a webhook that fails and is mended, a chain that the browser
 * verifies. TEST_LONG=1 sends 1,000 events again and verifies 100,000 entries, without a task over 50 ms on the page.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { benchLog, fillChain } from '../bench/chains.ts'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import { type Consumer, startConsumer } from '../support/consumer.ts'
import { refund } from '../support/pages-fixture.ts'
import { backlog } from '../support/webhook-backlog.ts'
import { localNetworks } from '../support/webhook-fixture.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { choose, pick, press, pressAt, reach, useSingleKeys, withoutPointer, write } from './keyboard.ts'

const long = process.env.TEST_LONG === '1'
const failing = long ? 1000 : 3
const length = long ? 100_000 : 2000
const altered = length / 2 + 17

let desk: ConsoleDesk
let consumer: Consumer
let person: Person

beforeAll(async () => {
  consumer = await startConsumer()
  desk = await openConsole({ ...localNetworks, ...benchLog.settings, WEBHOOK_RETRY_DELAYS: '0,0.1' })
  desk.server.services.deliveryWorkers.start()
  person = await desk.person('박서연')
}, 180_000)
afterAll(async () => {
  await desk?.close()
  await consumer?.close()
})

const at = (path: string) => `/c/${desk.center.domain}${path}`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Deliveries are not part of the event stream. */
async function readUntil(page: Page, text: string): Promise<void> {
  const shown = page.getByText(text).first()
  for (let tries = 0; tries < (long ? 30 : 8) && !(await shown.isVisible()); tries++) {
    await page.reload()
    await shown.waitFor({ timeout: 3000 }).catch(() => undefined)
  }
  await shown.waitFor({ timeout: 1000 })
}

it('saves a policy after its dry run, and shows what a new version changed', async () => {
  await desk.record()
  const page = await withoutPointer(await desk.visit(person, at('/policies?policy=new')))
  await write(page.getByLabel('정책 이름'), '큰 환불')
  await page.getByText('새로 대기 1건').waitFor()
  await press(button(page, '버전 1 저장'))
  await page.getByText('첫 버전입니다.').waitFor()
  await pick(page.getByLabel('승인자'), 'ADMIN2')
  await press(button(page, '버전 2 저장'))
  await page.locator('.policy-versions ins').waitFor()
  expect(await page.locator('.policy-versions del').allTextContents()).toEqual(['관리자 1명'])
  await page.context().close()
})

it('makes a key for one agent, and shows it once', async () => {
  const page = await withoutPointer(await desk.visit(person, at('/developers/keys')))
  await useSingleKeys(page)
  // The shortcut exists once the page has its button.
  await button(page, '키 만들기').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await reach(page, 'dialog input:not([type])')
  await page.keyboard.insertText('환불 봇')
  // From the first scope over "record decisions", which is chosen, to "submit approvals" and "publish events".
  await reach(page, 'dialog input[type=checkbox]:not(:checked)')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await reach(page, 'dialog input[placeholder]')
  await page.keyboard.insertText('agent-refunds')
  expect(await violations(page, { dialog: true })).toEqual([])
  await pressAt(page, 'dialog .btn.first')
  await page.getByText('지금 키를 복사하세요').waitFor()
  const key = (await page.locator('.dev-secret code').textContent()) as string
  await page.keyboard.press('Escape')
  expect(await page.locator('.dev-secret').count()).toBe(1)
  await pressAt(page, 'dialog .btn.first')
  const row = page.getByRole('row', { name: /환불 봇/ })
  await row.getByText('결정 기록, 이벤트 발행').waitFor()
  await row.getByText('agent-refunds').waitFor()
  expect(await page.content()).not.toContain(key)

  const record = (id: string) =>
    desk.server.call('POST', '/api/v1/decision-events', {
      token: key,
      body: { ...refund, actor: { id, type: 'ai_agent' } },
    })
  expect([(await record('agent-refunds')).status, (await record('agent-other')).status]).toEqual([201, 403])
  await press(row.getByRole('button', { name: '키 폐기' }))
  await press(dialog.getByRole('button', { name: '키 폐기' }))
  await row.waitFor({ state: 'detached' })
  expect((await record('agent-refunds')).status).toBe(401)
  await page.context().close()
})

it('shows why a webhook fails, and sends again what failed', async () => {
  const page = await withoutPointer(await desk.visit(person, at('/developers/webhooks')))
  await press(button(page, '웹훅 만들기'))
  // No server listens here: the developer typed the wrong port.
  await write(page.getByLabel('엔드포인트 주소(URL)'), 'http://127.0.0.1:9/hook')
  await press(page.getByRole('dialog').getByRole('button', { name: '웹훅 만들기' }))
  const first = await page.locator('.dev-secret code').textContent()
  expect(first).toMatch(/^whsec_/)
  await press(button(page, '안전한 곳에 저장했습니다'))
  await page.waitForURL(/webhooks\/whk_/)
  const webhookId = new URL(page.url()).pathname.split('/').at(-1) as string

  await backlog(desk.server.world, desk.center.id, webhookId, { count: failing - 1 })
  await readUntil(page, `${(failing - 1).toLocaleString()}건 실패`)
  await page.getByText('엔드포인트에 연결하지 못했습니다').first().waitFor()
  await press(button(page, '웹훅 수정'))
  await write(page.getByLabel('엔드포인트 주소(URL)'), consumer.url)
  await press(button(page, '저장'))
  consumer.answer(() => 500)
  await press(button(page, '테스트 이벤트 보내기'))
  await readUntil(page, `${failing.toLocaleString()}건 실패`)
  await page.getByText('HTTP 500 응답을 보냈습니다').first().waitFor()

  const refused = consumer.received.length
  consumer.answer(() => 200)
  const began = performance.now()
  await press(button(page, `실패한 ${failing.toLocaleString()}건 재전송`))
  await press(page.getByRole('dialog').getByRole('button', { name: '재전송' }))
  await page.getByText(`${failing.toLocaleString()}건을 재전송했습니다`).waitFor({ timeout: 60_000 })
  const told = performance.now() - began
  await consumer.until(refused + failing, long ? 120_000 : 20_000)
  const delivered = new Set(consumer.received.slice(refused).map(({ envelope }) => envelope.id))
  expect(delivered.size).toBe(failing)
  if (long)
    process.stdout.write(
      `${failing} sent again: page after ${told} ms, received after ${performance.now() - began} ms\n`,
    )

  await press(button(page, '시크릿 교체'))
  await choose(page.getByRole('dialog').getByRole('radio', { name: '1시간' }))
  await press(page.getByRole('dialog').getByRole('button', { name: '시크릿 교체' }))
  await page.getByText('지금 서명 시크릿을 복사하세요').waitFor()
  const second = (await page.locator('.dev-secret code').textContent()) as string
  expect([second.startsWith('whsec_'), second === first]).toEqual([true, false])
  await press(button(page, '안전한 곳에 저장했습니다'))
  await page.getByText(/이전 시크릿 · .*까지/).waitFor()
  await press(button(page, '테스트 이벤트 보내기'))
  await consumer.until(refused + failing + 1)
  const { headers } = consumer.received.at(-1) as (typeof consumer.received)[number]
  expect(Object.keys(headers)).toContain('x-service-signature-previous')

  await page.goto(new URL(at('/developers/webhooks'), page.url()).href)
  await press(button(page, '웹훅 만들기'))
  await pick(page.getByLabel('종류'), 'nats')
  await write(page.getByLabel('엔드포인트 주소(URL)'), 'tls://user:hidden-word@nats.example.org')
  await write(page.getByLabel('서브젝트'), 'countersign.events')
  await press(page.getByRole('dialog').getByRole('button', { name: '웹훅 만들기' }))
  await press(button(page, '안전한 곳에 저장했습니다'))
  await page.getByText('nats.example.org · countersign.events').first().waitFor()
  await page.getByText('NATS JetStream').first().waitFor()
  expect(await page.content()).not.toContain('hidden-word')
  await page.context().close()
}, 300_000)

it('names the altered entry that the server names', async () => {
  const center = await desk.server.world.center({ name: '긴 체인' })
  const auditor = await desk.person('최감사', 'ADMIN', center)
  const { url } = desk.server.databases[0] as { url: string }
  await fillChain(url, center.id, benchLog, length)
  await desk.server.world.query(
    `begin; set local session_replication_role = replica;
     alter table cell.entries drop constraint entries_hash_check;
     update cell.entries set template = replace(template, '"claim"', '"session"')
     where center_id = ${center.id} and domain = 'proof' and idx = ${altered}; commit`,
  )
  const { accessToken } = await desk.server.signIn(auditor, center.domain)
  const { body } = await desk.server.call('GET', '/api/dpu/verify-chain?mode=chain', { token: accessToken })
  expect(body.data.domains.proof.brokenAt).toBe(altered)

  // Whoever works in the center is told on every page, and is led to the place.
  const page = await withoutPointer(await desk.visit(auditor, `/c/${center.domain}/inbox`))
  await page.getByText('이 센터의 일부 기록이 봉인된 내용과 맞지 않습니다.').waitFor()
  await press(page.getByRole('link', { name: '체인 보기' }))
  await page.waitForURL(`**/c/${center.domain}/chain?domain=proof`)
  await useSingleKeys(page)
  await page.evaluate(`
    globalThis.tasks = [];
    new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' })`)
  await press(button(page, '이 브라우저에서 검증'))
  await page.getByText('서버의 검증 결과도 같습니다.').waitFor({ timeout: 120_000 })
  expect(await page.locator('h1').textContent()).toContain(`${(altered + 1).toLocaleString()}번 기록`)
  await page.keyboard.press('t')
  await page
    .getByRole('region', { name: '표로 보기' })
    .getByText(`✕ ${(altered + 1).toLocaleString()}`)
    .waitFor()
  const tasks = (await page.evaluate('globalThis.tasks')) as number[]
  if (long) expect(tasks).toEqual([])
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
}, 300_000)
