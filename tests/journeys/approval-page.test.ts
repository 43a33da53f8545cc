/** From a mail to a seal and its verification, in a real browser at the width of a phone. */

import { readFile } from 'node:fs/promises'
import { words as approving } from '@countersign/console/approve/words.ts'
import { languages as verifierLanguages } from '@countersign/verifier/words.ts'
import enterEn from '@countersign/words/en/entry.json' with { type: 'json' }
import enterKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../support/pages-fixture.ts'
import { violations } from './axe.ts'
import { openBrowser } from './browser.ts'
import { reach, signInByKeyboard } from './keyboard.ts'
import { readAll } from './reading.ts'

const verifier = new URL('../../apps/verifier/dist/verify.html', import.meta.url).href

let browser: Browser
let desk: Desk

beforeAll(async () => {
  ;[browser, desk] = [await openBrowser(), await openDesk()]
  await desk.policy()
})
afterAll(async () => {
  await browser?.close()
  await desk?.close()
})

const wrongPassword = { ko: '이메일이나 비밀번호가 맞지 않습니다.', en: 'The email or password is wrong.' }

/** Pictures for whoever compares them with the design: SHOTS names a folder. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SHOTS
  if (!folder) return
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: `${folder}/${name}.png` })
}

describe.each([
  ['ko', 'ko-KR', 'light'],
  ['en', 'en-US', 'dark'],
] as const)('in %s', (language, locale, colorScheme) => {
  const words = approving[language]
  const enter = { ko: enterKo, en: enterEn }[language]

  it.runIf(language === 'ko' || process.env.TEST_LONG)(
    'mail, sign-in, read, approve, sealed, verified without the server',
    async () => {
      const approver = await desk.person('박서연')
      const id = await desk.record()
      const address = await desk.mailed(approver, `/approve/${id}`)
      const page = await desk.open(browser, address, { locale, colorScheme })
      const clean = async (state: string) => {
        await picture(page, `${state}-${language}`)
        expect([state, await violations(page)]).toEqual([state, []])
        const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        expect([state, wide]).toEqual([state, 0])
        expect([state, await smallTargets(page)]).toEqual([state, []])
      }
      await page.getByRole('heading', { name: enter.loginTitle }).waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      await clean('signin')
      await desk.signIn(page, { ...approver, password: 'wrong' })
      await page.getByText(wrongPassword[language]).waitFor()
      await desk.signIn(page, approver)
      await page.locator('#approve').waitFor()
      const shown = await page.locator('main').textContent()
      for (const text of [
        '이하늘 님에게 820,000원 환불',
        '입원으로 남은 수업 8회 취소',
        '50만원을 넘는 환불',
        // Values of every depth, with their places.
        ...[
          '820,000',
          'lessons.left',
          '결제한 카드로 취소',
          'output:state',
          'planned',
          'planner-3',
          '진단서를 보지 못함',
          '0.42',
        ],
        words.digestsame,
      ]) {
        expect(shown).toContain(text)
      }
      await clean('decision')
      // The sentence is made of values.
      expect(await page.locator('h1').textContent()).not.toContain('이하늘 님에게 820,000원 환불')
      await page.getByText(words.ask, { exact: true }).click()
      await page.getByLabel(words.askLabel).fill('진단서를 받았습니까?')
      await page.getByRole('button', { name: words.askSend }).click()
      await page.getByText('진단서를 받았습니까?').waitFor()
      await readAll(page)
      await clean('read')
      await page.locator('#refuse').click()
      await page.getByText(words.needReason).waitFor()
      await clean('reason')
      await page.getByLabel(words.opinion, { exact: true }).fill('확인했습니다.')
      await page.locator('#approve').click()
      await page.locator('.stamp').waitFor()
      expect(await page.locator('.stamp svg').getAttribute('aria-label')).toContain('박서연')
      await clean('sealed')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: words.download }).click(),
      ])
      const proof = await readFile(await file.path(), 'utf8')
      const approval = JSON.parse(proof).evidence.approval
      expect(approval).toMatchObject({ reason: '확인했습니다.', identity: { level: 'session' }, channel: 'page' })
      expect(approval.openedAt < approval.decidedAt).toBe(true)
      await page.getByRole('link', { name: words.verify }).click()
      await page.waitForURL(/\/verify\/evd_/)
      await page.context().setOffline(true)
      await page.goto(verifier)
      await page.locator('#choose').setInputFiles([{ name: 'p.jsonld', mimeType: '', buffer: Buffer.from(proof) }])
      await page.getByText(verifierLanguages[language].saysIntact).waitFor()
      expect([desk.complaints, desk.foreign]).toEqual([[], []])
      await page.context().close()
    },
  )

  it('with the keyboard alone', async () => {
    const approver = await desk.person('김민준')
    const page = await desk.open(browser, `/approve/${await desk.record()}`, { locale, colorScheme })
    await signInByKeyboard(page, approver)
    await page.locator('#approve').waitFor()
    // The heading has the focus, so that a screen reader reads the sentence first.
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    await reach(page, '#approve')
    await readAll(page, () => page.keyboard.press('Enter'))
    expect(await page.locator('#approve').textContent()).toBe(words.approve)
    await reach(page, '#refuse')
    await page.keyboard.press('Space')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).toBe('solid')
    await page.keyboard.insertText('금액이 다릅니다.')
    await reach(page, '#refuse')
    await page.keyboard.press('Enter')
    await page.locator('.stamp').waitFor()
    expect(await page.locator('h1').textContent()).toContain(language === 'ko' ? '반려하고 봉인' : 'Refused and sealed')
    await page.context().close()
  })
})

/** What can be pressed is at least 44 pixels high, or stands in a line of text. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, a, summary, input, textarea')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
    .map((element) => element.outerHTML)`)

it('changes its language without losing what was written', async () => {
  const approver = await desk.person('이도윤')
  const page = await desk.open(browser, `/approve/${await desk.record()}`)
  await desk.signIn(page, approver)
  await page.locator('#approve').waitFor()
  await page.locator('.write').click()
  await page.locator('.act textarea').fill('아직 모르겠습니다.')
  await page.locator('#say-en').click()
  await readAll(page)
  expect(await page.locator('#approve').textContent()).toBe(approving.en.approve)
  expect(await page.locator('.act textarea').inputValue()).toBe('아직 모르겠습니다.')
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  await page.reload()
  await page.getByRole('button', { name: approving.en.refuse }).waitFor()
  await page.context().close()
})

it('a refund of eight values takes at most four taps from the mail, and leads to the next request', async () => {
  const approver = await desk.person('정하윤')
  const input = {
    amount: 820_000,
    recipient: { name: '이하늘', phone: '010-2345-6789' },
    method: '결제한 카드로 취소',
    payment: { card: '신한 3312', amount: 1_640_000 },
    child: { name: '이서윤' },
    sessions: 8,
  }
  const recorded = (more: object) =>
    desk.record({
      action: { type: 'refund.pay', description: '환불', input },
      aiContext: undefined,
      tags: undefined,
      ...more,
    })
  const other = await recorded({})
  const id = await recorded({})
  const address = await desk.mailed(approver, `/approve/${id}`)
  const page = await desk.open(browser, '/account')
  await desk.signIn(page, approver)
  await page.waitForURL('**/me')
  // The tap on the link in the mail.
  let taps = 1
  await page.goto(address)
  taps += await readAll(page)
  await page.locator('#approve').click()
  taps += 1
  await page.locator('.stamp').waitFor()
  expect(taps).toBeLessThanOrEqual(4)
  await page.locator('#next').click()
  await page.waitForURL((url) => url.pathname.startsWith('/approve/') && !url.pathname.endsWith(id))
  await page.locator('#approve').waitFor()
  expect(other).not.toBe(id)
  await page.context().close()
})
