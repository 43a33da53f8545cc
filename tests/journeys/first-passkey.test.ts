/**
 * From an account to the first approval by passkey, by menus and buttons alone: once with a second administrator who confirms the
 * passkey in Members, once with the operator, whom the center's only administrator is led to. Whoever signs up needs
 * fewer than 25 clicks in all; those of whoever confirms are printed.
 */
import enterKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import meKo from '@countersign/words/ko/me.json' with { type: 'json' }
import uiKo from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import { plain, refund } from '../support/pages-fixture.ts'
import type { Center, Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { readAll } from './reading.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const password = 'first password 1'
let desk: ConsoleDesk
beforeAll(async () => {
  desk = await openConsole({ ELIGIBILITY_SECONDS: '86400' })
}, 180_000)
afterAll(() => desk?.close())

const someone = (email: string): Person => ({ actorId: '', email, password })

async function linkTo(email: string, path: string): Promise<string> {
  const found = () =>
    desk.mailbox.messages
      .toReversed()
      .filter(({ to }) => to.includes(email))
      .flatMap(({ text }) => plain(text).split(/[\s"<>]+/))
      .find((word) => word.startsWith(`${desk.origin}${path}`))
  await expect.poll(found, { timeout: 15_000 }).toBeDefined()
  return found() as string
}

/** A person at a page, whose presses are counted. */
function hands(page: Page) {
  let clicks = 0
  const press = async (target: Locator) => {
    clicks++
    await target.click()
  }
  const named = (role: 'button' | 'link' | 'menuitem', name: string | RegExp) =>
    page.getByRole(role, { name, exact: typeof name === 'string' }).first()
  return {
    page,
    press,
    clicks: () => clicks,
    button: (name: string | RegExp) => press(named('button', name)),
    link: (name: string | RegExp) => press(named('link', name)),
    async enter() {
      clicks++
      await page.keyboard.press('Enter')
    },
  }
}
type Hands = ReturnType<typeof hands>

async function found(person: Person, name: string, domain: string): Promise<Hands> {
  const page = await desk.visit(null, '/signup')
  const at = hands(page)
  await page.getByLabel(enterKo.yourName).fill(name)
  await page.locator('input[type=email]').fill(person.email)
  await at.enter()
  await page.goto(await linkTo(person.email, '/signup/'))
  await page.locator('input[type=password]').fill(password)
  await at.enter()
  await at.link(enterKo.enter)
  await page.locator('input[type=email]').fill(person.email)
  await page.locator('input[type=password]').fill(password)
  await at.enter()
  await at.button('새 센터 만들기')
  await page.getByLabel('센터 이름').fill(`${name} 센터`)
  await page.getByLabel('센터 아이디').fill(domain)
  await at.press(page.getByRole('radio', { name: /Growth/ }))
  await page.getByText('사용할 수 있는 아이디입니다').waitFor()
  await at.press(page.getByRole('button', { name: '센터 만들기', exact: true }))
  await page.waitForURL(`**/c/${domain}/**`)
  return at
}

/** Returns the number that the page shows. */
async function registerPasskey(at: Hands, name: string, waitsFor: string): Promise<string> {
  const { page } = at
  await addAuthenticator(page)
  await at.button(name)
  await at.press(page.getByRole('menuitem', { name: uiKo.profile }))
  await at.button(meKo.passkeyAdd)
  await at.button(meKo.stepSignDo)
  await page.getByText(meKo.passkeyDone).waitFor()
  await page.getByText(waitsFor).waitFor()
  expect(await violations(page)).toEqual([])
  return (await page.locator('.own-standing .check-number').textContent()) as string
}

/** The form says so while nobody could approve by passkey, and saves it once somebody can. */
async function askForPasskeys(at: Hands, domain: string): Promise<void> {
  const { page } = at
  await at.press(page.locator('.top-mark'))
  await at.link('정책')
  await at.link('새 정책')
  await page.getByLabel('정책 이름').fill('큰 환불')
  expect(await page.getByLabel('본인 확인 방법').inputValue()).toBe('session')
  await page.getByLabel('본인 확인 방법').selectOption('passkey')
  await page.getByRole('button', { name: '버전 1 저장' }).isEnabled()
  await at.press(page.getByRole('button', { name: '버전 1 저장' }))
  await page.getByText('첫 버전입니다.').waitFor()
  expect(page.url()).toContain(`/c/${domain}/policies`)
}

async function approve(at: Hands, domain: string): Promise<void> {
  const { page } = at
  const { world } = desk.server
  const [{ id } = { id: 0 }] = await world.query<{ id: number }>('select id from directory.centers where domain = $1', [
    domain,
  ])
  const key = await world.key({ id, domain } as Center, { scopes: ['proof:write'] })
  const asked = await desk.server.call('POST', '/api/v1/decision-events', { token: key, body: refund })
  await at.link('결재함')
  await page.getByRole('heading', { level: 1, name: /^환불: 금액 820,000/ }).waitFor()
  await readAll(page)
  await at.button(/패스키로 승인/)
  await page.locator('.inbox-told').waitFor()
  expect(await page.locator('.doc-head .seal-passkey').count()).toBe(1)
  const { body } = await desk.server.call('GET', `/api/v1/decision-events/${asked.body.data.id}`, { token: key })
  expect(body.data.status).toBe('sealed')
}

/** Of the person who signs up, from that page to the seal. */
const mostClicks = 24

function judge(what: string, people: Readonly<Record<string, Hands>>, began: number): void {
  const clicks = Object.entries(people).map(([name, at]) => `${name} ${at.clicks()} clicks`)
  process.stdout.write(`${what}: ${clicks.join(', ')}, ${Math.round((performance.now() - began) / 1000)} s\n`)
  const [founder] = Object.values(people)
  expect(founder?.clicks()).toBeLessThanOrEqual(mostClicks)
}

it('a founder and a second administrator', async () => {
  const began = performance.now()
  const [founder, second] = [someone('founder@people.example'), someone('second@people.example')]
  const at = await found(founder, '김하늘', 'hanbit')
  const { page } = at
  await at.link(new RegExp(`^${uiKo.navMembers}`))
  await at.button('구성원 초대')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('이메일').fill(second.email)
  await dialog.getByLabel(/이름/).fill('이원장')
  await at.press(dialog.getByRole('radio', { name: /^관리자/ }))
  await at.press(dialog.getByRole('button', { name: '초대 메일 보내기' }))
  await page.getByRole('link', { name: /이원장.*초대됨/ }).waitFor()
  const invited = await desk.open(desk.browser, await linkTo(second.email, '/invitations/'), {
    viewport: { width: 1280, height: 900 },
  })
  await invited.locator('input[type=password]').fill(password)
  const other = hands(invited)
  await other.enter()
  await invited.getByText(enterKo.acceptedActive).waitFor()

  const number = await registerPasskey(at, '김하늘', '이원장 님의 패스키 확인을 기다리고 있습니다.')
  // Without the center's menu, the mail leads to the same place.
  expect(await linkTo(second.email, '/c/hanbit/members?show=passkeys')).toBeDefined()
  await other.link(/./)
  await invited.waitForURL('**/c/hanbit/**')
  await other.link(new RegExp(`^${uiKo.navMembers}`))
  await other.press(invited.getByRole('main').getByRole('link', { name: /확인할 패스키 1개/ }))
  await invited.getByText(number).waitFor()
  expect(await violations(invited)).toEqual([])
  await other.button(uiKo.checkSame)
  await invited.getByText('확인할 패스키가 없습니다').waitFor()

  await page.reload()
  await page.locator('.own-standing').waitFor({ state: 'detached' })
  await askForPasskeys(at, 'hanbit')
  await approve(at, 'hanbit')
  judge('From an account to an approval by passkey', { founder: at, 'second administrator': other }, began)
  await Promise.all([page.context().close(), invited.context().close()])
}, 120_000)

it('a sole administrator, whom the operator confirms', async () => {
  const began = performance.now()
  const alone = someone('alone@people.example')
  const operator = await desk.server.world.person({ operator: true })
  const at = await found(alone, '한혼자', 'honja')
  const number = await registerPasskey(at, '한혼자', '서비스 운영자의 패스키 확인을 기다리고 있습니다.')
  expect(await linkTo(operator.email, '/operator/passkeys')).toBeDefined()
  const office = hands(await desk.visit(operator, '/operator'))
  await office.link(/^패스키 확인/)
  await office.page.getByText(number).waitFor()
  expect(await violations(office.page)).toEqual([])
  await office.button(uiKo.checkSame)
  await office.page.getByText(uiKo.soleNone).waitFor()
  await askForPasskeys(at, 'honja')
  await approve(at, 'honja')
  judge('From an account to an approval by passkey, alone', { administrator: at, operator: office }, began)
  await Promise.all([at.page.context().close(), office.page.context().close()])
}, 120_000)
