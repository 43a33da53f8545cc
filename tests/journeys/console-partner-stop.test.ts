/** A partner stops an agent in several of its centers at once, finds it again with who and why, and lifts it everywhere. */
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { sampleDecision } from '../support/proof-fixture.ts'
import type { Center, Partner, Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let partner: Partner
let boss: Person
let centers: readonly Center[]
const names = ['하늘발달센터', '바다언어센터', '소나무심리센터'] as const

beforeAll(async () => {
  desk = await openConsole()
  const { world } = desk.server
  partner = await world.partner()
  boss = await named('정대표')
  await world.account(boss, partner)
  centers = [
    await world.center({ partner, name: names[0] }),
    await world.center({ partner, name: names[1] }),
    await world.center({ partner, name: names[2] }),
  ]
}, 180_000)
afterAll(() => desk?.close())

async function named(name: string): Promise<Person> {
  const person = await desk.server.world.person()
  await desk.server.world.query('update directory.actors set name = $2 where id = $1', [person.actorId, name])
  return person
}

const folder = process.env.TEST_SHOTS
async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  expect([name, await violations(page)]).toEqual([name, []])
  expect([name, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([name, true])
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

const decide = async (center: Center | undefined) => {
  if (!center) throw new Error('no such center')
  const token = await desk.server.world.key(center, { scopes: ['decide', 'proof:write'] })
  const body = sampleDecision({ agent: { id: 'agent-refunds' } })
  return (await desk.server.call('POST', '/api/v1/agents/decide', { token, body })).status
}

async function ageSession(): Promise<void> {
  await desk.server.world.query(
    `update directory.sessions set signed_in_at = now() - interval '20 days', stepped_up_at = null where actor_id = $1`,
    [boss.actorId],
  )
  desk.server.services.authenticate.forget(`actor:${boss.actorId}`)
}

it('stops an agent in two of three centers without a second sign-in, and lifts both with one (phone, Korean)', async () => {
  const page = await desk.visit(boss, '/p', { width: 360, height: 740 })
  await ageSession()
  await page.getByRole('button', { name: /더 보기/ }).click()
  await page
    .getByRole('link', { name: '정지', exact: true })
    .or(page.getByRole('menuitem', { name: '정지', exact: true }))
    .click()
  await page.getByRole('heading', { name: '정지', exact: true }).waitFor()
  await look(page, 'partner-stop-form-ko-360')
  const press = page.getByRole('button', { name: /에이전트 정지$/ })
  await page.getByLabel('에이전트', { exact: true }).fill('agent-refunds')
  await page.getByLabel('사유', { exact: true }).fill('같은 환불을 세 번 요청함')
  expect(await press.isDisabled()).toBe(true)
  await page.getByLabel(names[0]).check()
  await page.getByLabel(names[1]).check()
  await page.getByText('3곳 중 2곳 선택').waitFor()
  await page.getByRole('button', { name: '센터 2곳에서 이 에이전트 정지' }).click()
  await page.getByRole('heading', { name: '센터 2곳에서 정지했습니다' }).waitFor()
  expect(await Promise.all(centers.map(decide))).toEqual([409, 409, 201])
  await look(page, 'partner-stop-done-ko-360')

  // Somebody else of the partner finds it from the list of centers, and reads who did it and why.
  await page.goto(`${desk.origin}/p`)
  await page.getByRole('link', { name: '지금 정지된 것: 2건' }).click()
  await page.getByRole('link', { name: new RegExp(`agent-refunds.*${names[0]}`, 's') }).click()
  await page.getByRole('heading', { name: 'agent-refunds 정지 · 정대표' }).waitFor()
  await page.getByText('같은 환불을 세 번 요청함').waitFor()
  await page.getByLabel('다른 센터 1곳에서도 해제').check()
  await page.getByLabel('해제 사유').fill('원인을 고침')
  await look(page, 'partner-stop-sheet-ko-360')
  await page.getByRole('button', { name: '정지 해제' }).click()
  const dialog = page.getByRole('dialog', { name: '본인 확인' })
  await dialog.getByLabel('비밀번호').fill(boss.password)
  await page.keyboard.press('Enter')
  await page.getByText('원인을 고침').waitFor()
  await expect.poll(() => page.getByText('다른 센터 1곳에서도 해제').count()).toBe(0)
  expect(await Promise.all(centers.map(decide))).toEqual([201, 201, 201])
  await page.context().close()
})

it('is whole in English and in both themes; what the center stopped is lifted by the partner, from the menu (desktop)', async () => {
  const director = await desk.person('Ara Kim', 'ADMIN', centers[2])
  const { accessToken: token } = await desk.server.signIn(director, centers[2]?.domain)
  const body = { actionTypes: ['refund.*', 'message.send'], reason: 'Two at a time' }
  expect((await desk.server.call('POST', '/api/freezes', { token, body })).status).toBe(201)
  const page = await desk.visit(boss, '/p/stop', { language: 'en' })
  await page.getByText('refund.*, message.send').waitFor()
  for (const theme of ['light', 'dark'] as const) {
    await restyle(page, { language: 'en', theme })
    await look(page, `partner-stop-en-${theme}-1440`)
  }
  await page.getByRole('link', { name: /message\.send/ }).click()
  await page.getByRole('heading', { name: 'Ara Kim stopped refund.*, message.send.' }).waitFor()
  await page.getByText('The center. You can lift it.').waitFor()
  await look(page, 'partner-stop-sheet-en-1440')
  await page.getByLabel('Reason for lifting').fill('Agreed by phone')
  await page.getByRole('button', { name: 'Lift stop' }).click()
  await page.getByText('Agreed by phone').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await look(page, 'partner-stop-lifted-en-360')
  await page.context().close()
})

it('an operator of the partner reads what is stopped, and has no way to stop or lift', async () => {
  const reader = await named('한보조')
  await desk.server.world.account(reader, partner, 'PARTNER_OPERATOR')
  const { accessToken: token } = await desk.server.signIn(boss)
  const path = `/api/partner/centers/${centers[0]?.id}/freezes`
  await desk.server.call('POST', path, { token, body: { center: true, reason: '점검' } })
  const page = await desk.visit(reader, '/p/stop')
  await page.getByRole('link', { name: /센터 전체/ }).click()
  await page.getByText('점검', { exact: true }).waitFor()
  await look(page, 'partner-stop-reader-ko-1440')
  expect(await page.getByRole('button', { name: /정지/ }).count()).toBe(0)
  await page.context().close()
})
