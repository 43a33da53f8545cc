/** Passkeys: registered by their owner, confirmed by an ADMIN, used to sign in and to approve. */

import { readFile } from 'node:fs/promises'
import { words as approving } from '@countersign/console/approve/words.ts'
import { languages as verifierLanguages } from '@countersign/verifier/words.ts'
import enterEn from '@countersign/words/en/entry.json' with { type: 'json' }
import meEn from '@countersign/words/en/me.json' with { type: 'json' }
import uiEn from '@countersign/words/en/ui.json' with { type: 'json' }
import enterKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import meKo from '@countersign/words/ko/me.json' with { type: 'json' }
import uiKo from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../support/pages-fixture.ts'
import { registerPasskey } from '../support/passkeys.ts'
import { violations } from './axe.ts'
import { openBrowser } from './browser.ts'
import { press, pressAt, signInByKeyboard } from './keyboard.ts'
import { readAll } from './reading.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const verifier = new URL('../../apps/verifier/dist/verify.html', import.meta.url).href

const said = { ko: { enter: enterKo, me: meKo, ui: uiKo }, en: { enter: enterEn, me: meEn, ui: uiEn } }

let browser: Browser
let desk: Desk

beforeAll(async () => {
  ;[browser, desk] = [await openBrowser(), await openDesk()]
  await desk.policy({ approval: { identity: 'passkey', roles: ['ADMIN'], expiresAfterSeconds: 86_400 } })
})
afterAll(async () => {
  await browser?.close()
  await desk?.close()
})

const picture = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null

/** In both themes. */
async function cleanIn(page: Page, state: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await picture(page, `${state}-${colorScheme}`)
    expect([state, colorScheme, await violations(page)]).toEqual([state, colorScheme, []])
  }
}

describe.each([
  ['ko', 'ko-KR', 'light'],
  ['en', 'en-US', 'dark'],
] as const)('in %s', (language, locale, colorScheme) => {
  const words = approving[language]
  const { enter, me, ui: at } = said[language]
  const options = { locale, colorScheme }
  const inKorean = it.runIf(language === 'ko' || process.env.TEST_LONG)

  inKorean('mail, sign-in, register and confirm a key, read, approve, sealed, verified', async () => {
    const approver = await desk.person('박서연')
    const id = await desk.record()
    const page = await desk.open(browser, await desk.mailed(approver, `/approve/${id}`), options)
    const device = await addAuthenticator(page)
    const clean = (at: Page, state: string) => cleanIn(at, `${state}-${language}`)
    await desk.signIn(page, approver)
    await readAll(page)
    await page.getByRole('button', { name: words.approvePasskey }).click()
    await page.getByText(words.stopneedsPasskey).waitFor()
    await clean(page, 'need-passkey')
    await page.getByRole('link', { name: words.addPasskey }).click()
    await page.getByText(me.passkeysNone).waitFor()
    await page.getByLabel(me.passkeyName).fill('휴대폰')
    await page.getByRole('button', { name: me.passkeyAdd }).click()
    await page.getByText(me.stepSign).waitFor()
    await clean(page, 'step-sign')
    await device.verifies(false)
    await page.getByRole('button', { name: me.stepSignDo }).click()
    await page.getByText(me.passkeyCanceled).waitFor()
    await device.verifies(true)
    await page.getByRole('button', { name: me.stepSignDo }).click()
    await page.getByText(me.passkeyDone).waitFor()
    const number = (await page.locator('.me-number').textContent()) as string
    await clean(page, 'registered')
    await desk.server.services.passkeyOutbox.deliver()

    const admin = await desk.open(browser, '/account/members', options)
    await desk.signIn(admin, await desk.person('최원장'))
    const item = admin.locator('.tray .item', { hasText: '박서연' })
    await item.click()
    await admin.getByText(number).waitFor()
    await clean(admin, 'confirm')
    await admin.getByRole('button', { name: at.checkSame }).click()
    await item.waitFor({ state: 'detached' })
    await admin.context().close()

    await page.context().clearCookies()
    await page.goto(`${desk.origin}/approve/${id}`)
    await page.getByRole('button', { name: enter.byPasskey }).click()
    await readAll(page)
    await device.verifies(false)
    await page.locator('#approve').click()
    await page.getByText(words.stopcanceled).waitFor()
    await device.verifies(true)
    await page.locator('#approve').click()
    await page.locator('.stamp').waitFor()
    await page.getByText(words['level passkey'], { exact: true }).waitFor()
    await clean(page, 'sealed-passkey')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: words.download }).click(),
    ])
    const proof = await readFile(await file.path(), 'utf8')
    expect(JSON.parse(proof).evidence.approval).toMatchObject({ identity: { level: 'passkey' }, channel: 'page' })
    await page.context().setOffline(true)
    await page.goto(verifier)
    await page.locator('#choose').setInputFiles([{ name: 'p.jsonld', mimeType: '', buffer: Buffer.from(proof) }])
    await page.getByText(verifierLanguages[language].saysIntact).waitFor()
    expect([desk.complaints, desk.foreign]).toEqual([[], []])
    await page.context().close()
  })

  inKorean('a device registers one key, and a key is removed after a question', async () => {
    const person = await desk.person('이도윤')
    const page = await desk.open(browser, '/account/passkeys', options)
    const device = await addAuthenticator(page)
    await desk.signIn(page, person)
    const add = page.getByRole('button', { name: me.passkeyAdd })
    await add.click()
    await page.getByRole('button', { name: me.stepSignDo }).click()
    await page.getByText(me.passkeyDoneNumber).waitFor()
    expect(await device.credentials()).toBe(1)
    // The same device again: the browser knows that it has a key already.
    await add.click()
    await page.getByText(me.passkeyTaken).waitFor()
    await page.getByRole('button', { name: me.passkeyRemove, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: me.passkeyRemove, exact: true }).click()
    await page.getByText(me.passkeysNone).waitFor()
    await cleanIn(page, `removed-${language}`)
    await page.context().close()
  })

  // One language in CI: the keys of the keyboard are the same.
  it.runIf(language === 'en' || process.env.TEST_LONG)(
    'with the keyboard alone: a second key, confirmed by the first, approves and confirms the key of a member',
    async () => {
      const [admin, other, member] = [
        await desk.person('김민준'),
        await desk.person('최원장'),
        await desk.person('정하린'),
      ]
      const { server, center } = desk
      const page = await desk.open(browser, '/account/passkeys', options)
      const first = await addAuthenticator(page)
      await signInByKeyboard(page, admin)
      await press(page.getByRole('button', { name: me.passkeyAdd }))
      await press(page.getByRole('button', { name: me.stepSignDo }))
      await page.getByText(me.passkeyDoneNumber).waitFor()
      await server.services.passkeyOutbox.deliver()
      const { accessToken: token } = await server.signIn(other, center.domain)
      const [waiting] = (await server.call('GET', `/api/centers/${center.id}/passkeys`, { token })).body.data
      const confirm = `/api/centers/${center.id}/members/${waiting.actorId}/passkeys/${waiting.id}/confirm`
      expect((await server.call('POST', confirm, { token, body: {} })).status).toBe(200)

      await page.goto(`${desk.origin}/account/passkeys`)
      const second = await addAuthenticator(page, 'usb')
      await first.isTouched(false)
      await press(page.getByRole('button', { name: me.passkeyAdd }))
      await press(page.getByRole('button', { name: me.stepSignDo }))
      await page.getByText(me.stepOlder).waitFor()
      await cleanIn(page, `step-older-${language}`)
      await first.isTouched(true)
      await press(page.getByRole('button', { name: me.stepOlderDo }))
      await page.getByText(me.passkeyDoneOlder).waitFor()
      expect([await first.credentials(), await second.credentials()]).toEqual([1, 1])
      await server.services.passkeyOutbox.deliver()

      await first.isTouched(false)
      await page.goto(`${desk.origin}/approve/${await desk.record()}`)
      await readAll(page, () => pressAt(page, '#approve'))
      await pressAt(page, '#approve')
      await page.locator('.stamp').waitFor()
      await page.getByText(words['level passkey'], { exact: true }).waitFor()

      const session = await server.signIn(member, center.domain)
      const { id } = await registerPasskey(server, session.accessToken)
      await server.services.passkeyOutbox.deliver()
      await page.goto(`${desk.origin}/account/members`)
      const item = page.locator('.tray .item', { hasText: '정하린' })
      await press(item)
      await press(page.getByRole('button', { name: at.checkSame }))
      await item.waitFor({ state: 'detached' })
      const [confirmed] = await server.world.query(
        `select details ->> 'level' as level from cell.audit_entries where target_id = $1 and details ->> 'action' = 'passkey.confirmed'`,
        [id],
      )
      expect(confirmed).toEqual({ level: 'passkey' })
      await page.context().close()
    },
  )
})
