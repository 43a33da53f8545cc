/**
 * What an administrator sets up from the menu: keys that are rotated, chat channels, sign-in providers and features; and a person who leaves.
 * On a phone of 360 too, in both languages. TEST_PICTURES=1 keeps pictures in `.dev/settings`.
 */
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

const folder = new URL('../../.dev/settings', import.meta.url).pathname
let desk: ConsoleDesk
let admin: Person

beforeAll(async () => {
  desk = await openConsole()
  if (process.env.TEST_PICTURES) mkdirSync(folder, { recursive: true })
  admin = await desk.person('박서연')
}, 180_000)
afterAll(() => desk?.close())

const at = (path: string) => `/c/${desk.center.domain}${path}`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const message = (page: Page) => page.locator('.done-line').getByRole('status')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

/** In both languages, on a phone of 360. */
async function fitsEverywhere(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() as { width: number; height: number }
  if (process.env.TEST_PICTURES) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  await page.setViewportSize({ width: 360, height: 740 })
  for (const language of ['en', 'ko'] as const) {
    await restyle(page, { language })
    if (process.env.TEST_PICTURES)
      await page.screenshot({ path: `${folder}/${name}-360-${language}.png`, fullPage: true })
    expect(await misfits(page)).toEqual([])
    expect(await violations(page)).toEqual([])
  }
  await page.setViewportSize(size)
}

it('rotates a key with an overlap, ends the old one, and creates one that expires', async () => {
  const page = await desk.visit(admin, at('/developers/keys'))
  await button(page, '키 만들기').click()
  await dialog(page).getByLabel('이름').fill('정산 봇')
  await dialog(page).getByLabel('만료일').selectOption({ label: '90일' })
  await inDialog(page, '키 만들기').click()
  const first = (await page.locator('.dev-secret code').textContent()) as string
  await button(page, '안전한 곳에 저장했습니다').click()
  await page
    .getByRole('row', { name: /정산 봇/ })
    .getByRole('button', { name: '키 교체' })
    .click()
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog(page).getByLabel('7일').check()
  await inDialog(page, '키 교체').click()
  await page.getByText('지금 키를 복사하세요').waitFor()
  const next = (await page.locator('.dev-secret code').textContent()) as string
  await button(page, '안전한 곳에 저장했습니다').click()
  await message(page)
    .getByText(/정산 봇의 새 키를 만들었습니다/)
    .waitFor()
  const use = async (token: string) => (await desk.server.call('GET', '/api/v1/decision-events', { token })).status
  expect([await use(first), await use(next)]).toEqual([200, 200])
  const old = page.getByRole('row').filter({ hasText: '교체됨' })
  expect(await old.getByRole('button', { name: '키 교체' }).count()).toBe(0)
  await fitsEverywhere(page, 'keys')
  await old.getByRole('button', { name: '키 폐기' }).click()
  await inDialog(page, '키 폐기').click()
  await message(page).getByText('정산 봇 키를 폐기했습니다').waitFor()
  expect([await use(first), await use(next)]).toEqual([401, 200])
  await page.context().close()
})

it('marks a key that expires soon, and one that has expired', async () => {
  const { server, center } = desk
  await server.world.key(center)
  await server.world.query(
    `update directory.api_keys set expires_at = now() + interval '3 days' where center_id = $1 and expires_at is null`,
    [center.id],
  )
  const page = await desk.visit(admin, at('/developers/keys'))
  await page.getByText(/14일 안에 만료되는 키가 있습니다/).waitFor()
  await server.world.query(
    `update directory.api_keys set expires_at = now() - interval '1 day' where center_id = $1 and expires_at < now() + interval '4 days'`,
    [center.id],
  )
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: '만료됨' }).first()
  await row.waitFor()
  expect(await row.getByRole('button', { name: '키 교체' }).count()).toBe(0)
  await page.context().close()
})

it('adds a chat channel from the menu, tests it, reads why it failed, and removes it', async () => {
  const page = await desk.visit(admin, at('/settings'))
  await page.getByRole('navigation', { name: '설정 목차' }).getByRole('link', { name: '채팅 채널' }).click()
  await page.getByText('아직 채널이 없습니다').waitFor()
  await button(page, '채널 추가').click()
  await dialog(page).getByLabel('이름').fill('#승인')
  await dialog(page).getByLabel('웹훅 주소(URL)').fill('https://evil.example/services/T0/B0/x')
  await inDialog(page, '채널 추가').click()
  // Refused, and the form keeps what was written.
  await dialog(page).getByRole('alert').filter({ hasText: /\S/ }).waitFor()
  await dialog(page).getByLabel('웹훅 주소(URL)').fill('https://hooks.slack.com/services/T00000000/B00000000/XXXX')
  await inDialog(page, '채널 추가').click()
  await message(page).getByText('#승인을 추가했습니다').waitFor()
  expect(await page.content()).not.toContain('XXXX')
  await button(page, '테스트 메시지 보내기').click()
  await page.getByText('마지막 메시지 실패').waitFor({ timeout: 40_000 })
  await fitsEverywhere(page, 'channels')
  await button(page, '채널 삭제').click()
  await inDialog(page, '채널 삭제').click()
  await message(page).getByText('#승인을 삭제했습니다').waitFor()
  await page.getByText('아직 채널이 없습니다').waitFor()
  await page.context().close()
})

it('adds a sign-in provider, learns what is wrong with it, changes and removes it', async () => {
  const page = await desk.visit(admin, at('/settings/sign-in'))
  await button(page, '제공자 추가').click()
  await dialog(page).getByLabel('이름').fill('하늘')
  await dialog(page).getByLabel('발급자(issuer) 주소').fill('https://login.haneul.example')
  await dialog(page).getByLabel('클라이언트 ID').fill('countersign')
  await dialog(page).getByLabel('클라이언트 시크릿').fill('9f2c-secret')
  expect(await violations(page, { dialog: true })).toEqual([])
  await inDialog(page, '제공자 추가').click()
  await message(page).getByText('하늘을 추가했습니다').waitFor()
  expect(await page.content()).not.toContain('9f2c-secret')
  await page.getByText(/\/signin\/callback\//).waitFor()
  await button(page, '연결 확인').click()
  await page.getByText(/발급자 주소에서 응답이 없습니다|접속할 수 없는 네트워크/).waitFor({ timeout: 40_000 })
  await fitsEverywhere(page, 'sign-in')
  await button(page, '이름이나 시크릿 변경').click()
  await dialog(page).getByLabel('이름').fill('하늘 계정')
  await inDialog(page, '변경 사항 저장').click()
  await page.getByRole('heading', { name: '하늘 계정' }).waitFor()
  await button(page, '제공자 삭제').click()
  await dialog(page)
    .getByText(/바로 로그아웃되고/)
    .waitFor()
  await inDialog(page, '제공자 삭제').click()
  await message(page).getByText('하늘 계정을 삭제했습니다').waitFor()
  await page.getByText('아직 제공자가 없습니다').waitFor()
  await page.context().close()
})

it('turns a feature off: its word leaves the menu, and comes back with undo', async () => {
  const page = await desk.visit(admin, at('/settings/features'))
  const menu = page.getByRole('navigation').first()
  const bookings = menu.getByRole('link', { name: '예약', exact: true })
  await bookings.waitFor()
  await button(page, '예약 끄기').click()
  await message(page).getByText('예약을 껐습니다').waitFor()
  await bookings.waitFor({ state: 'detached' })
  // The message goes after twenty seconds.
  await button(page, '실행 취소').click()
  await bookings.waitFor()
  await button(page, '예약 끄기').waitFor()
  await fitsEverywhere(page, 'features')
  await page.context().close()
})

it('a person declines an invitation and leaves a center; its last administrator cannot', async () => {
  const { world } = desk.server
  const [own, other] = [await world.center({ name: '바다' }), await world.center({ name: '숲' })]
  const person = await desk.person('이하늘', 'INSTRUCTOR')
  await world.member(person, own, 'ADMIN')
  await world.member(person, other, 'PARENT', 'INVITED')
  const page = await desk.visit(person, '/me')
  await settled(page)
  const row = (name: string) => page.locator('#myCenters li').filter({ hasText: name })
  await row('숲').getByRole('button', { name: '초대 거절' }).click()
  await inDialog(page, '초대 거절').click()
  await page.getByText('숲의 초대를 거절했습니다.').waitFor()
  await row('숲').waitFor({ state: 'detached' })
  await row('바다').getByRole('button', { name: '센터 탈퇴' }).click()
  await dialog(page)
    .getByText(/마지막 관리자는 탈퇴할 수 없습니다/)
    .waitFor()
  await inDialog(page, '센터 탈퇴').click()
  await dialog(page).getByRole('alert').filter({ hasText: /\S/ }).waitFor()
  await inDialog(page, '취소').click()
  await fitsEverywhere(page, 'me')
  await row('하늘발달센터').getByRole('button', { name: '센터 탈퇴' }).click()
  await dialog(page)
    .getByText(/봉인된 기록/)
    .waitFor()
  await inDialog(page, '센터 탈퇴').click()
  await page.getByText(/에서 탈퇴했습니다/).waitFor()
  const [row1] = await world.query<{ status: string }>(
    'select status from directory.memberships where actor_id = $1 and center_id = $2',
    [person.actorId, desk.center.id],
  )
  expect(row1?.status).toBe('ENDED')
  await page.context().close()
})
