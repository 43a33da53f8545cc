/** The pages at a width of 360 with touch: text that people can read, and targets that a finger hits. */
import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { tooSmall } from '../support/layout.ts'
import type { Person } from '../support/world.ts'

interface Address {
  readonly path: string
  readonly as: string | null
}

const root = new URL('../../', import.meta.url).pathname
const addresses: Address[] = []
for (const file of globSync('apps/console/areas/*/addresses.ts', { cwd: root }).sort()) {
  addresses.push(...((await import(root + file)) as { addresses: readonly Address[] }).addresses)
}
const phone = { width: 360, height: 740, options: { hasTouch: true, isMobile: true } }

let desk: ConsoleDesk
let eventId: string
const pages = new Map<string | null, Page>()

beforeAll(async () => {
  desk = await openConsole()
  await desk.policy()
  eventId = await desk.record()
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
    (await desk.visit(role === null ? null : await personOf(role), role === null ? '/login' : '/me', phone))
  pages.set(role, page)
  return page
}

describe('on a phone, text has 14 px and targets have 44', { timeout: 60_000 }, () => {
  const approval: Address = { path: '/approve/{event}', as: 'ADMIN' }
  const request: Address = { path: '/c/{center}/inbox?id={event}', as: 'ADMIN' }
  it.each([...addresses, approval, request, { path: '/verify', as: null }])('$path as $as', async ({ path, as }) => {
    const page = await pageOf(as)
    await page.goto(desk.origin + path.replace('{center}', desk.center.domain).replace('{event}', eventId))
    await settled(page)
    expect(await page.evaluate('matchMedia("(pointer: coarse)").matches')).toBe(true)
    const found = (await page.evaluate(tooSmall)) as string[]
    expect(found).toEqual([])
  })
})

describe('the line of words', { timeout: 90_000 }, () => {
  const outside = `(() => {
    const width = document.documentElement.clientWidth
    return [...document.querySelectorAll('.top a, .top button')]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > width)
      .map((each) => each.textContent)
  })()`

  it.each([
    ['en', 1440],
    ['ko', 1440],
    ['en', 1024],
    ['ko', 360],
    ['en', 360],
  ] as const)(
    'in %s at %d: words without room are behind the last one, whatever the names',
    async (language, width) => {
      const long = await desk.server.world.center({ name: '가나다라마바사아자차카타파하 발달 지원 센터 서울 본점' })
      const person = await desk.person('Wolfeschlegelsteinhausenbergerdorff-Montgomery', 'ADMIN', long)
      const page = await desk.visit(person, `/c/${long.domain}/today`, { language, width, height: 800 })
      await settled(page)
      await page.evaluate('document.fonts.ready')
      const words = page.locator('.top-nav > a')
      const more = page.getByRole('button', { name: language === 'ko' ? '더 보기' : 'More', exact: true })
      await more.waitFor()
      expect(await page.evaluate(outside)).toEqual([])
      const main = ['today', 'inbox', 'decisions', 'bookings', 'members', 'policies', 'attendance-today']
      const hrefs = await words.evaluateAll((all) => all.map((each) => each.getAttribute('href')?.split('/').at(-1)))
      expect(hrefs).toEqual(main.filter((each) => hrefs.includes(each)))
      expect(hrefs.length).toBeGreaterThanOrEqual(width === 1440 ? (language === 'ko' ? 7 : 5) : width === 1024 ? 2 : 3)
      await more.click()
      await page.getByRole('menuitem', { name: language === 'ko' ? '센터 설정' : 'Center settings' }).waitFor()
      const behind = await page.getByRole('menuitem').count()
      expect(hrefs.length + behind).toBeGreaterThanOrEqual(18)
      // The last word is reached, also where the menu is longer than the screen.
      await page.getByRole('menuitem').last().click()
      await page.waitForURL(`**/c/${long.domain}/**`)
      expect(await page.evaluate(outside)).toEqual([])
      await page.context().close()
    },
  )
})
