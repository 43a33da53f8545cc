/**
 * Pages of the documentation, drawn by the seed, at two widths: axe finds nothing, nothing scrolls sideways, nothing is cut off.
 * All pages with TEST_LONG=1. With TEST_PICTURES=<pattern> those whose address matches, and `.dev/pictures/docs` has them.
 */
import { mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite } from '../docs/site.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { some } from '../support/some.ts'
import { violations } from './axe.ts'
import { openBrowser } from './browser.ts'

const folder = new URL('../../.dev/pictures/docs', import.meta.url).pathname
const { TEST_PICTURES: wanted } = process.env
const widths = [1440, 390] as const

let server: TestServer
let browser: Browser
let page: Page
let addresses: readonly string[] = []
beforeAll(async () => {
  const { pages } = await openSite()
  addresses = [...pages.keys()].toSorted()
  server = await startServer()
  browser = await openBrowser()
  page = await browser.newPage()
  mkdirSync(folder, { recursive: true })
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function faultsOf(address: string, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 })
  await page.goto(server.url + address)
  await page.evaluate('document.fonts.ready')
  const beyond = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  if (wanted) {
    const name = address.replace(/^\//, '').replaceAll('/', '-')
    await page.screenshot({ path: `${folder}/${name}-${width}.png` })
  }
  const found = await violations(page)
  return [...(beyond > 0 ? [`scrolls ${beyond} pixels sideways`] : []), ...found].map(
    (each) => `${address} ${width}: ${each}`,
  )
}

it('pages are readable for all, on a desktop and a phone, in both languages', { timeout: 3_600_000 }, async () => {
  expect(addresses.length).toBeGreaterThan(250)
  const chosen = wanted ? addresses.filter((each) => new RegExp(wanted).test(each)) : some(addresses, 6)
  const faults: string[] = []
  for (const address of chosen) for (const width of widths) faults.push(...(await faultsOf(address, width)))
  expect(faults).toEqual([])
})
