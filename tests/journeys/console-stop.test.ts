/** An administrator stops an agent from the header of any page: nothing of it goes on until the stop is lifted. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { sampleDecision } from '../support/proof-fixture.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let admin: Person
let key: string

beforeAll(async () => {
  desk = await openConsole()
  admin = await desk.person('최원장')
  key = await desk.server.world.key(desk.center, { scopes: ['decide', 'proof:read', 'proof:write'] })
  await desk.policy()
}, 180_000)
afterAll(() => desk?.close())

const decide = () =>
  desk.server.call('POST', '/api/v1/agents/decide', {
    token: key,
    body: sampleDecision({ agent: { id: 'agent-refunds' } }),
  })

const scrollsSideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

async function ageSession(): Promise<void> {
  await desk.server.world.query(
    `update directory.sessions set signed_in_at = now() - interval '20 days', stepped_up_at = null where actor_id = $1`,
    [admin.actorId],
  )
  desk.server.services.authenticate.forget(`actor:${admin.actorId}`)
}

it('stops an agent from the header without a second sign-in, and lifts it with one', async () => {
  const waiting = await desk.record()
  expect((await decide()).status).toBe(201)
  const page = await desk.visit(admin, `/c/${desk.center.domain}/decisions`)
  await ageSession()
  await page.getByRole('banner').getByRole('link', { name: '정지', exact: true }).click()
  await settled(page)
  expect(await violations(page)).toEqual([])
  await page.getByLabel('에이전트', { exact: true }).fill('agent-refunds')
  await page.getByText('대기 중인 1건은 승인할 수 없습니다').waitFor()
  await page.getByLabel('사유', { exact: true }).fill('같은 환불을 세 번 요청함')
  await page.getByRole('button', { name: '이 에이전트 정지' }).click()
  await page.getByRole('heading', { name: 'agent-refunds 정지 · 최원장' }).waitFor()
  await page.getByText('agent-refunds의 요청이 정지되어 있습니다.').waitFor()
  expect(await violations(page)).toEqual([])

  const refused = await decide()
  expect([refused.status, refused.body.error.details.reason]).toEqual([409, 'frozen'])

  // Whoever could approve is told so, and can still refuse.
  const inbox = await desk.visit(admin, `/c/${desk.center.domain}/inbox?id=${waiting}`)
  await inbox.getByText('관리자가 정지를 해제할 때까지 승인할 수 없습니다').waitFor()
  expect(await inbox.locator('#approve').isDisabled()).toBe(true)
  expect(await inbox.locator('#refuse').isEnabled()).toBe(true)
  expect(await violations(inbox)).toEqual([])
  await inbox.goto(`${desk.origin}/approve/${waiting}`)
  await inbox.getByText('관리자가 정지를 해제할 때까지 승인할 수 없습니다').waitFor()
  expect(await inbox.locator('#approve').isDisabled()).toBe(true)
  await inbox.context().close()

  // The band is on every page, and leads back.
  await page.goto(`${desk.origin}/c/${desk.center.domain}/policies`)
  await page.getByRole('link', { name: '보기 · 해제' }).click()
  await page.getByLabel('해제 사유').fill('원인을 고침')
  await page.getByRole('button', { name: '정지 해제' }).click()
  const dialog = page.getByRole('dialog', { name: '본인 확인' })
  await dialog.getByLabel('비밀번호').fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByText('원인을 고침').waitFor()
  await expect.poll(() => page.getByText('정지되어 있습니다').count()).toBe(0)
  expect((await decide()).status).toBe(201)
  await desk.approveAs(admin, waiting)
  await page.context().close()
})

it('is whole on a narrow phone, in both languages and themes, with something stopped', async () => {
  const { accessToken } = await desk.server.signIn(admin, desk.center.domain)
  const body = { actionTypes: ['refund.*', 'message.send'], reason: 'Two at a time' }
  const { status } = await desk.server.call('POST', '/api/freezes', { token: accessToken, body })
  expect(status).toBe(201)
  const page = await desk.visit(admin, `/c/${desk.center.domain}/stop`, { width: 360, height: 740 })
  for (const language of ['ko', 'en'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      await restyle(page, { language, theme })
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    }
  }
  await page.getByRole('link', { name: 'View or lift' }).click()
  await page.getByRole('button', { name: 'Lift stop' }).waitFor()
  expect(await violations(page)).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  await page.context().close()
})

it('staff who may not stop see what is stopped, and no way to stop', async () => {
  const page = await desk.visit(await desk.person('김민준', 'INSTRUCTOR'), `/c/${desk.center.domain}/inbox`)
  await page.getByText('refund.*, message.send 작업이 정지되어 있습니다.').waitFor()
  expect(await page.getByRole('banner').getByRole('link', { name: /정지/ }).count()).toBe(0)
  await page.context().close()
})

it('shows what ran before the stop, and refuses all that waits of it with one reason', async () => {
  const { accessToken } = await desk.server.signIn(admin, desk.center.domain)
  const asked = [await desk.record(), await desk.record()]
  const body = { actionTypes: ['refund.pay'], reason: 'Wrong refunds' }
  const { body: made } = await desk.server.call('POST', '/api/freezes', { token: accessToken, body })
  const page = await desk.visit(admin, `/c/${desk.center.domain}/stop?freeze=${made.data.id}`)
  await page.getByText('그 뒤 실행 0건').waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/stop-frozen.png`, fullPage: true })
  await page.getByRole('button', { name: '대기 2건 모두 반려' }).click()
  const dialog = page.getByRole('dialog', { name: '대기 2건을 반려할까요?' })
  expect(await dialog.getByRole('button', { name: '반려', exact: true }).isDisabled()).toBe(true)
  await dialog.getByLabel('반려 사유').fill('계획이 틀렸습니다')
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog.getByRole('button', { name: '반려', exact: true }).click()
  await expect.poll(() => page.getByRole('button', { name: /모두 반려/ }).count()).toBe(0)
  for (const id of asked) {
    const { body: read } = await desk.server.call('GET', `/api/v1/decision-events/${id}`, { token: key })
    expect([read.data.status, read.data.approvals[0].reason]).toEqual(['rejected', '계획이 틀렸습니다'])
  }
  await page.context().close()
})
