/** One layout: the name of every page that an area lists begins at one of a few edges, on a wide screen and a small one. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { listedAddresses } from './pressing/states.ts'

const addresses = await listedAddresses()

/** Where a list or a page begins, where the sheet beside a list does, and where the form of an entry does. */
const edges = [
  [1440, [20, 412, 924]],
  [1024, [20, 352, 612]],
] as const

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
    pages.get(role) ?? (await desk.visit(role === null ? null : await personOf(role), role ? '/me' : '/login'))
  pages.set(role, page)
  return page
}

/** Not a number while a page that loads anew draws its heading again. */
const edgeOf = (heading: Locator): Promise<number> =>
  heading.boundingBox({ timeout: 2000 }).then(
    (box) => Math.round(box?.x ?? Number.NaN),
    () => Number.NaN,
  )

describe('the first heading stands at an edge of the layout', { timeout: 60_000 }, () => {
  it.each(addresses)('$path as $as', async ({ path, as }) => {
    const page = await pageOf(as)
    await page.goto(desk.origin + path.replace('{center}', desk.center.domain))
    const heading = page.locator('h1, h2').filter({ visible: true }).first()
    for (const [width, allowed] of edges) {
      await page.setViewportSize({ width, height: 900 })
      await expect
        .poll(() => edgeOf(heading), { message: `an edge at ${width}`, timeout: 20_000 })
        .toBeOneOf([...allowed])
    }
  })
})
