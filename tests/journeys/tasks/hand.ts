/** A person at a page, whose clicks and taps are counted. Typing isn't; opening a list and choosing from it are two. */
import uiKo from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Locator, Page } from 'playwright-core'
import { settled } from '../../support/console.ts'

export interface Hand {
  readonly page: Page
  readonly count: () => number
  press(target: Locator): Promise<void>
  button(name: string | RegExp, within?: Locator): Promise<void>
  link(name: string | RegExp, within?: Locator): Promise<void>
  choose(target: Locator, value: string): Promise<void>
  enter(): Promise<void>
  /** A word of the menu: in the bar, or behind its last word. */
  menu(name: string): Promise<void>
  /** The link of a mail. */
  mail(address: string): Promise<void>
}

const exactly = (name: string | RegExp) => ({ name, exact: typeof name === 'string' })

export function handAt(page: Page): Hand {
  let count = 0
  const press = async (target: Locator) => {
    await target.click()
    count++
  }
  return {
    page,
    count: () => count,
    press,
    button: (name, within = page.locator('body')) => press(within.getByRole('button', exactly(name)).first()),
    link: (name, within = page.locator('body')) => press(within.getByRole('link', exactly(name)).first()),
    async choose(target, value) {
      await target.selectOption(value)
      count += 2
    },
    async enter() {
      count++
      await page.keyboard.press('Enter')
    },
    async menu(name) {
      const bar = page.locator('.top-nav')
      await bar.getByRole('link').first().waitFor()
      const word = bar.getByRole('link', { name: new RegExp(`^${name}( \\d+)?$`) })
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
