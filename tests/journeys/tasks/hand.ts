/**
 * A person at a page, whose presses are counted, with a pointer or by keyboard alone. Typing isn't counted; opening a list and choosing
 * from it are two.
 */
import uiKo from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Locator, Page } from 'playwright-core'
import { settled } from '../../support/console.ts'
import type { Person } from '../../support/world.ts'
import * as keyboard from '../keyboard.ts'
import { readAll } from '../reading.ts'

/** How a control is reached. */
interface Arm {
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
  choose(target: Locator, value: string): Promise<void>
  read(page: Page): Promise<unknown>
  signIn(page: Page, person: Person): Promise<void>
}

const arms = {
  pointer: {
    press: (target) => target.click(),
    write: (target, text) => target.fill(text),
    choose: async (target, value) => void (await target.selectOption(value)),
    read: readAll,
    async signIn(page, { email, password }) {
      await page.locator('input[type=email]').fill(email)
      await page.locator('input[type=password]').fill(password)
      await page.keyboard.press('Enter')
    },
  },
  keyboard: {
    async press(target) {
      const isRadio = (await target.getAttribute('type')) === 'radio'
      await (isRadio ? keyboard.choose : keyboard.press)(target)
    },
    write: keyboard.write,
    choose: keyboard.pick,
    read: (page) => readAll(page, () => keyboard.press(page.locator('#approve'))),
    signIn: keyboard.signInByKeyboard,
  },
} as const satisfies Record<string, Arm>
export type By = keyof typeof arms

export interface Hand extends Omit<Arm, 'read' | 'signIn'> {
  readonly page: Page
  readonly by: By
  readonly count: () => number
  /** Keys that were pressed; typing isn't counted. */
  readonly keys: () => number
  button(name: string | RegExp, within?: Locator): Promise<void>
  link(name: string | RegExp, within?: Locator): Promise<void>
  enter(): Promise<void>
  /** A file: the field has the focus, and what stands for it is clicked. */
  file(field: Locator, shown: Locator, file: FilePayload): Promise<void>
  /** A word of the menu: in the bar, or behind its last word. */
  menu(name: string): Promise<void>
  /** The link of a mail. */
  mail(address: string): Promise<void>
  /** To the end of the decision that is open. */
  read(): Promise<void>
  signIn(person: Person): Promise<void>
}

interface FilePayload {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

const exactly = (name: string | RegExp) => ({ name, exact: typeof name === 'string' })

export function handAt(page: Page, by: By = 'pointer'): Hand {
  let [count, keys] = [0, 0]
  const arm: Arm = arms[by]
  const pressKey = page.keyboard.press.bind(page.keyboard)
  page.keyboard.press = (key, options) => {
    keys++
    return pressKey(key, options)
  }
  const press = async (target: Locator) => {
    await arm.press(target)
    count++
  }
  return {
    page,
    by,
    count: () => count,
    keys: () => keys,
    press,
    write: arm.write,
    read: async () => void (await arm.read(page)),
    signIn: (person) => arm.signIn(page, person),
    async file(field, shown, file) {
      const chosen = page.waitForEvent('filechooser')
      await press(by === 'keyboard' ? field : shown)
      await (await chosen).setFiles(file)
    },
    button: (name, within = page.locator('body')) => press(within.getByRole('button', exactly(name)).first()),
    link: (name, within = page.locator('body')) => press(within.getByRole('link', exactly(name)).first()),
    async choose(target, value) {
      await arm.choose(target, value)
      count += 2
    },
    async enter() {
      count++
      await page.keyboard.press('Enter')
    },
    async menu(name) {
      const bar = page.locator('.top-nav')
      await bar.getByRole('link').first().waitFor()
      // A word that has a number now may be behind the last one then.
      await settled(page)
      const word = bar.getByRole('link', { name: new RegExp(`^${name}( .*)?$`) })
      if ((await word.count()) > 0) await press(word.first())
      else {
        await press(bar.getByRole('button', { name: new RegExp(`^${uiKo.more}`) }))
        await press(page.getByRole('menuitem', { name: new RegExp(`^${name}`) }))
      }
      await settled(page)
    },
    async mail(address) {
      count++
      await page.goto(address)
    },
  }
}

/** From now on nothing but a mail leads to an address that was not pressed. */
export function forbidTyping(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = (address, options) => {
    if (!/\/(approve|invitations|signup)\//.test(address)) throw new Error(`a task typed the address ${address}`)
    return goto(address, options)
  }
}
