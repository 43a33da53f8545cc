/** A person's own account in the console, on a phone in Korean and on a desktop in English. */
import causesEn from '@countersign/words/en/causes.json' with { type: 'json' }
import entryEn from '@countersign/words/en/entry.json' with { type: 'json' }
import en from '@countersign/words/en/me.json' with { type: 'json' }
import causesKo from '@countersign/words/ko/causes.json' with { type: 'json' }
import entryKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import ko from '@countersign/words/ko/me.json' with { type: 'json' }
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { openTextProvider, type TextBox } from '../support/text-provider.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let phones: TextBox

beforeAll(async () => {
  phones = await openTextProvider()
  desk = await openConsole({
    ...{ TEXT_URL: phones.sensUrl, TEXT_FROM: '0212345678', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
  })
}, 180_000)
afterAll(async () => {
  await desk?.close()
  await phones?.close()
})

const codeIn = (text = ''): string => /(?<![0-9])[0-9]{6}(?![0-9])/.exec(text)?.[0] ?? ''

it.each([
  ['ko', ko, 390],
  ['en', en, 1440],
] as const)(
  'in %s, a person opens the profile by the menu, changes the name, and everybody sees it',
  { timeout: 180_000 },
  async (language, words, width) => {
    const person = await desk.person(`Before ${language}`)
    const page = await desk.visit(person, `/c/${desk.center.domain}/inbox`, { language, width })
    await settled(page)
    await page.getByRole('button', { name: `Before ${language}` }).click()
    await page
      .getByRole('menuitem', { name: words.title })
      .or(page.getByRole('link', { name: words.title }))
      .first()
      .click()
    await page.waitForURL('**/me')
    await settled(page)
    await page.getByLabel(words.name, { exact: true }).fill(`이하늘 ${language}`)
    await page.getByLabel(language === 'ko' ? '한국어' : 'English').check()
    await page.locator('#person').getByRole('button', { name: words.save }).click()
    await page.getByText(words.saved).waitFor()
    await page.getByRole('button', { name: `이하늘 ${language}` }).waitFor()
    expect(await violations(page)).toEqual([])
    const [row] = await desk.server.world.query(
      'select a.name, a.language, m.name as known from directory.actors a join directory.memberships m on m.actor_id = a.id where a.id = $1',
      [person.actorId],
    )
    expect(row).toEqual({ name: `이하늘 ${language}`, language, known: `이하늘 ${language}` })
    await page.context().close()
  },
)

it.each([
  ['ko', ko, entryKo, 390, '010-5555-0001', '01055550001'],
  ['en', en, entryEn, 1440, '+82 10 5555 0002', '01055550002'],
] as const)(
  'in %s, a person changes email, phone and password, and signs in with the phone',
  { timeout: 180_000 },
  async (language, words, entry, width, written, dialed) => {
    const person = await desk.person(`Mover ${language}`)
    const page = await desk.visit(person, '/me', { language, width })
    await settled(page)
    const button = (name: string) => page.locator('#signIn').getByRole('button', { name, exact: true })
    const enter = async (code: string) => {
      await page.getByLabel(words.code, { exact: true }).fill(code)
      await button(words.confirmCode).click()
    }

    const email = `moved-${language}@people.example`
    await button(words['change.email']).click()
    await page.getByLabel(words['new.email']).fill(email)
    await button(words.sendCode).click()
    await page.getByLabel(words.code, { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await enter('000000')
    await page.getByText((language === 'ko' ? causesKo : causesEn)['CONFLICT code']).waitFor()
    expect(await page.getByLabel(words.code, { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await desk.server.services.mail.close()
    await enter(codeIn(desk.mailbox.messages.findLast(({ to }) => to.includes(email))?.text))
    await page.getByText(words['done.email']).waitFor()
    await page.locator('#signIn').getByText(email).waitFor()

    await button(words['add.phone']).click()
    await page.getByLabel(words['new.phone']).fill(written)
    await button(words.sendCode).click()
    await page.getByLabel(words.code, { exact: true }).waitFor()
    await desk.server.services.mail.close()
    await enter(codeIn(phones.messages.findLast(({ to }) => to === dialed)?.text))
    await page.getByText(words['done.phone']).waitFor()

    const password = `plum-lantern-42-${language}`
    await button(words.passwordChange).click()
    await page.getByLabel(words.passwordNew, { exact: true }).fill(password)
    await button(words.passwordSave).click()
    await page.getByText(words.passwordDone).waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().close()

    const next = await desk.visit(null, '/login', { language, width })
    await next.getByRole('button', { name: entry.byPhone }).click()
    await next.getByLabel(entry.phone).fill(written)
    await next.locator('input[type=password]').fill(password)
    await next.keyboard.press('Enter')
    await next.waitForURL(`**/c/${desk.center.domain}/**`)
    await next.context().close()
  },
)

it('no page has complained', () => {
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
