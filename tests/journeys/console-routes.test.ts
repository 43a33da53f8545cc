/**
 * Every address of the console that an area lists: no violation that axe finds, no text that is cut at 320 pixels or at 200 % zoom,
 * no complaint of the browser, no request to another host, and no markup of what records say: the center holds texts that would do
 * harm as markup. Every other address runs in light and Korean, the rest in dark and English; in CI half of them each day. TEST_LONG=1
 * runs all four views (`-t 'every address'`, minutes) and all texts (`-t 'all texts'`, an hour).
 */
import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled, type View } from '../support/console.ts'
import { hostileTexts } from '../support/hostile.ts'
import { markupOfContent, type Planted, plant } from '../support/hostile-center.ts'
import { misfits } from '../support/layout.ts'
import { some } from '../support/some.ts'
import { hasTurn } from '../support/turn.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

interface Address {
  readonly path: string
  /** The role of the person in the center or of an account of a partner, or OPERATOR; null without a session. */
  readonly as: string | null
}

const views: readonly View[] = [
  { theme: 'light', language: 'ko' },
  { theme: 'dark', language: 'en' },
  { theme: 'dark', language: 'ko' },
  { theme: 'light', language: 'en' },
]
const viewsOf = (at: number) => (process.env.TEST_LONG ? views : views.slice(at % 2, (at % 2) + 1))

const root = new URL('../../', import.meta.url).pathname
const addresses: Address[] = []
for (const file of globSync('apps/console/areas/*/addresses.ts', { cwd: root }).sort()) {
  addresses.push(...((await import(root + file)) as { addresses: readonly Address[] }).addresses)
}

let desk: ConsoleDesk
let planted: Planted
const pages = new Map<string | null, Page>()

beforeAll(async () => {
  desk = await openConsole({ MAX_POLICIES_PER_CENTER: '1000', MAX_INVITATIONS_PER_CENTER: '1000' })
  const people = { admin: await desk.person('관리자'), teacher: await desk.person('김선생', 'INSTRUCTOR') }
  planted = await plant(desk, desk.center, people, some(hostileTexts, 2).slice(0, 2))
  expect(planted.taken).toBeGreaterThan(20)
}, 180_000)
afterAll(() => desk?.close())

/** A role in the center, of an account of a partner, or of the platform. */
async function personOf(role: string): Promise<Person> {
  if (role === 'OPERATOR') return desk.server.world.person({ operator: true })
  if (!role.startsWith('PARTNER_')) return desk.person('박서연', role)
  const { world } = desk.server
  const person = await world.person()
  await world.account(person, await world.partner(), role)
  return person
}

async function pageOf(role: string | null): Promise<Page> {
  const found = pages.get(role)
  if (found) return found
  const person = role === null ? null : await personOf(role)
  const page = await desk.visit(person, role === null ? '/login' : '/me')
  pages.set(role, page)
  return page
}

describe('every address', { timeout: process.env.TEST_LONG ? 300_000 : 60_000 }, () => {
  let found = 0

  const numbered = addresses.map((each, at) => ({ ...each, at }))
  // Two neighbors have different views: each half of the addresses has both.
  const chosen = numbered.filter(({ at }) => hasTurn(at >> 1, 2))
  it.skip.each(numbered.filter((each) => !chosen.includes(each)))('$path as $as runs on another day', () => {})
  it.each(chosen)('$path as $as', async ({ path, as, at }) => {
    const page = await pageOf(as)
    await page.goto(desk.origin + path.replace('{center}', desk.center.domain))
    for (const view of viewsOf(at)) {
      await restyle(page, view)
      expect([view, await violations(page), await misfits(page)]).toEqual([view, [], []])
      expect(await page.evaluate(markupOfContent)).toEqual({ elements: [], hit: null })
      found++
    }
    expect([desk.complaints, desk.foreign]).toEqual([[], []])
    if (process.env.TEST_LONG)
      process.stdout.write(`${at + 1} of ${addresses.length} addresses, ${found} views: ${path}\n`)
  })
})

it('what the texts became has no markup where it is opened', async () => {
  const page = await pageOf('ADMIN')
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  // One of each kind.
  const kinds = new Map(planted.addresses.map((path) => [path.replace(/[^?/]*$/, ''), path]))
  for (const path of kinds.values()) {
    await page.goto(`${desk.origin}/c/${desk.center.domain}${path}`)
    await settled(page)
    expect([path, await page.evaluate(markupOfContent)]).toEqual([path, { elements: [], hit: null }])
  }
  expect([dialogs, desk.complaints, desk.foreign]).toEqual([[], [], []])
}, 120_000)

const inOneCenter = 25
const openedOfKind = 5

it.runIf(process.env.TEST_LONG)(
  'all texts in the lists of every page, and some of each kind opened',
  async () => {
    const own = addresses.filter(({ as, path }) => as === 'ADMIN' && path.startsWith('/c/{center}/'))
    for (let at = 0; at < hostileTexts.length; at += inOneCenter) {
      const texts = hostileTexts.slice(at, at + inOneCenter)
      const place = await desk.server.world.center({ name: texts[0] ?? '' })
      const people = {
        admin: await desk.person(texts[1] ?? '', 'ADMIN', place),
        teacher: await desk.person(texts[2] ?? '', 'INSTRUCTOR', place),
      }
      const { addresses: made, taken } = await plant(desk, place, people, texts)
      expect(taken).toBeGreaterThan(10 * texts.length)
      const page = await desk.visit(people.admin, '/me')
      const lists = own.map(({ path }) => path.replace('/c/{center}', ''))
      const opened = [...Map.groupBy(made, (path) => path.replace(/[^?/]*$/, '')).values()].flatMap((each) =>
        each.filter((_, index) => index % Math.ceil(each.length / openedOfKind) === 0),
      )
      for (const path of [...lists, ...opened]) {
        await page.goto(`${desk.origin}/c/${place.domain}${path}`)
        await settled(page)
        expect([path, at, await page.evaluate(markupOfContent)]).toEqual([path, at, { elements: [], hit: null }])
      }
      expect([at, desk.complaints, desk.foreign]).toEqual([at, [], []])
      process.stdout.write(`${at + texts.length} texts on ${lists.length + opened.length} pages\n`)
      await page.context().close()
    }
  },
  7_200_000,
)
