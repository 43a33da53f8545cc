/**
 * Every address of the console that an area lists, in both themes and languages: no violation that axe finds, no text that
 * is cut at 320 pixels or at 200 % zoom, no complaint of the browser, no request to another host. Every other address runs in light and Korean, the rest in dark and
 * English; TEST_LONG=1 runs all four.
 */
import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, type View } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
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
  ...(process.env.TEST_LONG
    ? ([
        { theme: 'dark', language: 'ko' },
        { theme: 'light', language: 'en' },
      ] as const)
    : []),
]

const root = new URL('../../', import.meta.url).pathname
const addresses: Address[] = []
for (const file of globSync('apps/console/areas/*/addresses.ts', { cwd: root }).sort()) {
  addresses.push(...((await import(root + file)) as { addresses: readonly Address[] }).addresses)
}

let desk: ConsoleDesk
const pages = new Map<string | null, Page>()

beforeAll(async () => {
  desk = await openConsole()
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

it.each(addresses.map((each, at) => ({ ...each, at })))('$path as $as', async ({ path, as, at }) => {
  const page = await pageOf(as)
  await page.goto(desk.origin + path.replace('{center}', desk.center.domain))
  for (const view of process.env.TEST_LONG ? views : views.slice(at % 2, (at % 2) + 1)) {
    await restyle(page, view)
    expect([view, await violations(page), await misfits(page)]).toEqual([view, [], []])
  }
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
