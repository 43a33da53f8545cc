/**
 * The first week of docs/people/director.md, in both languages, by the words of the page alone: every name in bold is looked for on
 * the screen and pressed, filled or seen, in the order of the page; in English on a desk, in Korean on a phone. Minutes are printed.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { read } from '../docs/blocks.ts'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { plain } from '../support/pages-fixture.ts'
import type { Person } from '../support/world.ts'
import { readAll } from './reading.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const password = 'first password 1'
let desk: ConsoleDesk
beforeAll(async () => {
  desk = await openConsole({ ELIGIBILITY_SECONDS: '86400' })
}, 180_000)
afterAll(() => desk?.close())

/** Names in bold of the steps `### 1.` to `### 8.`; `**Bookings > Hours**` is two. */
function steps(text: string): readonly (readonly string[])[] {
  const [, ...sections] = (text.split(/^## /m)[1] ?? '').split(/^### \d\. /m)
  return sections.map((section) =>
    Array.from(section.matchAll(/\*\*([^*]+)\*\*/g), ([, bold = '']) =>
      bold.replaceAll(/\s+/g, ' ').split(' > '),
    ).flat(),
  )
}

/** A number on the page is an example, and so is a typographer's apostrophe. */
const pattern = (name: string, ends: string): RegExp =>
  new RegExp(
    `^${name
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/['’]/g, "['’]")
      .replaceAll(/\d+/g, '\\d+')}${ends}`,
  )

const kinds = ['button', 'link', 'menuitem', 'tab', 'radio', 'checkbox'] as const

/** A person who knows the page, and looks for its names. */
class Reader {
  presses = 0
  readonly page: Page
  readonly #more: string
  readonly #unread: Set<string>

  constructor(page: Page, more: string, unread: Set<string>) {
    this.page = page
    this.#more = more
    this.#unread = unread
  }

  /** What is in front: a dialog, a menu, or the page. */
  async #front(): Promise<Page | Locator> {
    const dialog = this.page.getByRole('dialog').filter({ visible: true }).last()
    return (await dialog.count()) > 0 ? dialog : this.page
  }

  async #find(name: string): Promise<Locator | null> {
    const front = await this.#front()
    for (const ends of ['$', '\\b', '']) {
      for (const kind of kinds) {
        const found = front
          .getByRole(kind, { name: pattern(name, ends) })
          .filter({ visible: true })
          .first()
        if ((await found.count()) > 0) return found
      }
    }
    return null
  }

  async #until<T>(name: string, look: () => Promise<T | null>): Promise<T> {
    const end = Date.now() + 10_000
    for (;;) {
      const found = await look()
      if (found !== null) return found
      if (Date.now() > end)
        throw new Error(`“${name}” isn't on ${this.page.url()}:\n${await this.page.locator('body').textContent()}`)
      await this.page.waitForTimeout(100)
    }
  }

  /** Presses what has this name. A menu that isn't on the screen is behind the one for the rest. */
  async press(name: string | undefined): Promise<void> {
    const wanted = name ?? ''
    this.#unread.delete(wanted)
    await settled(this.page).catch(() => {})
    let opened = false
    const soon = Date.now() + 2000
    const target = await this.#until(wanted, async () => {
      const found = await this.#find(wanted)
      // A person waits for the page before they look behind a menu.
      if (found || opened || Date.now() < soon) return found
      const more = this.page
        .getByRole('button', { name: pattern(this.#more, '') })
        .filter({ visible: true })
        .first()
      if ((await more.count()) > 0) {
        await more.click()
        this.presses++
        opened = true
      }
      return null
    })
    this.presses++
    await target.click()
  }

  /** The name is a heading, a field, a value or a part of the page. */
  async see(name: string | undefined): Promise<void> {
    const wanted = name ?? ''
    this.#unread.delete(wanted)
    await this.#until(wanted, async () => {
      const shown = [this.page.getByText(pattern(wanted, '')), this.page.getByLabel(pattern(wanted, ''))]
      for (const each of shown) if ((await each.filter({ visible: true }).count()) > 0) return true
      const options = this.page.getByRole('option', { name: pattern(wanted, '') })
      return (await options.count()) > 0 ? true : null
    })
  }

  async fill(name: string | undefined, value: string): Promise<void> {
    const front = await this.#front()
    this.#unread.delete(name ?? '')
    await front
      .getByLabel(pattern(name ?? '', ''))
      .first()
      .fill(value)
  }

  /** Chooses in the list of this name, in a sentence or a form. */
  async choose(name: string | undefined, to: string | undefined): Promise<void> {
    for (const each of [name, to]) this.#unread.delete(each ?? '')
    const front = await this.#front()
    const option = await this.#until(to ?? '', async () => {
      const list = front.locator('select', { has: this.page.getByRole('option', { name: to ?? '', exact: true }) })
      return (await list.count()) > 0 ? list : null
    })
    this.presses++
    await option.first().selectOption({ label: to ?? '' })
  }

  type(selector: string, value: string): Promise<void> {
    return this.page.locator(selector).filter({ visible: true }).first().fill(value)
  }
}

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

const languages = [
  {
    language: 'en',
    file: 'docs/people/director.md',
    width: 1440,
    domain: 'bythepage',
    own: 'Dana Head',
    second: 'Sam Second',
  },
  {
    language: 'ko',
    file: 'docs/ko/people/director.md',
    width: 360,
    domain: 'jjokdaero',
    own: '김하늘',
    second: '이원장',
  },
] as const

describe.each(languages)('$file', ({ language, file, width, domain, own, second }) => {
  it(`leads from an account to an approval by passkey, at ${width} px`, { timeout: 240_000 }, async () => {
    const text = read(file)
    const week = steps(text)
    const unread = new Set(week.slice(0, 7).flat())
    const [, more = ''] = /\*\*([^*]+)\*\*/.exec(text.split(/^## /m)[0]?.split('\n\n').at(-2) ?? '') ?? []
    const look =
      width < 600 ? { language, width, height: 740, options: { hasTouch: true, isMobile: true } } : { language }
    const emails = {
      guardian: `guardian-${language}@people.example`,
      own: `director-${language}@people.example`,
      second: `second-${language}@people.example`,
    }
    const someone = (email: string): Person => ({ actorId: '', email, password })
    const labels = { name: language === 'ko' ? /이름/ : /name/i, email: language === 'ko' ? /이메일/ : /email/i }
    const [client1, guardian] = language === 'ko' ? ['서연우', '서보라'] : ['Yuna Park', 'Bora Park']
    const began: number[] = []
    const took: string[] = []
    let last = performance.now()
    const done = (step: number) => {
      const seconds = (performance.now() - last) / 1000
      began.push(seconds)
      took.push(`step ${step} ${seconds.toFixed(1)} s`)
      last = performance.now()
    }
    const page = await desk.visit(null, '/login', look)
    const director = new Reader(page, more, unread)

    const [create, mail, account, newCenter, name, id, vertical, plan, make] = week[0] ?? []
    await director.press(create)
    await director.type('input[type=text], input[name=name], input:not([type])', own)
    await director.type('input[type=email]', emails.own)
    await director.press(mail)
    await page.goto(await linkTo(emails.own, '/signup/'))
    await director.type('input[type=password]', password)
    await director.press(account)
    await page.locator('input[type=password]').waitFor({ state: 'detached' })
    await page.goto(`${desk.origin}/login`)
    await desk.signIn(page, someone(emails.own))
    await director.press(newCenter)
    await director.fill(name, language === 'ko' ? '하늘 센터' : 'Sky Center')
    await director.fill(id, domain)
    await director.see(vertical)
    await director.see(plan)
    await page.getByRole('radio', { name: /Growth/ }).click()
    await director.press(make)
    await page.waitForURL(`**/c/${domain}/**`)
    done(1)

    const [settings, zone, hours, minutes, save, bookings, closed, closeDays, holidays] = week[1] ?? []
    await director.press(settings)
    for (const each of [zone, hours, minutes]) await director.see(each)
    await director.press(save)
    await director.press(bookings)
    await director.press(closed)
    await director.see(closeDays)
    await director.press(holidays)
    done(2)

    const [members, invite, send, approve, skip, administrator, imports] = week[2] ?? []
    await director.press(members)
    await director.see(imports)
    await director.press(invite)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(language === 'ko' ? '이메일' : /^Email/).fill(emails.second)
    await dialog.getByLabel(language === 'ko' ? /이름/ : /[Nn]ame/).fill(second)
    await director.press(administrator)
    await director.see(skip)
    if (await dialog.getByRole('checkbox', { name: pattern(skip ?? '', '') }).isChecked()) await director.press(skip)
    await director.press(send)
    const invited = await desk.visit(null, new URL(await linkTo(emails.second, '/invitations/')).pathname, look)
    const other = new Reader(invited, more, unread)
    await other.type('input[type=password]', password)
    await invited.keyboard.press('Enter')
    await invited.waitForTimeout(1000)
    await page.reload()
    await director.press(second)
    await director.press(approve)
    done(3)

    const [families, add, inviteGuardian, sendGuardian, adults, client] = week[3] ?? []
    await director.press(families)
    await director.press(add)
    await dialog.getByLabel(labels.name).first().fill(client1)
    await director.press(add)
    await dialog.waitFor({ state: 'detached' })
    if (page.url().endsWith('/families')) await director.press(client1)
    await director.see(inviteGuardian)
    await page.getByLabel(labels.name).filter({ visible: true }).first().fill(guardian)
    await page.getByLabel(labels.email).filter({ visible: true }).last().fill(emails.guardian)
    await director.press(sendGuardian)
    expect(await linkTo(emails.guardian, '/invitations/')).toBeDefined()
    for (const aside of [adults, client]) unread.delete(aside ?? '')
    done(4)

    const [profile, passkeys, register, sign, number, membersOther, toConfirm, partner, same] = week[4] ?? []
    await addAuthenticator(page)
    await director.press(own)
    await director.press(profile)
    await director.see(passkeys)
    await director.press(register)
    await director.press(sign)
    await director.see(number)
    const shown = (await page.locator('.own-standing .check-number').textContent()) ?? ''
    await invited.goto(`${desk.origin}/c/${domain}/today`)
    if (new URL(invited.url()).pathname === '/login') await desk.signIn(invited, someone(emails.second))
    await invited.waitForURL(`**/c/${domain}/**`)
    await other.press(membersOther)
    await other.press(toConfirm)
    await other.press(own)
    await invited.getByText(shown).waitFor()
    unread.delete(partner ?? '')
    await other.press(same)
    await page.reload()
    await page.locator('.own-standing').waitFor({ state: 'detached' })
    done(5)

    const [policies, newPolicy, from, refunds, agents, anyone, signedIn, withPasskey, saveFirst] = week[5] ?? []
    await page.goto(`${desk.origin}/c/${domain}/today`)
    await director.press(policies)
    await director.press(newPolicy)
    await director.see(from)
    await director.press(refunds)
    await director.choose(agents, anyone)
    await director.choose(signedIn, withPasskey)
    await director.press(saveFirst)
    done(6)

    const [decisions, ask, kind, another, sendAsk, inbox, reading, seal, sealed, proof] = week[6] ?? []
    await other.press(decisions)
    await other.press(ask)
    await other.choose(kind, another)
    const [, action = ''] = /`([a-z.]+)`/.exec(text) ?? []
    const fields = invited.getByRole('dialog').getByRole('textbox')
    for (const [at, value] of [action, 'Refund 820,000', 'The course was cancelled.'].entries())
      await fields.nth(at).fill(value)
    await other.press(sendAsk)
    await director.press(inbox)
    await page.getByText(action).filter({ visible: true }).first().click()
    // On a large screen everything can be in view at once.
    await page.locator('#approve').waitFor()
    if (!pattern(seal ?? '', '').test((await page.locator('#approve').textContent()) ?? '')) await director.see(reading)
    unread.delete(reading ?? '')
    await readAll(page)
    await director.press(seal)
    await director.see(sealed)
    await director.see(proof)
    done(7)

    expect([...unread]).toEqual([])
    const minutes1 = Math.round(began.reduce((sum, each) => sum + each, 0))
    process.stdout.write(
      `${file} at ${width} px: ${took.join(', ')}; ${minutes1} s, ${director.presses} presses, the colleague ${other.presses}\n`,
    )
  })
})
