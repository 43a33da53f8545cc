/** People of a center and of a partner in the console: a director, a parent on a phone, a partner. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { type DnsServer, proveDomain, startDns } from '../support/dns.ts'
import { startTlsFront, type TlsFront } from '../support/tls-front.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

const site = 'bada.example'

let dns: DnsServer
let front: TlsFront
let desk: ConsoleDesk
let director: Person
let instructor: Person
let child: Person

beforeAll(async () => {
  dns = await startDns()
  front = await startTlsFront(() => Number(new URL(desk.origin).port))
  desk = await openConsole({ WEBHOOK_DNS_SERVERS: dns.address, TRUSTED_PROXIES: '127.0.0.0/8' }, [
    `--host-resolver-rules=MAP ${site}:443 127.0.0.1:${front.port}`,
  ])
  instructor = await desk.person('김민준', 'INSTRUCTOR')
  child = await desk.person('정도윤', 'CHILD')
  director = await desk.person('박서연')
  const { accessToken } = await desk.server.signIn(director, desk.center.domain)
  const open = [{ from: '09:00', to: '18:00' }]
  await desk.server.call('PATCH', `/api/centers/${desk.center.domain}/settings`, {
    token: accessToken,
    body: { timezone: 'Asia/Seoul', booking: { slotMinutes: 60, openingHours: { mon: open } } },
  })
}, 180_000)
afterAll(async () => {
  await desk?.close()
  await front?.close()
  await dns?.close()
})

/** A Monday at least a week ahead, so that every slot of the day is still free. */
const monday = (() => {
  const day = new Date(Date.now() + 8 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
})()

const dialog = (page: Page) => page.getByRole('dialog')

it('a director invites a member, books, and cancels with a reason', async () => {
  const page = await desk.visit(director, `/c/${desk.center.domain}/members`)
  await page.getByRole('button', { name: '초대하기' }).click()
  await dialog(page).getByLabel('이메일').fill('new@haneul.example')
  await dialog(page).getByRole('button', { name: '초대 보내기' }).click()
  await page.getByRole('link', { name: /new@haneul\.example/ }).click()
  await page.getByText('아직 초대를 받아들이지 않았습니다.').waitFor()

  await page.goto(`${desk.origin}/c/${desk.center.domain}/bookings?date=${monday}`)
  await page.getByRole('button', { name: '예약하기' }).click()
  await dialog(page).getByRole('radio', { name: '정도윤' }).check()
  await dialog(page)
    .getByRole('radio', { name: /오전 10:00/ })
    .check()
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog(page).getByRole('button', { name: '이 시간으로 예약하기' }).click()
  const slip = page.getByRole('button', { name: /정도윤/ })
  await slip.click()
  await dialog(page).getByRole('button', { name: '예약 취소' }).click()
  await dialog(page).getByLabel('취소하는 까닭').fill('<b>입원</b>')
  await dialog(page).getByRole('button', { name: '취소하기' }).click()
  await page.getByText('<b>입원</b>').waitFor()
  expect(await violations(page)).toEqual([])
  await page.context().close()
})

it('a parent on a phone sees the appointment of a child and moves it', async () => {
  const parent = await desk.person('정미래', 'PARENT')
  await desk.server.world.guardian(parent, child, desk.center)
  const { accessToken } = await desk.server.signIn(instructor, desk.center.domain)
  const booked = await desk.server.call('POST', `/api/centers/${desk.center.domain}/bookings`, {
    token: accessToken,
    body: { instructorId: instructor.actorId, bookedFor: child.actorId, startsAt: `${monday}T02:00:00.000Z` },
  })
  expect(booked.status).toBe(201)
  const page = await desk.visit(parent, `/c/${desk.center.domain}`, { width: 390, height: 844 })
  await page.waitForURL('**/family')
  await page.getByRole('button', { name: /오전 11:00.*정도윤/ }).click()
  await dialog(page).getByRole('button', { name: '다른 시간으로 옮기기' }).click()
  await dialog(page)
    .getByRole('radio', { name: /오후 3:00/ })
    .check()
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog(page).getByRole('button', { name: '이 시간으로 옮기기' }).click()
  await page.getByRole('button', { name: /오후 3:00.*정도윤/ }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.context().close()
})

it('a partner creates a white-label center, which opens on its own domain in its own name', async () => {
  const { world } = desk.server
  const partner = await world.person()
  await world.account(partner, await world.partner(), 'PARTNER_ADMIN')
  const page = await desk.visit(partner, '/p')
  await page.getByRole('link', { name: '새 센터' }).click()
  await page.getByLabel('이름', { exact: true }).fill('바다발달센터')
  await page.getByLabel('주소').fill('Ba')
  await page.getByText('3자에서 30자까지 쓰십시오.').waitFor()
  await page.getByLabel('주소').fill(desk.center.domain)
  await page.getByText('이미 쓰고 있습니다').waitFor()
  await page.getByLabel('주소').fill('bada-center')
  await page.getByText('쓸 수 있습니다').waitFor()
  await page.getByRole('checkbox', { name: /자기 도메인에서 열기/ }).check()
  await page.getByRole('button', { name: '센터 만들기' }).click()
  await page.getByRole('link', { name: /바다발달센터.*bada-center/ }).click()
  await page.getByRole('heading', { name: '바다발달센터' }).waitFor()
  await page.getByRole('link', { name: '사슬' }).click()
  await page.getByRole('row', { name: /바다발달센터/ }).waitFor()
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
  await openOnItsDomain(partner)
}, 300_000)

/** The partner proves the domain as the administrator of the center, and signs in there. */
async function openOnItsDomain(person: Person): Promise<void> {
  const { server, browser } = desk
  const { accessToken: token } = await server.signIn(person, 'bada-center')
  const logo =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const body = { branding: { customDomain: site, primaryColor: '#1f4f8f', logo } }
  expect((await server.call('PATCH', '/api/centers/bada-center/settings', { token, body })).status).toBe(200)
  await proveDomain(server, dns, { token, path: '/api/centers/bada-center/domains', domain: site, purpose: 'site' })
  // A member elsewhere too: on the domain of this center that does not count.
  await server.world.member(person, desk.center, 'ADMIN')

  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'ko-KR' })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text())
  })
  await page.goto(`https://${site}/login`)
  await page.getByRole('heading', { name: '바다발달센터' }).waitFor()
  const lineOf = () => page.locator('.branded').evaluate((top) => getComputedStyle(top).borderTopColor)
  expect(await lineOf()).toBe('rgb(31, 79, 143)')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: '들어가기' }).click()
  await page.waitForURL(`${desk.origin}/signin/**`)
  await desk.signIn(page, person)
  await page.waitForURL(`https://${site}/c/bada-center/**`)
  await settled(page)
  const top = page.getByRole('banner')
  expect([(await top.locator('.top-mark').textContent())?.trim(), await top.locator('.brand-logo').count()]).toEqual([
    '바다발달센터',
    1,
  ])
  expect(await top.locator('.center-name').count()).toBe(0)
  expect([await lineOf(), await page.title()]).toEqual(['rgb(31, 79, 143)', expect.stringContaining('· 바다발달센터')])
  expect(await violations(page)).toEqual([])
  // Too dark for a line in the dark theme: ink.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' })
  expect(await lineOf()).not.toBe('rgb(31, 79, 143)')
  await page.goto(`https://${site}/c/${desk.center.domain}/inbox`)
  await page.getByRole('heading', { name: /들어갈 수 없습니다/ }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
}
