/** People of a center and of a partner in the console, by keyboard alone: a director, a parent on a phone, a partner. */
import { readFile, stat } from 'node:fs/promises'
import meKo from '@countersign/words/ko/me.json' with { type: 'json' }
import type { Download, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled, type View } from '../support/console.ts'
import { type DnsServer, proveDomain, startDns } from '../support/dns.ts'
import { startTlsFront, type TlsFront } from '../support/tls-front.ts'
import type { Center, Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { choose, pick, press, withoutPointer, write } from './keyboard.ts'

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
  await desk.person('한지우', 'PARENT')
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

const address = (path: string): string => `${desk.origin}/c/${desk.center.domain}${path}`
const visit = async (person: Person, path: string, view: View = {}): Promise<Page> =>
  withoutPointer(await desk.visit(person, `/c/${desk.center.domain}${path}`, view))
const dialog = (page: Page) => page.getByRole('dialog')
const downloaded = async (page: Page, button: Locator): Promise<Download> =>
  (await Promise.all([page.waitForEvent('download'), press(button)]))[0]

it('a director books and cancels with a reason, and reads the attendance', async () => {
  const page = await visit(director, `/bookings?date=${monday}`)
  await press(page.getByRole('button', { name: '예약하기', exact: true }))
  await choose(dialog(page).getByRole('radio', { name: '정도윤' }))
  await choose(dialog(page).getByRole('radio', { name: /오전 10:00/ }))
  expect(await violations(page, { dialog: true })).toEqual([])
  await press(dialog(page).getByRole('button', { name: '이 시간으로 예약' }))
  const slip = page.getByRole('button', { name: /정도윤/ })
  await press(slip)
  await press(dialog(page).getByRole('button', { name: '예약 취소' }))
  await write(dialog(page).getByLabel('취소 사유'), '<b>입원</b>')
  await press(dialog(page).getByRole('button', { name: '예약 취소' }))
  await page.getByText('<b>입원</b>').waitFor()
  expect(await violations(page)).toEqual([])

  await desk.server.world.query(
    `insert into cell.attendance (center_id, id, kind, source, client_id, reference, at, recorded_at)
     select $1, gen_random_uuid(), kind, 'event', client, reference, timestamptz '2026-03-02T01:00Z' + n * interval '1 day', now()
     from (values ('no_show', $2::uuid, null, 0), ('attended', $2, null, 1), ('attended', null, '<i>learner</i>', 2)) v (kind, client, reference, n)`,
    [desk.center.id, child.actorId],
  )
  await press(page.getByRole('link', { name: '출석 기록' }))
  await page.getByText('출석 2건 · 결석 1건').waitFor()
  await page.getByText('<i>learner</i>').waitFor()
  await press(page.getByRole('button', { name: '정도윤' }).first())
  await page.getByText('출석 1건 · 결석 1건').waitFor()
  await pick(page.getByLabel('상태'), 'no_show')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.getByRole('row', { name: /정도윤.*결석/ }).waitFor()
  expect(await violations(page)).toEqual([])
  const file = await downloaded(page, page.getByRole('button', { name: 'CSV 내려받기' }))
  expect((await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(2)
  await page.context().close()
})

it('a director changes a role, suspends, readmits and invites again, and takes the list along', async () => {
  const page = await visit(director, '/members')
  const sheet = page.getByRole('article')
  await press(page.getByRole('link', { name: /한지우/ }))
  await press(sheet.getByRole('button', { name: '역할 변경' }))
  await press(dialog(page).getByRole('checkbox', { name: /^학부모/ }))
  await press(dialog(page).getByRole('checkbox', { name: /^관리자/ }))
  await dialog(page).getByText('관리자 역할 추가:').waitFor()
  await dialog(page).getByText('학부모 역할 해제:').waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await press(dialog(page).getByRole('button', { name: '역할 변경' }))
  await page.getByRole('link', { name: /한지우.*관리자/ }).waitFor()
  await press(sheet.getByRole('button', { name: '이용 정지' }))
  expect(await violations(page, { dialog: true })).toEqual([])
  await press(dialog(page).getByRole('button', { name: '이용 정지' }))
  await sheet.getByText(/지금은 이 센터를 이용할 수 없습니다\..*먼저 정지를 해제하세요\./).waitFor()
  expect(await sheet.getByRole('button', { name: '구성원에서 제외' }).count()).toBe(0)
  await press(sheet.getByRole('button', { name: '정지 해제' }))
  await press(sheet.getByRole('button', { name: '구성원에서 제외' }))
  await press(dialog(page).getByRole('button', { name: '구성원에서 제외' }))
  await press(sheet.getByRole('button', { name: '다시 초대' }))
  await sheet.getByText('아직 초대를 수락하지 않았습니다.').waitFor()

  await pick(page.getByLabel('역할', { exact: true }), 'ADMIN')
  const file = await downloaded(page, page.getByRole('button', { name: 'CSV 내려받기' }))
  const text = await readFile(await file.path(), 'utf8')
  expect(file.suggestedFilename()).toBe(`members-${desk.center.domain}.csv`)
  expect([text.includes('박서연'), text.includes('김민준')]).toEqual([true, false])
  await page.context().close()
})

it('a director makes a group, changes it, and learns from the page why it cannot be deleted yet', async () => {
  const page = await visit(director, '/groups', { width: 390, height: 844 })
  await page.getByText('아직 그룹이 없습니다').waitFor()
  await press(page.getByRole('button', { name: '그룹 만들기' }))
  await write(dialog(page).getByLabel('그룹 이름'), '<b>재무</b>')
  await press(dialog(page).getByRole('checkbox', { name: /김민준/ }))
  expect(await violations(page, { dialog: true })).toEqual([])
  await press(dialog(page).getByRole('button', { name: '그룹 만들기' }))
  await press(page.getByRole('link', { name: /<b>재무<\/b>.*1명/ }))
  const sheet = page.getByRole('article')
  await press(sheet.getByRole('button', { name: '그룹 편집' }))
  await write(dialog(page).getByLabel('그룹 이름'), '재무팀')
  await press(dialog(page).getByRole('checkbox', { name: /박서연/ }))
  await press(dialog(page).getByRole('button', { name: '저장' }))
  await sheet.getByText('박서연').waitFor()
  await dialog(page).waitFor({ state: 'detached' })
  expect(await violations(page)).toEqual([])

  const { accessToken: token } = await desk.server.signIn(director, desk.center.domain)
  const [group] = (await desk.server.call('GET', `/api/centers/${desk.center.id}/groups`, { token })).body.data
  const body = {
    name: '계약은 재무팀이',
    match: { actionTypes: ['contract.*'] },
    guards: { humanReview: true },
    approval: { steps: [{ groupIds: [group.id] }] },
  }
  const policy = (await desk.server.call('POST', '/api/policies', { token, body })).body.data
  await page.goto(address(`/groups?group=${group.id}`))
  await sheet.getByText('‘계약은 재무팀이’ 정책의 결재선에 지정되어 있어 삭제할 수 없습니다.').waitFor()
  expect(await sheet.getByRole('button', { name: '그룹 삭제' }).isDisabled()).toBe(true)
  expect((await desk.server.call('DELETE', `/api/policies/${policy.id}`, { token })).status).toBe(204)
  await page.reload()
  await press(sheet.getByRole('button', { name: '그룹 삭제' }))
  await press(dialog(page).getByRole('button', { name: '그룹 삭제' }))
  await page.getByText('아직 그룹이 없습니다').waitFor()
  await page.context().close()
})

it('a director saves settings and branding, with the clock of the center and a preview', async () => {
  const page = await visit(director, '/settings')
  await write(page.getByLabel('시간대'), 'America/New_York')
  await press(page.getByRole('button', { name: '저장', exact: true }).first())
  await page.getByText('저장했습니다').waitFor()
  await page.goto(address(`/bookings?date=${monday}`))
  await press(page.getByRole('button', { name: '예약하기', exact: true }))
  await dialog(page)
    .getByText(/예약 가능한 시간 · .* · E[SD]T/)
    .waitFor()
  await page.goto(address('/settings'))
  await write(page.getByLabel('시간대'), 'Mars/Olympus')
  await press(page.getByRole('button', { name: '저장', exact: true }).first())
  await page.getByText('이 이름의 시간대가 없습니다.').waitFor()
  await page.locator('.fault', { hasText: /\S/ }).last().waitFor()
  // By a part of its name, and shown by the whole one.
  await write(page.getByLabel('시간대'), 'seoul')
  await page.keyboard.press('Tab')
  expect(await page.getByLabel('시간대').inputValue()).toBe('한국 표준시 (Asia/Seoul)')
  await page.getByText(/지금 이 시간대는 오(전|후) \d+:\d\d입니다/).waitFor()
  await page.getByLabel('언어').selectOption({ label: '한국어(대한민국)' })
  // A time as it is typed; what is none is said below it, and not by the browser.
  const opens = page.getByLabel('월요일 시작 시각').or(page.getByLabel('월 시작 시각')).first()
  await write(opens, '2500')
  await page.getByText('시각을 09:00처럼 입력하세요.').waitFor()
  await write(opens, '930')
  await page.keyboard.press('Tab')
  expect(await opens.inputValue()).toBe('09:30')
  // Appointments of the journeys below begin on the hour.
  await write(opens, '9')
  await press(page.getByRole('button', { name: '저장', exact: true }).first())
  await page.getByText('저장했습니다').waitFor()

  await page.goto(address('/branding'))
  await write(page.getByLabel('대표 색'), '#12')
  expect(await page.getByRole('button', { name: '저장', exact: true }).isDisabled()).toBe(true)
  await write(page.getByLabel('대표 색'), '#1F5FBF')
  await write(page.getByLabel('소개'), '<i>하늘</i> 발달센터')
  const preview = page.locator('.center-preview')
  await preview.getByText('<i>하늘</i> 발달센터').waitFor()
  const band = `getComputedStyle(document.querySelector('.center-preview-band')).borderTopColor`
  expect(await page.evaluate(band)).toBe('rgb(31, 95, 191)')
  await press(page.getByRole('button', { name: '저장', exact: true }))
  await page.getByText('저장했습니다').waitFor()
  await page.reload()
  await preview.getByText('<i>하늘</i> 발달센터').waitFor()
  await page.context().close()
})

it('a director begins an export, leaves it, finds it finished and takes it along', async () => {
  const page = await visit(director, '/data')
  await press(page.getByRole('button', { name: '내보내기 시작' }))
  await page
    .getByText(/준비 중|완료/)
    .first()
    .waitFor()
  await page.goto(address('/members'))
  await page.getByRole('heading', { name: '구성원', exact: true }).waitFor()
  await page.goto(address('/data'))
  const ready = page.getByRole('button', { name: '내려받기' })
  for (let tries = 0; tries < 40 && !(await ready.isVisible()); tries++) {
    const again = page.getByRole('button', { name: '새로고침' })
    if (await again.isVisible()) await press(again)
    await ready.waitFor({ timeout: 500 }).catch(() => undefined)
  }
  const file = await downloaded(page, ready)
  expect((await stat(await file.path())).size).toBeGreaterThan(10_000)
  await page.context().close()
})

it('an instructor notes who came and who did not, also after a mistake', async () => {
  const { accessToken } = await desk.server.signIn(director, desk.center.domain)
  for (const hour of ['04', '05']) {
    const booked = await desk.server.call('POST', `/api/centers/${desk.center.domain}/bookings`, {
      token: accessToken,
      body: { instructorId: instructor.actorId, bookedFor: child.actorId, startsAt: `${monday}T${hour}:00:00.000Z` },
    })
    expect(booked.status).toBe(201)
  }
  await desk.server.world.query(
    `update cell.bookings set placed_at = null, starts_at = starts_at - interval '28 days', ends_at = ends_at - interval '28 days'
     where center_id = $1 and status = 'booked'`,
    [desk.center.id],
  )
  const page = await visit(instructor, '/bookings?view=list&open=true')
  await press(page.getByRole('button', { name: '출석', exact: true }).first())
  await page.getByRole('button', { name: '결석', exact: true }).nth(1).waitFor({ state: 'detached' })
  await press(page.getByRole('button', { name: '결석', exact: true }))
  await page.getByText('출석을 모두 기록했습니다').waitFor()
  const then = new Date(Date.parse(monday) - 28 * 86_400_000).toISOString().slice(0, 10)
  await page.goto(address(`/bookings?date=${then}`))
  await press(page.getByRole('button', { name: /정도윤.*결석/ }).first())
  await press(dialog(page).getByRole('button', { name: '출석 처리' }))
  await dialog(page).waitFor({ state: 'detached' })
  await page
    .getByRole('button', { name: /정도윤.*출석/ })
    .nth(1)
    .waitFor()
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
  const page = await visit(parent, '', { width: 390, height: 844 })
  await page.waitForURL('**/family')
  const next = page.getByRole('region', { name: '다음 예약' })
  await next.getByRole('heading', { name: /오전 11:00/ }).waitFor()
  expect(await next.textContent()).toContain('정도윤')
  await press(next.getByRole('button', { name: '시간 변경' }))
  await choose(dialog(page).getByRole('radio', { name: /오후 3:00/ }))
  expect(await violations(page, { dialog: true })).toEqual([])
  await press(dialog(page).getByRole('button', { name: '이 시간으로 변경' }))
  await next.getByRole('heading', { name: /오후 3:00/ }).waitFor()
  await page.getByText(/예약 시간을 변경했습니다: .*오후 3:00/).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.context().close()
})

it('an instructor makes a personal workspace from the menu, and is its administrator', async () => {
  const page = await visit(await desk.person('강하늘', 'INSTRUCTOR'), '/bookings')
  await press(page.getByRole('button', { name: '하늘발달센터' }))
  const item = page.getByRole('menuitem', { name: '새 센터 또는 개인 작업 공간' })
  // The items of a menu take the focus by arrow keys.
  await item.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/new')
  await choose(page.getByRole('radio', { name: /개인 작업 공간/ }))
  await write(page.getByLabel('개인 작업 공간 이름'), '강하늘 작업실')
  await write(page.getByLabel('개인 작업 공간 아이디'), 'kang-studio')
  await page.getByText('사용할 수 있는 아이디입니다').waitFor()
  expect(await violations(page)).toEqual([])
  await press(page.getByRole('button', { name: '개인 작업 공간 만들기' }))
  await page.waitForURL('**/c/kang-studio/**')
  const made = await desk.server.world.query(
    `select c.tenant_type, m.role from directory.centers c join directory.memberships m on m.center_id = c.id
     where c.domain = 'kang-studio'`,
  )
  expect(made).toEqual([{ tenant_type: 'WORKSPACE', role: 'ADMIN' }])
  await page.context().close()
})

it('a partner creates a white-label center, which opens on its own domain in its own name', async () => {
  const { world } = desk.server
  const partner = await world.person()
  const owner = await world.partner()
  await world.account(partner, owner, 'PARTNER_ADMIN')
  const policies = [{ name: '환불은 사람이 봅니다', match: {}, guards: { humanReview: true } }]
  await world.query(`update directory.partners set kind = 'franchise', settings = $2 where id = $1`, [
    owner.id,
    { newCenters: { policies } },
  ])
  const page = await withoutPointer(await desk.visit(partner, '/p'))
  await press(page.getByRole('link', { name: '새 센터' }))
  await write(page.getByLabel('센터 이름'), '바다발달센터')
  await write(page.getByLabel('센터 아이디'), 'Ba')
  await page.getByText('하이픈(-)으로 3~30자를 입력하세요.').waitFor()
  await write(page.getByLabel('센터 아이디'), desk.center.domain)
  await page.getByText('이미 사용 중인 아이디입니다').waitFor()
  await write(page.getByLabel('센터 아이디'), 'bada-center')
  await page.getByText('사용할 수 있는 아이디입니다').waitFor()
  await press(page.getByRole('checkbox', { name: /센터 자체 도메인 사용/ }))
  await write(page.getByLabel('관리자 이메일'), 'bada@people.example')
  await press(page.getByRole('button', { name: '센터 만들기' }))
  await page.getByText('센터를 만들고 초대 메일을 보냈습니다: bada@people.example').waitFor()
  await press(page.getByRole('button', { name: '센터 보기' }))
  await press(page.getByRole('link', { name: /바다발달센터.*bada-center/ }))
  await page.getByRole('heading', { name: '바다발달센터' }).waitFor()
  await press(page.getByRole('button', { name: '사용 중지 환불은 사람이 봅니다' }))
  await page.getByRole('button', { name: '다시 사용 환불은 사람이 봅니다' }).waitFor()
  await page.getByText('버전 2').waitFor()
  expect(await violations(page)).toEqual([])
  await press(page.getByRole('link', { name: '체인' }))

  await page.getByRole('row', { name: /바다발달센터/ }).waitFor()
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
  await openOnItsDomain(partner)
}, 300_000)

/** The partner proves the domain as the administrator of the center, and signs in there. */
async function openOnItsDomain(person: Person): Promise<void> {
  const { server, browser } = desk
  const [center] = await server.world.query<Center>(
    `select id, domain from directory.centers where domain = 'bada-center'`,
  )
  await server.world.member(person, center as Center, 'ADMIN')
  const { accessToken: token } = await server.signIn(person, 'bada-center')
  const logo =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const body = { branding: { customDomain: site, primaryColor: '#1f4f8f', logo } }
  expect((await server.call('PATCH', '/api/centers/bada-center/settings', { token, body })).status).toBe(200)
  await proveDomain(server, dns, { token, path: '/api/centers/bada-center/domains', domain: site, purpose: 'site' })
  // A member elsewhere too: on the domain of this center that does not count.
  await server.world.member(person, desk.center, 'ADMIN')

  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'ko-KR' })
  const page = await withoutPointer(await context.newPage())
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text())
  })
  await page.goto(`https://${site}/login`)
  await page.getByRole('heading', { name: '바다발달센터' }).waitFor()
  const lineOf = () => page.evaluate(`getComputedStyle(document.querySelector('.branded')).borderTopColor`)
  expect(await lineOf()).toBe('rgb(31, 79, 143)')
  expect(await violations(page)).toEqual([])
  await press(page.getByRole('button', { name: '패스키·회사 계정으로 로그인' }))
  await page.waitForURL(`${desk.origin}/signin/**`)
  await desk.signIn(page, person)
  await page.waitForURL(`https://${site}/c/bada-center/**`)
  await settled(page)
  const top = page.getByRole('banner')
  expect((await top.locator('.top-mark').textContent())?.trim()).toBe('바다발달센터')
  expect(await top.locator('.brand-logo').count()).toBe(1)
  expect(await top.locator('.center-name').count()).toBe(0)
  expect([await lineOf(), await page.title()]).toEqual(['rgb(31, 79, 143)', expect.stringContaining('· 바다발달센터')])
  expect(await violations(page)).toEqual([])
  // Too dark for a line in the dark theme: ink.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' })
  expect(await lineOf()).not.toBe('rgb(31, 79, 143)')
  await page.goto(`https://${site}/c/${desk.center.domain}/inbox`)
  await page.getByRole('heading', { name: /접근할 수 없습니다/ }).waitFor()
  // The account is of all centers: here, no form could do anything but be refused.
  await page.goto(`https://${site}/me`)
  const sheet = page.getByRole('article')
  await sheet.getByText(meKo.confined).waitFor()
  expect(await sheet.locator('form, button').count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
}
