/**
 * A partner lets the members of all its centers sign in with their organization's accounts; one of them links that account in the
 * profile, at a real OpenID provider, uses it and unlinks it again.
 */
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { type DnsServer, proveDomain, startDns } from '../support/dns.ts'
import { startProvider, type TestProvider } from '../support/oidc.ts'
import type { Center, Partner, Person } from '../support/world.ts'
import { violations } from './axe.ts'

const phone = { width: 360, height: 740 }
let dns: DnsServer
let idp: TestProvider
let desk: ConsoleDesk
let partner: Partner
let boss: Person
let center: Center

beforeAll(async () => {
  ;[dns, idp] = [await startDns(), await startProvider()]
  desk = await openConsole({ WEBHOOK_DNS_SERVERS: dns.address, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { world } = desk.server
  partner = await world.partner()
  boss = await world.person()
  await world.account(boss, partner)
  center = await world.center({ partner, name: '하늘발달센터' })
}, 180_000)
afterAll(async () => {
  await desk?.close()
  await Promise.all([idp?.close(), dns?.close()])
})

const folder = process.env.TEST_SHOTS
async function look(page: Page, name: string, dialog = false): Promise<void> {
  if (!dialog) await settled(page)
  expect([name, await violations(page, { dialog })]).toEqual([name, []])
  expect([name, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([name, true])
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

it('the partner adds a provider from the menu, checks it and renames it (phone, Korean)', async () => {
  const page = await desk.visit(boss, '/p', phone)
  await page.getByRole('button', { name: /더 보기/ }).click()
  await page.getByText('로그인 제공자', { exact: true }).click()
  await page.getByText('아직 제공자가 없습니다').waitFor()
  await page.getByRole('button', { name: '제공자 추가' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('이름').fill('하늘')
  await dialog.getByLabel('발급자(issuer) 주소').fill(idp.issuer)
  await dialog.getByLabel('클라이언트 ID').fill(idp.clientId)
  await dialog.getByLabel('클라이언트 시크릿').fill(idp.clientSecret)
  await look(page, 'partner-provider-add-ko-360', true)
  await dialog.getByRole('button', { name: '제공자 추가' }).click()
  const redirect = await page.getByText(/\/signin\/callback\//).textContent()
  idp.serve([redirect ?? ''])
  expect(await page.content()).not.toContain(idp.clientSecret)
  await page.getByRole('button', { name: '연결 확인' }).click()
  await page.getByText('연결됨').waitFor({ timeout: 40_000 })
  await page.getByRole('button', { name: '이름이나 시크릿 변경' }).click()
  await dialog.getByLabel('이름').fill('하늘 계정')
  await dialog.getByRole('button', { name: '변경 사항 저장' }).click()
  await page.getByRole('heading', { name: '하늘 계정' }).waitFor()
  await look(page, 'partner-provider-ko-360')
  await page.setViewportSize({ width: 1440, height: 900 })
  await restyle(page, { language: 'en', theme: 'light' })
  await look(page, 'partner-provider-en-1440')
  await page.context().close()
})

it('a member links that account in the profile, and unlinks it (phone, Korean)', async () => {
  const { server } = desk
  const { accessToken: token } = await server.signIn(boss)
  await proveDomain(server, dns, { token, path: '/api/partner/domains', domain: 'haneul.example' })
  const person = await server.world.person({ email: 'ara@haneul.example' })
  await server.world.member(person, center, 'INSTRUCTOR')
  idp.people.set('ara', { sub: 'ara', email: person.email, email_verified: true })

  const page = await desk.visit(person, '/me', phone)
  await page.getByText('연결된 계정이 없습니다.').waitFor()
  await page.getByRole('button', { name: '계정 연결', exact: true }).click()
  await look(page, 'me-link-ko-360')
  await page.getByRole('button', { name: '하늘 계정 계정 연결' }).click()
  await page.locator('input[name=login]').fill('ara')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit], input[type=submit]').first().click()
  // Signed in a moment ago: nothing is asked again.
  await page.getByRole('heading', { name: '계정을 연결했습니다' }).waitFor()
  await page.getByRole('link', { name: '계속' }).click()
  await page.getByText(/haneul\.example 주소 · /).waitFor()
  await look(page, 'me-linked-ko-360')
  await page.setViewportSize({ width: 1440, height: 900 })
  await restyle(page, { language: 'en', theme: 'light' })
  await look(page, 'me-linked-en-1440')

  await page.getByRole('button', { name: 'Unlink 하늘 계정' }).click()
  const dialog = page.getByRole('dialog')
  await look(page, 'me-unlink-en-1440', true)
  await dialog.getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('No account is linked.').waitFor()
  await page.context().close()
})

it('the only way to sign in is not unlinked, and the page says why', async () => {
  const { server } = desk
  const person = await server.world.person({ email: 'sole@haneul.example' })
  await server.world.member(person, center, 'INSTRUCTOR')
  const page = await desk.visit(person, '/me', { language: 'en' })
  await server.world.query(
    `insert into directory.oidc_accounts (provider_id, issuer, subject, actor_id, email_domain, linked_by, linked_at)
     select id, issuer, 'sole', $1, 'haneul.example', 'sign_in', now() from directory.oidc_providers
     where partner_id = $2`,
    [person.actorId, partner.id],
  )
  for (const table of ['login_identifiers', 'credentials'])
    await server.world.query(`delete from directory.${table} where actor_id = $1`, [person.actorId])
  await page.reload()
  await page.getByRole('button', { name: 'Unlink 하늘 계정' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('This is the only way you can sign in.').waitFor()
  await page.getByText('Set a password or add a passkey first.').waitFor()
  await look(page, 'me-last-en-1440', true)
  await page.context().close()
})
