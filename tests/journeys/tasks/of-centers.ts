/** Tasks of those who run a center. */
import centerKo from '@countersign/words/ko/center.json' with { type: 'json' }
import decisionsKo from '@countersign/words/ko/decisions.json' with { type: 'json' }
import enterKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import inboxKo from '@countersign/words/ko/inbox.json' with { type: 'json' }
import meKo from '@countersign/words/ko/me.json' with { type: 'json' }
import oversightKo from '@countersign/words/ko/oversight.json' with { type: 'json' }
import uiKo from '@countersign/words/ko/ui.json' with { type: 'json' }
import { settled } from '../../support/console.ts'
import { refund } from '../../support/pages-fixture.ts'
import type { Person } from '../../support/world.ts'
import { addAuthenticator } from '../virtual-authenticator.ts'
import type { Hand } from './hand.ts'
import { monday } from './place.ts'
import type { Task } from './task.ts'

const password = 'first password 1'
const dialog = ({ page }: Hand) => page.getByRole('dialog')

/** Another name for each run of a task. */
let made = 0
const fresh = (): string => `t${Date.now().toString(36)}${(made++).toString(36)}`

async function addPasskey(hand: Hand, name: string): Promise<void> {
  await addAuthenticator(hand.page)
  await hand.button(name)
  await hand.press(hand.page.getByRole('menuitem', { name: uiKo.profile }))
  await hand.button(meKo.passkeyAdd)
  await hand.button(meKo.stepSignDo)
  await hand.page.getByText(meKo.passkeyDone).waitFor()
}

let mailed = ''
/** Mail tells each person of several requests at once, so this one has been told of none. */
let approver: Person

const founder: readonly Task[] = [
  {
    role: 'founder',
    what: 'open an account and a center',
    limit: 8,
    begins: '/signup',
    async run(hand, { linkTo }) {
      const { page } = hand
      const domain = fresh()
      const email = `${domain}@people.example`
      await hand.write(page.getByLabel(enterKo.yourName), '김하늘')
      await hand.write(page.locator('input[type=email]'), email)
      await hand.enter()
      await hand.mail(await linkTo(email, '/signup/'))
      await hand.write(page.locator('input[type=password]'), password)
      await hand.enter()
      await hand.link(enterKo.enter)
      await hand.signIn({ actorId: '', email, password })
      await hand.button('새 센터 만들기')
      await hand.write(page.getByLabel('센터 이름'), '새봄센터')
      await hand.write(page.getByLabel('센터 아이디'), domain)
      await hand.press(page.getByRole('radio', { name: /Growth/ }))
      await page.getByText('사용할 수 있는 아이디입니다').waitFor()
      await hand.button('센터 만들기')
      await page.waitForURL(`**/c/${domain}/**`)
    },
  },
  {
    role: 'founder',
    what: 'add a passkey',
    limit: 4,
    who: ({ people }) => people.director,
    run: (hand) => addPasskey(hand, '박서연'),
  },
  {
    role: 'founder',
    what: 'make the first policy',
    limit: 3,
    who: ({ people }) => people.director,
    async run(hand) {
      await hand.menu(uiKo.navPolicies)
      await hand.link('새 정책')
      await hand.write(hand.page.getByLabel('정책 이름'), `환불 ${fresh()}`)
      await hand.button('버전 1 저장')
      await hand.page.getByText('첫 버전입니다.').waitFor()
    },
  },
]

const director: readonly Task[] = [
  {
    role: 'director',
    what: 'find a decision of three weeks ago by a word',
    limit: 3,
    async run(hand) {
      await hand.menu(uiKo.navDecisions)
      const field = hand.page.getByLabel(decisionsKo.find)
      await hand.press(field)
      await hand.write(field, '하늘 수강료')
      await hand.page.keyboard.press('Enter')
      await hand.page.waitForURL(/q=/)
      const rows = hand.page.locator('.decisions-tray .item')
      await rows.nth(1).waitFor({ state: 'detached' })
      await hand.page.getByRole('region', { name: decisionsKo.today }).waitFor({ state: 'detached' })
      await hand.press(rows.first())
      await hand.page.getByRole('article').getByText('이하늘').first().waitFor()
    },
  },
  {
    role: 'director',
    what: 'invite thirty people by a CSV file',
    limit: 5,
    async run(hand) {
      const key = fresh()
      const rows = Array.from({ length: 30 }, (_, n) => `사람${n},${key}-${n}@people.example,강사`)
      await hand.menu(uiKo.navMembers)
      await hand.link('가져오기')
      const buffer = Buffer.from(`\ufeff${['이름,이메일,역할', ...rows].join('\r\n')}`)
      const list = { name: '명단.csv', mimeType: 'text/csv', buffer }
      await hand.file(hand.page.locator('input[type=file]'), hand.page.getByText('파일 선택'), list)
      await hand.button('30행 가져오기')
      await hand.page.getByText('30행을 가져왔습니다.').waitFor({ timeout: 30_000 })
    },
  },
  {
    role: 'director',
    what: 'book the same hour for twelve weeks',
    limit: 12,
    async run(hand) {
      await hand.menu(uiKo.navBookings)
      // The weeks up to that Monday.
      for (let weeks = 0; weeks < 3; weeks++) {
        if ((await hand.page.locator(`[data-day="${monday}"]`).count()) > 0) break
        await hand.button('다음')
        await settled(hand.page)
      }
      const day = hand.page.locator(`[data-day="${monday}"]`)
      await hand.press(day.getByRole('button', { name: /오전 10:00 예약하기/ }))
      await hand.press(dialog(hand).getByRole('radio', { name: '정도윤' }))
      await hand.choose(dialog(hand).getByLabel('반복'), '12')
      await hand.button(/^12건 예약$/, dialog(hand))
      await dialog(hand).waitFor({ state: 'detached' })
    },
  },
  {
    role: 'director',
    what: 'name a deputy, and end it',
    limit: 6,
    async run(hand) {
      await hand.menu(uiKo.navInbox)
      await hand.button(inboxKo.awayOpen)
      await hand.button(inboxKo.deputySet, dialog(hand))
      await dialog(hand).waitFor({ state: 'detached' })
      await hand.button(inboxKo.deputyEnd)
      await hand.button(inboxKo.deputyEnd, dialog(hand))
      await hand.page.getByRole('button', { name: inboxKo.awayOpen }).first().waitFor()
    },
  },
  {
    role: 'director',
    what: 'see how carefully people decide',
    limit: 2,
    async run(hand) {
      await hand.menu(uiKo.navInbox)
      await hand.link(inboxKo.oversight)
      await hand.page.getByRole('heading', { name: oversightKo.title }).first().waitFor()
      await hand.page.getByText('박서연').first().waitFor()
    },
  },
  {
    role: 'director',
    what: 'change the plan, up to the page that takes the payment',
    limit: 3,
    async run(hand) {
      await hand.menu(uiKo.navSubscription)
      const link = hand.page.getByRole('link', { name: centerKo.choosePlan.replace('{plan}', 'Growth') })
      await link.waitFor()
      const address = await link.getAttribute('href')
      if (!address?.startsWith('https://billing.example/pay')) throw new Error(`the plan leads to ${address}`)
    },
  },
  {
    role: 'director',
    what: 'find who changed a role',
    limit: 4,
    async before({ desk, people, call }) {
      const one = await desk.person('한소라', 'INSTRUCTOR')
      const { body } = await call('GET', '/members?search=한소라')
      const { accessToken: token } = await desk.server.signIn(people.second, desk.center.domain)
      const change = { token, body: { role: 'ADMIN' } }
      const { status, text } = await desk.server.call('PATCH', `/api/memberships/${body.data[0].id}`, change)
      if (status !== 200) throw new Error(`${one.email}: ${text}`)
    },
    async run(hand) {
      await hand.menu(uiKo.navAudit)
      await hand.choose(hand.page.getByLabel(centerKo.kind), 'membership.transitioned')
      await hand.page
        .getByRole('row', { name: /이원장.*한소라/ })
        .first()
        .waitFor()
    },
  },
  {
    role: 'director',
    what: 'invite one person',
    limit: 4,
    async run(hand) {
      await hand.menu(uiKo.navMembers)
      await hand.button(centerKo.invite)
      await hand.write(dialog(hand).getByLabel('이메일'), `${fresh()}@people.example`)
      await hand.write(dialog(hand).getByLabel(/이름/), '최선생')
      await hand.button('초대 메일 보내기', dialog(hand))
      await hand.page
        .getByRole('link', { name: /최선생.*초대됨/ })
        .first()
        .waitFor()
    },
  },
  {
    role: 'director',
    what: 'begin an export of everything',
    limit: 4,
    async run(hand) {
      await hand.menu(uiKo.navData)
      const begin = new RegExp(`^(${centerKo.beginExport}|${centerKo.exportAgain})$`)
      await hand.button(begin)
      await hand.page
        .getByText(new RegExp(`${centerKo.exportrunning}|${centerKo.exportcompleted}`))
        .first()
        .waitFor()
    },
  },
]

const second: readonly Task[] = [
  {
    role: 'second administrator',
    what: 'approve from the mail',
    limit: 3,
    onPhone: true,
    begins: '/login',
    async before({ desk }) {
      approver = await desk.person('최원장')
      const id = await desk.record(refund)
      mailed = await desk.mailed(approver, `/approve/${id}`)
    },
    async run(hand) {
      await hand.mail(mailed)
      await hand.signIn(approver)
      await hand.read()
      await hand.press(hand.page.locator('#approve'))
      await hand.page.locator('.stamp').waitFor()
    },
  },
  {
    role: 'second administrator',
    what: 'approve what waits',
    limit: 3,
    before: async ({ desk }) => void (await desk.record(refund)),
    async run(hand) {
      await hand.menu(uiKo.navInbox)
      await hand.read()
      await hand.button('승인하고 봉인')
      await hand.page.locator('.inbox-told').waitFor()
    },
  },
  {
    role: 'second administrator',
    what: 'refuse what waits, with a reason',
    limit: 4,
    before: async ({ desk }) => void (await desk.record(refund)),
    async run(hand) {
      await hand.menu(uiKo.navInbox)
      await hand.page.locator('#approve').waitFor()
      const refuse = hand.page.locator('#refuse')
      await hand.press(refuse)
      await hand.write(hand.page.locator('.inbox-opinion textarea'), '진단서가 없습니다')
      await hand.press(refuse)
      await hand.page.locator('.inbox-told').waitFor()
    },
  },
  {
    role: 'second administrator',
    what: 'confirm a passkey by its number',
    limit: 4,
    async before({ desk }) {
      const page = await desk.visit(await desk.person(`한이안 ${fresh()}`), '/me')
      await addAuthenticator(page)
      await page.getByRole('button', { name: meKo.passkeyAdd, exact: true }).click()
      await page.getByRole('button', { name: meKo.stepSignDo, exact: true }).click()
      await page.getByText(meKo.passkeyDone).waitFor()
      await page.context().close()
    },
    async run(hand) {
      await hand.menu(uiKo.navMembers)
      await hand.link(/확인할 패스키 \d+개/, hand.page.getByRole('main'))
      const number = hand.page.locator('.check-number').first()
      const text = (await number.textContent()) ?? ''
      await hand.button(uiKo.checkSame)
      await hand.page.locator('.check-number').filter({ hasText: text }).waitFor({ state: 'detached' })
    },
  },
]

const instructor: readonly Task[] = [
  {
    role: 'instructor',
    what: 'mark yesterday’s attendance',
    limit: 3,
    onPhone: true,
    before: ({ book, people }) => book(people.client, -1, 10),
    async run(hand) {
      await hand.link('출석 체크', hand.page.locator('.today-actions'))
      await hand.button('이전')
      await hand.button('정도윤 출석')
      await hand.page.getByRole('button', { name: '정도윤 출석', pressed: true }).waitFor()
    },
  },
  {
    role: 'instructor',
    what: 'see the day’s appointments',
    limit: 0,
    before: ({ book, people }) => book(people.child, 0, 23),
    run: (hand) => hand.page.getByText('오다은').first().waitFor(),
  },
  {
    role: 'instructor',
    what: 'look at the own hours',
    limit: 2,
    async run(hand) {
      await hand.menu(uiKo.navBookings)
      await hand.link(/시간/)
      await hand.page.waitForURL('**/bookings/hours')
      await settled(hand.page)
    },
  },
]

export const tasksOfCenters: readonly Task[] = [...founder, ...director, ...second, ...instructor]
