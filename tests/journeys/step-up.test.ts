/** A person who signed in long ago: the console asks for a password or a passkey, and go on. */
import uiKo from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import { registerPasskey } from '../support/passkeys.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

let desk: ConsoleDesk
let admin: Person

beforeAll(async () => {
  desk = await openConsole()
  admin = await desk.person('최원장')
}, 180_000)
afterAll(() => desk?.close())

async function age(): Promise<void> {
  const { world, services } = desk.server
  await world.query(
    `update directory.sessions set signed_in_at = now() - interval '20 days', stepped_up_at = null where actor_id = $1`,
    [admin.actorId],
  )
  services.authenticate.forget(`actor:${admin.actorId}`)
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: '본인 확인' })

it('the console asks once, keeps what was entered, and makes the key', async () => {
  const page = await desk.visit(admin, `/c/${desk.center.domain}/developers/keys`)
  await age()
  const make = async (name: string) => {
    await page.getByRole('button', { name: '키 만들기', exact: true }).first().click()
    await page.getByLabel('이름', { exact: true }).fill(name)
    await page.getByLabel(/승인 전달/).check()
    await page.getByRole('dialog').getByRole('button', { name: '키 만들기', exact: true }).click()
  }
  await make('대신 전하는 프로그램')
  const asked = dialogOf(page)
  await asked.waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  await asked.getByLabel('비밀번호').fill('wrong password')
  await page.keyboard.press('Enter')
  await asked.getByText('일치하지 않습니다. 다시 시도하세요.').waitFor()
  await asked.getByLabel('비밀번호').fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByText('지금 키를 복사하세요').waitFor()
  await page.context().close()
})

it('the console leaves everything as it was when the person does not want to', async () => {
  const page = await desk.visit(admin, `/c/${desk.center.domain}/policies?policy=new`)
  await age()
  await page.getByLabel('정책 이름').fill('큰 환불')
  await page.getByRole('button', { name: '버전 1 저장', exact: true }).click()
  await dialogOf(page).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('본인 확인이 필요합니다.').first().waitFor()
  expect(await page.getByLabel('정책 이름').inputValue()).toBe('큰 환불')
  await page.context().close()
})

it('the page for confirming passkeys asks, by password or passkey, and confirms', async () => {
  const member = await desk.person('정하린', 'INSTRUCTOR')
  const { accessToken } = await desk.server.signIn(member, desk.center.domain)
  await registerPasskey(desk.server, accessToken)
  await desk.server.services.passkeyOutbox.deliver()
  const page = await desk.open(desk.browser, '/account/members', { locale: 'ko-KR' })
  await addAuthenticator(page)
  await desk.signIn(page, admin)
  const item = page.locator('.tray .item', { hasText: '정하린' })
  await item.click()
  await age()
  await page.getByRole('button', { name: uiKo.checkSame }).click()
  const asked = dialogOf(page)
  await asked.waitFor()
  await asked.getByRole('button', { name: uiKo.stepUpPasskey }).click()
  await asked.getByText(uiKo.stepUpNoPasskey).waitFor()
  await asked.getByLabel(uiKo.stepUpPassword).fill(admin.password)
  await asked.getByRole('button', { name: uiKo.stepUpDo }).click()
  await item.waitFor({ state: 'detached' })
  await page.context().close()
})
