/** Presses every control of one page, each from the page as it was opened, and of every dialog and menu that a control opens. */
import type { Page } from 'playwright-core'
import { type Control, calm, controlsOf, type Fault, frontOf, type Listener, press } from './press.ts'

export interface Walk {
  readonly page: Page
  readonly listener: Listener
  readonly where: string
  /** Opens the address, signed in. */
  open(): Promise<void>
  /** Controls of the frame of every page, which one page presses for all. */
  readonly skips: (control: Control) => boolean
  readonly expected: (refusal: string) => boolean
  readonly isOver: () => boolean
}

interface Pressed {
  readonly faults: readonly Fault[]
  readonly pressed: number
}

const key = ({ kind, name }: Control): string => `${kind}\n${name}`
const shown = ({ kind, name }: Control): string => `${kind.split(' ')[0]} “${name}”`

/** How many dialogs and menus may open one from another. */
const deepest = 3

export async function walk(one: Walk): Promise<Pressed> {
  const { page, listener, where } = one
  const faults: Fault[] = []
  let pressed = 0
  let isFresh = false
  const note = async (control: string) => {
    for (const what of await listener.take(one.expected)) faults.push({ where, control, what })
    // An error panel that no answer explains.
    const panel = page.locator('.fault-panel').filter({ visible: true })
    if ((await panel.count()) > 0) {
      const what = `an error is shown: ${((await panel.first().textContent()) ?? '').replace(/\s+/g, ' ').slice(0, 160)}`
      faults.push({ where, control, what })
    }
  }
  const opened = async () => {
    await one.open()
    await calm(page, listener)
    isFresh = true
    openedAt = page.url()
    await noteOpening()
  }
  const noteOpening = async () => {
    await page
      .locator('h1')
      .filter({ visible: true })
      .first()
      .waitFor({ timeout: 6000 })
      .catch(() => {})
    writesAtOpening = listener.writes()
    entryAtOpening = (await page.evaluate('navigation.currentEntry.key')) as string
  }
  let [openedAt, writesAtOpening, entryAtOpening] = ['', 0, '']
  /** Closes what stands in front and goes back; after a write it leaves the page and enters it again. Else the page is loaded again. */
  const fresh = async () => {
    if (isFresh) return
    for (let tries = 0; tries < deepest && (await frontOf(page)) !== null; tries++) await page.keyboard.press('Escape')
    if (listener.writes() !== writesAtOpening) await enterAgain()
    else if (page.url() !== openedAt) await back()
    isFresh = page.url() === openedAt && (await frontOf(page)) === null
    if (!isFresh) await opened()
  }
  const enterAgain = async () => {
    const isConsole = await page.locator('#console nav').first().isVisible()
    if (!isConsole) return opened()
    const { pathname, search } = new URL(openedAt)
    for (const path of ['/nowhere', pathname + search]) {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`).catch(() => {})
      await calm(page, listener)
    }
    await noteOpening()
  }
  /** In the history of the tab, which keeps the page as it was; what replaced its address can only be opened again. */
  const back = async () => {
    const traversed = page.evaluate(`navigation.traverseTo('${entryAtOpening}').finished.then(() => {}, () => {})`)
    await traversed.catch(() => {})
    await page.waitForURL(openedAt, { timeout: 1000 }).catch(() => {})
    await calm(page, listener)
  }

  /** Presses what leads to the place, from a fresh page. False where the way is gone. */
  async function follow(way: readonly Control[]): Promise<boolean> {
    await fresh()
    for (const step of way) {
      const within = (await frontOf(page)) ?? page
      const again = (await controlsOf(within)).find((each) => key(each) === key(step))
      if (!again || !(await press(within, again))) return false
      await calm(page, listener, 3000)
      isFresh = false
    }
    return true
  }

  async function all(way: readonly Control[]): Promise<void> {
    if (!(await follow(way))) return
    const place = (await frontOf(page)) ?? page
    const controls = (await controlsOf(place)).filter((each) => way.length > 0 || !one.skips(each))
    for (const control of controls) {
      if (one.isOver()) return
      if (!(await follow(way))) return
      const within = (await frontOf(page)) ?? page
      const again = (await controlsOf(within)).find((each) => key(each) === key(control))
      if (!again) continue
      const [address, writes, before] = [page.url(), listener.writes(), await frontOf(page)]
      await listener.take(() => true)
      if (!(await press(within, again))) {
        isFresh = false
        continue
      }
      pressed++
      await calm(page, listener)
      await note([...way, control].map(shown).join(' → '))
      const front = await frontOf(page)
      const isUntouched = page.url() === address && listener.writes() === writes && front === null && before === null
      isFresh = isUntouched && way.length === 0
      if (front !== null && way.length < deepest && page.url() === address && (way.length === 0 || before === null))
        await all([...way, control])
    }
  }

  await opened()
  await note('opening the page')
  await all([])
  return { faults, pressed }
}
