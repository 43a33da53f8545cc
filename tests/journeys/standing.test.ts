/** What a person meets who has no center to enter: each standing, at 360 px, in both languages; and an account that ends. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import center from '@countersign/words/en/center.json' with { type: 'json' }
import entryEn from '@countersign/words/en/entry.json' with { type: 'json' }
import meEn from '@countersign/words/en/me.json' with { type: 'json' }
import centerKo from '@countersign/words/ko/center.json' with { type: 'json' }
import entryKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import meKo from '@countersign/words/ko/me.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import type { Center } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let place: Center
const name = '하늘 발달센터'
const pictures = process.env.TEST_PICTURES_DIR

beforeAll(async () => {
  desk = await openConsole()
  place = await desk.server.world.center({ name })
  await desk.server.world.member(await desk.server.world.person(), place)
}, 180_000)
afterAll(() => desk?.close())

const catalogs = { ko: { entry: entryKo, me: meKo, center: centerKo }, en: { entry: entryEn, me: meEn, center } }
const languages = ['ko', 'en'] as const
const told = (text: string, values: Record<string, string> = {}) =>
  text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? name)

async function look(page: Page, as: string, dialog = false): Promise<void> {
  await settled(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await violations(page, { dialog })).toEqual([])
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${as}.png`), fullPage: true })
}

async function personWith(status: string) {
  const person = await desk.server.world.person()
  await desk.server.world.member(person, place, 'INSTRUCTOR', status)
  return person
}

const phone = { width: 360, height: 720 }

describe.each(languages)('in %s', (language) => {
  const { entry, me } = catalogs[language]

  it.each(['PENDING', 'SUSPENDED', 'ENDED', 'REJECTED'] as const)(
    '%s says whom to ask',
    { timeout: 120_000 },
    async (status) => {
      const person = await personWith(status)
      const page = await desk.visit(person, '/', { language, ...phone })
      await page.getByRole('heading', { name: told(entry[`stand${status}`]) }).waitFor()
      await page.getByText(told(entry[`stand${status}Text`])).waitFor()
      // The way to a center of one's own is not the main thing here.
      expect(await page.locator('.btn.first').count()).toBe(0)
      await page.getByRole('button', { name: entry.ownCenter }).waitFor()
      await look(page, `${status}-${language}`)
      await page.getByRole('link', { name: entry.profile }).click()
      await page.waitForURL('**/me')
      await page.context().close()
    },
  )

  it('INVITED accepts, waits, and enters as soon as an administrator approves', { timeout: 120_000 }, async () => {
    const person = await personWith('INVITED')
    const page = await desk.visit(person, '/', { language, ...phone })
    await page.getByRole('heading', { name: told(entry.standINVITED) }).waitFor()
    await look(page, `INVITED-${language}`)
    await page.getByRole('button', { name: entry.accept }).click()
    await page.getByRole('heading', { name: told(entry.standPENDING) }).waitFor()
    await desk.server.world.setMembership(person, place, { status: 'ACTIVE' })
    await page.getByRole('button', { name: entry.checkAgain }).click()
    await page.waitForURL(`**/c/${place.domain}/**`)
    await page.context().close()
  })

  it('a center that is suspended is named', { timeout: 120_000 }, async () => {
    const closed = await desk.server.world.center({ name: `${name} 2` })
    const person = await desk.server.world.person()
    await desk.server.world.member(person, closed, 'INSTRUCTOR')
    await desk.server.world.setCenterStatus(closed, 'SUSPENDED')
    const page = await desk.visit(person, '/', { language, ...phone })
    await page.getByRole('heading', { name: told(entry.standClosed, { center: `${name} 2` }) }).waitFor()
    await look(page, `closed-${language}`)
    await page.context().close()
  })

  it('an invitation: signed in as somebody else, then as the person', { timeout: 180_000 }, async () => {
    const [person, other] = [await desk.person(`한이안 ${language}`), await desk.person(`Other ${language}`)]
    const admin = await desk.server.world.person()
    const inviting = await desk.server.world.center({ name: `새봄센터 ${language}` })
    await desk.server.world.member(admin, inviting)
    const { accessToken: token } = await desk.server.signIn(admin, inviting.domain)
    const body = { email: person.email, role: 'INSTRUCTOR', approved: true }
    await desk.server.call('POST', `/api/centers/${inviting.domain}/members`, { token, body })
    const mailed = await desk.mailbox.token(person.email, 'csi')
    const there = { name: `새봄센터 ${language}` }
    const page = await desk.visit(other, `/invitations/${mailed}`, { language, ...phone })
    await page.getByRole('heading', { name: told(entry.inviteTitle, there) }).waitFor()
    await page.getByText(person.email).first().waitFor()
    await look(page, `invitation-other-${language}`)
    await page.getByRole('button', { name: entry.inviteSwitch }).click()
    await page.getByText(entry.inviteSignIn).waitFor()
    await look(page, `invitation-out-${language}`)
    await page.getByRole('link', { name: entry.signInToAccept }).click()
    await desk.signIn(page, person)
    await page.waitForURL('**/invitations/**')
    await page.getByRole('button', { name: entry.acceptInvitation }).waitFor()
    await look(page, `invitation-in-${language}`)
    await page.getByRole('button', { name: entry.acceptInvitation }).click()
    await page.getByRole('heading', { name: told(entry.acceptedTitle, there) }).waitFor()
    await look(page, `invitation-done-${language}`)
    await page.getByRole('link', { name: told(entry.goCenter, there) }).click()
    await page.waitForURL(`**/c/${inviting.domain}/**`)
    await page.context().close()
  })

  it('an account ends from the profile, after it has said what stays', { timeout: 180_000 }, async () => {
    const person = await desk.server.world.person()
    await desk.server.world.member(person, place, 'INSTRUCTOR')
    const page = await desk.visit(person, '/me', { language, ...phone })
    const part = page.locator('#erasure')
    await part.getByRole('button', { name: me.erasureShow }).click()
    await part.getByText(me.erasureKeeps).waitFor()
    await part.getByText(told(me.erasureSealed)).waitFor()
    await look(page, `erasure-${language}`)
    await part.getByRole('button', { name: me.erasureDo }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(me.erasureWord)
    await look(page, `erasure-asked-${language}`, true)
    await dialog.getByRole('button', { name: me.erasureDo }).click()
    await page.getByRole('heading', { name: entry.erasedTitle }).waitFor()
    await look(page, `erased-${language}`)
    await page.goto(`${desk.origin}/me`)
    await page.waitForURL('**/login**')
    await page.context().close()
  })

  it('the last administrator reads why not', { timeout: 120_000 }, async () => {
    const [person, own] = [
      await desk.server.world.person(),
      await desk.server.world.center({ name: `나무 ${language}` }),
    ]
    await desk.server.world.member(person, own)
    const page = await desk.visit(person, '/me', { language, ...phone })
    const part = page.locator('#erasure')
    await part.getByRole('button', { name: me.erasureShow }).click()
    await part.getByText(told(me['obstacle.LAST_ADMIN'], { name: `나무 ${language}` })).waitFor()
    expect(await part.getByRole('button', { name: me.erasureDo }).count()).toBe(0)
    await look(page, `erasure-refused-${language}`)
    await page.context().close()
  })
})

it('no page has complained', () => {
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
