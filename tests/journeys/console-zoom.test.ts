/**
 * The console at 200 % zoom of a screen of 1440 x 900: no violation that axe finds; and nothing scrolls sideways on a page of 320. A
 * sample by the seed, every address with TEST_LONG=1.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { some } from '../support/some.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { listedAddresses } from './pressing/states.ts'

const zoomed = { width: 720, height: 450, options: { deviceScaleFactor: 2 } }
const addresses = await listedAddresses()
const inCi = 8

let desk: ConsoleDesk
const pages = new Map<string | null, Page>()

beforeAll(async () => {
  desk = await openConsole()
  await desk.policy()
  await desk.record()
}, 180_000)
afterAll(() => desk?.close())

async function personOf(role: string): Promise<Person> {
  const { world } = desk.server
  if (role === 'OPERATOR') return world.person({ operator: true })
  if (!role.startsWith('PARTNER_')) return desk.person('박서연', role)
  const person = await world.person()
  await world.account(person, await world.partner(), role)
  return person
}

async function pageOf(role: string | null): Promise<Page> {
  const page =
    pages.get(role) ??
    (await desk.visit(role === null ? null : await personOf(role), role === null ? '/login' : '/me', zoomed))
  pages.set(role, page)
  return page
}

describe('at 200 % zoom', { timeout: 90_000 }, () => {
  it(
    'a sample of the addresses is readable, and none scrolls sideways at 320',
    async () => {
      for (const { path, as } of some(addresses, inCi)) {
        const page = await pageOf(as)
        await page.setViewportSize({ width: zoomed.width, height: zoomed.height })
        await page.goto(desk.origin + path.replace('{center}', desk.center.domain))
        await settled(page)
        expect([path, await page.evaluate('devicePixelRatio'), await violations(page)]).toEqual([path, 2, []])
        await page.setViewportSize({ width: 320, height: 640 })
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: `${path} at 320` })
          .toBeLessThanOrEqual(320)
      }
    },
    process.env.TEST_LONG ? 1_800_000 : 90_000,
  )
})
