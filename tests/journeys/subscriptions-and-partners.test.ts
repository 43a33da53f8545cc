/** A subscription comes back, a partner opens a center for somebody else, somebody leaves a partner, and operators work from pages. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { signedText } from '@countersign/server/features/centers/subscription/billing.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import type { Center } from '../support/world.ts'
import { violations } from './axe.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const phone = { width: 390, height: 844 }
let desk: ConsoleDesk

beforeAll(async () => {
  const shown = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  desk = await openConsole({ BILLING_KEYS: shown, BILLING_URL: 'https://billing.example/pay' })
}, 180_000)
afterAll(() => desk?.close())

const folder = process.env.TEST_SHOTS
async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  expect([name, await violations(page)]).toEqual([name, []])
  expect([name, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([name, true])
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

async function subscribe(center: Center, status: string): Promise<void> {
  await desk.server.world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
     values ($1, 'center-starter', $2, 'MONTHLY', now() + interval '3 days', 20)`,
    [center.id, status],
  )
}

/** As the billing system sends it with the center's key. */
async function pay(center: Center, invoice: object): Promise<void> {
  const event = { id: newUuid(), type: 'payment.completed' }
  const statement = {
    ...{ centerId: center.id, status: 'ACTIVE', occurredAt: new Date().toISOString(), invoice },
    currentPeriodEnd: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  }
  const signature = sign(null, Buffer.from(signedText(event, statement as never)), privateKey).toString('base64')
  const { status } = await desk.server.call('POST', '/api/v1/events', {
    token: await desk.server.world.key(center, { scopes: ['events:write'] }),
    body: { ...event, data: { centerSubscription: { ...statement, signature } } },
  })
  expect(status).toBe(202)
}

it('a suspended subscription says why and who can lift it, and a payment brings it back (phone, Korean)', async () => {
  const center = await desk.server.world.center({ name: '달빛놀이터' })
  const admin = await desk.person('서이안', 'ADMIN', center)
  const instructor = await desk.person('한결', 'INSTRUCTOR', center)
  await subscribe(center, 'PAST_DUE')
  await desk.server.world.query(`update directory.subscriptions set status = 'SUSPENDED' where center_id = $1`, [
    center.id,
  ])

  const others = await desk.visit(instructor, `/c/${center.domain}/bookings`, phone)
  await others.getByText('구독이 정지되었습니다.').waitFor()
  await others.getByText('센터 관리자에게 문의하세요.').first().waitFor()
  await others.close()

  const page = await desk.visit(admin, `/c/${center.domain}/members`, phone)
  await page.getByText('결제 시스템에서 결제하거나 운영자에게 문의하세요.').waitFor()
  await look(page, 'band-phone-ko')
  await page.getByRole('link', { name: '구독 보기' }).click()
  await page.getByRole('heading', { name: 'Starter' }).waitFor()
  await look(page, 'subscription-suspended-phone-ko')
  const billing = page.getByRole('link', { name: '결제 시스템 열기' })
  expect(await billing.getAttribute('href')).toBe(`https://billing.example/pay?center=${center.id}`)

  const invoice = { number: 'INV-17', amount: '49000', currency: 'KRW', url: 'https://billing.example/INV-17' }
  await pay(center, invoice)
  await page.reload()
  await page.getByText('결제됨').waitFor()
  await page.getByText('정상적으로 이용 중입니다.').waitFor()
  expect(await page.getByText('구독이 정지되었습니다.').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'INV-17' }).getAttribute('href')).toBe(invoice.url)
  await look(page, 'subscription-paid-phone-ko')
  await page.close()
})

it('a partner opens a center for somebody else, who accepts by mail (desktop, English)', async () => {
  const { world } = desk.server
  const [partner, boss] = [await world.partner(), await world.person()]
  await world.account(boss, partner)
  const email = `director-${newUuid().slice(-12)}@busan.example`
  const subdomain = `busan-${newUuid().slice(-8)}`
  const page = await desk.visit(boss, '/p', { language: 'en' })
  await page.getByRole('link', { name: 'New center' }).click()
  await page.getByLabel('Center name').fill('Haneul Busan')
  await page.getByLabel(/^Center ID|^Subdomain/).fill(subdomain)
  await page.getByLabel('Administrator’s email address').fill(email)
  await page.getByLabel('Administrator’s name (optional)').fill('Ara Kim')
  await look(page, 'new-center-en')
  await page.getByRole('button', { name: 'Create center' }).click()
  await page.getByText(`an invitation was sent to ${email}`).waitFor()
  await page.getByRole('button', { name: 'Show center' }).click()
  await page.getByRole('heading', { name: 'Haneul Busan' }).waitFor()
  await look(page, 'partner-center-en')
  // The partner's own person is no member of the center.
  const [row] = await world.query<{ members: number }>(
    `select count(*)::int as members from directory.memberships m join directory.centers c on c.id = m.center_id
     where c.domain = $1 and m.actor_id = $2`,
    [subdomain, boss.actorId],
  )
  expect(row).toEqual({ members: 0 })

  const password = 'a password of my own'
  const token = await desk.mailbox.token(email, 'csi')
  const body = { token, password }
  const accepted = await desk.server.call('POST', '/api/auth/invitations/accept', { body })
  expect(accepted.status).toBe(200)
  const own = await desk.visit({ actorId: '', email, password }, `/c/${subdomain}`, { language: 'en' })
  await own.waitForURL((url) => url.pathname.startsWith(`/c/${subdomain}`))
  await own.close()
  await page.close()
})

it('somebody who leaves a partner loses everything at once (phone and desktop, English)', async () => {
  const { world } = desk.server
  const [partner, boss, leaving] = [await world.partner(), await world.person(), await world.person()]
  await world.query(`update directory.actors set name = 'Mina Seo' where id = $1`, [leaving.actorId])
  await world.account(boss, partner)
  await world.account(leaving, partner)
  await world.center({ partner, name: 'Only Theirs' })
  const theirs = await desk.visit(leaving, '/p', { ...phone, language: 'en' })
  await theirs.getByText('Only Theirs').first().waitFor()

  const page = await desk.visit(boss, '/p', { language: 'en' })
  await page.getByRole('link', { name: 'Accounts' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Mina Seo' })
  await look(page, 'partner-accounts-en')
  await row.getByRole('button', { name: 'Remove from partner' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from partner' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByText('You can’t change or remove the last partner administrator.').waitFor()

  await theirs.reload()
  await theirs.getByText('You don’t have permission').first().waitFor()
  expect(await theirs.getByText('Only Theirs').count()).toBe(0)
  await Promise.all([theirs.close(), page.close()])
})

it('an operator suspends a center, changes its plan, adds a version of a plan and a partner (desktop, Korean)', async () => {
  const { world } = desk.server
  const center = await world.center({ name: '누리센터' })
  await subscribe(center, 'ACTIVE')
  const operator = await world.person({ operator: true })
  const page = await desk.visit(operator, '/operator')
  await page.getByRole('link', { name: '센터', exact: true }).first().click()
  await page.getByRole('link', { name: '누리센터' }).click()
  await page.getByRole('heading', { name: '누리센터' }).waitFor()
  expect(await page.getByRole('button', { name: '센터 정지' }).isDisabled()).toBe(true)
  await page.getByLabel('사유').first().fill('전화로 합의')
  await look(page, 'operator-center-ko')
  await page.getByRole('button', { name: '센터 정지' }).click()
  await page.getByText('운영자가 정지함').waitFor()
  await page.getByLabel('사유').first().fill('다시 열기로 합의')
  await page.getByRole('button', { name: '정지 해제' }).click()
  await page.getByText('운영 중').first().waitFor()
  await page.getByLabel('요금제 변경').selectOption('center-growth')
  await page.getByLabel('사유').nth(1).fill('계약 변경')
  await page.getByRole('button', { name: '구독 변경' }).click()
  await page.getByText('Growth').first().waitFor()

  await page.getByRole('link', { name: '요금제', exact: true }).click()
  await page
    .getByRole('row', { name: /Growth/ })
    .getByRole('button', { name: '새 버전 추가' })
    .click()
  await page.getByLabel('직원 정원 (선택)').fill('30')
  await look(page, 'operator-plans-ko')
  await page.getByRole('button', { name: '새 버전 추가' }).first().click()
  await page.getByRole('row', { name: /Growth.*버전 2/ }).waitFor()

  await page.getByRole('link', { name: '파트너', exact: true }).first().click()
  await page.getByRole('link', { name: '새 파트너' }).click()
  await page.getByLabel('파트너 이름').fill('온누리')
  await page.getByLabel('첫 센터 이름').fill('온누리 부산')
  await page.getByLabel('관리자 이메일').fill('boss@onnuri.example')
  await page.getByLabel('관리자 이름').fill('신피아')
  await look(page, 'operator-new-partner-ko')
  await page.getByRole('button', { name: '파트너 만들기' }).click()
  await page.getByRole('cell', { name: '온누리' }).first().waitFor()
  const entries = await world.query<{ action: string }>(
    `select details ->> 'action' as action from directory.audit_entries where actor_id = $1 and type <> 'session.changed'`,
    [operator.actorId],
  )
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['suspend', 'reinstate', 'subscription', 'plan version added', 'partner onboarded']),
  )
  await page.close()
})

it('no page wrote an error to the console', () => {
  expect(desk.complaints).toEqual([])
})
