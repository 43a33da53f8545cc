/** Tasks of families, partners, operators and auditors. */
import familyKo from '@countersign/words/ko/family.json' with { type: 'json' }
import uiKo from '@countersign/words/ko/ui.json' with { type: 'json' }
import { settled } from '../../support/console.ts'
import { asFile } from '../verifier-browser.ts'
import type { Hand } from './hand.ts'
import { inDays } from './place.ts'
import type { Task } from './task.ts'

const dialog = ({ page }: Hand) => page.getByRole('dialog')
const message = ({ page }: Hand) => page.locator('.done-line').getByRole('status')
let made = 0

const families: readonly Task[] = [
  {
    role: 'parent',
    what: 'book an appointment for a child',
    limit: 4,
    onPhone: true,
    async run(hand) {
      await hand.button(new RegExp(`^${familyKo.book}`))
      await hand.write(dialog(hand).getByLabel(familyKo.date), inDays(5))
      await hand.press(dialog(hand).getByRole('radio', { name: /오후 2:00/ }))
      await hand.button(familyKo.confirmBook, dialog(hand))
      await message(hand).waitFor()
    },
  },
  {
    role: 'parent',
    what: 'cancel an appointment',
    limit: 3,
    onPhone: true,
    before: ({ book, people }) => book(people.child, 6, 11),
    async run(hand) {
      const cancel = hand.page.getByRole('button', { name: familyKo.cancel }).first()
      if ((await cancel.count()) === 0) await hand.press(hand.page.getByRole('button', { name: /오다은/ }).first())
      await hand.press(hand.page.getByRole('button', { name: familyKo.cancel }).first())
      await hand.button(familyKo.confirmCancel, dialog(hand))
      await message(hand).waitFor()
    },
  },
  {
    role: 'client',
    what: 'see the next appointment',
    limit: 0,
    onPhone: true,
    before: ({ book, people }) => book(people.client, 2, 15),
    run: (hand) =>
      hand.page
        .getByRole('heading', { name: /오후 3:00/ })
        .first()
        .waitFor(),
  },
  {
    role: 'client',
    what: 'book an appointment',
    limit: 4,
    onPhone: true,
    async run(hand) {
      await hand.button(familyKo.book)
      await hand.write(dialog(hand).getByLabel(familyKo.date), inDays(6))
      await hand.press(dialog(hand).getByRole('radio', { name: /오후 4:00/ }))
      await hand.button(familyKo.confirmBook, dialog(hand))
      await message(hand).waitFor()
    },
  },
  {
    role: 'client',
    what: 'see the own attendance',
    limit: 1,
    onPhone: true,
    async run(hand) {
      await hand.menu('출석')
      await hand.page.waitForURL('**/attendance')
      await hand.page
        .getByText(/출석 기록이 없습니다|출석 \d+회/)
        .first()
        .waitFor()
    },
  },
]

const partners: readonly Task[] = [
  {
    role: 'partner',
    what: 'open a center for somebody else',
    limit: 3,
    async run(hand) {
      const name = `busan-${Date.now().toString(36)}${made++}`
      await hand.link('새 센터')
      await hand.write(hand.page.getByLabel('센터 이름'), '하늘 부산')
      await hand.write(hand.page.getByLabel(/센터 아이디/), name)
      await hand.write(hand.page.getByLabel(/관리자.*이메일/), `${name}@people.example`)
      await hand.button('센터 만들기')
      await hand.page.getByText(`${name}@people.example`).first().waitFor()
    },
  },
  {
    role: 'partner',
    what: 'see whether every chain is intact',
    limit: 1,
    async run(hand) {
      await hand.menu(uiKo.navChains)
      await hand.page.getByText('온누리 본점').first().waitFor()
    },
  },
]

const operators: readonly Task[] = [
  {
    role: 'operator',
    what: 'suspend a center',
    limit: 3,
    before: async ({ desk }) => void (await desk.server.world.center({ name: `누리센터 ${++made}` })),
    async run(hand) {
      await hand.menu(uiKo.navCenters)
      await hand.link(`누리센터 ${made}`)
      await hand.write(hand.page.getByLabel('사유').first(), '전화로 합의')
      await hand.button('센터 정지')
      await hand.page.getByText('운영자가 정지함').waitFor()
    },
  },
  {
    role: 'operator',
    what: 'see what needs attention',
    limit: 0,
    async run(hand) {
      await hand.page.waitForURL('**/operator')
      await settled(hand.page)
      await hand.page.getByRole('heading', { level: 1 }).first().waitFor()
    },
  },
]

const auditors: readonly Task[] = [
  {
    role: 'auditor',
    what: 'verify a proof from a file',
    limit: 1,
    begins: '/verify',
    async run(hand, { proof }) {
      await hand.file(
        hand.page.locator('#choose'),
        hand.page.locator('label[for=choose]'),
        asFile('proof.jsonld', proof),
      )
      await hand.page.locator('#verdict').filter({ visible: true }).waitFor()
      await hand.page.locator('[data-verdict][data-status=yes]').first().waitFor()
    },
  },
]

export const tasksOfOthers: readonly Task[] = [...families, ...partners, ...operators, ...auditors]
