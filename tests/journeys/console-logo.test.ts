/** A logo: chosen as a file, refused with the reason, seen before it is saved, taken back, removed; and shown to everybody. */
import { deflateSync } from 'node:zlib'
import { chunk, pngSignature } from '@countersign/server/lib/png.ts'
import logo from '@countersign/words/ko/logo.json' with { type: 'json' }
import ui from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
beforeAll(async () => {
  desk = await openConsole()
}, 180_000)
afterAll(() => desk?.close())

/** Stripes, wider than the server takes. */
function picture(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const line = Buffer.alloc(1 + width * 3)
  for (let at = 1; at < line.length; at++) line[at] = at % 240 < 120 ? 30 : 200
  const lines = Buffer.concat(Array.from({ length: height }, () => line))
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
const shown = (page: Page) => page.locator('.logo-field .logo-shown img')

async function current(): Promise<string> {
  const { body } = await desk.server.call('GET', `/api/whitelabel/${desk.center.domain}/config`)
  return body.data.branding.logo
}

it('of a center, by its administrator', { timeout: 180_000 }, async () => {
  const admin = await desk.person('박서연')
  const page = await desk.visit(admin, `/c/${desk.center.domain}/branding`)
  await settled(page)
  await page.getByText(logo.none).waitFor()
  await choose(page, 'logo.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'))
  await page.getByRole('alert').getByText(logo.faultsvg).waitFor()
  await choose(page, 'logo.png', 'image/png', Buffer.from('%PDF-1.7'))
  await page.getByRole('alert').getByText(logo.faulttype).waitFor()
  await choose(page, 'logo.png', 'image/png', picture(40, 20).subarray(0, 60))
  await page.getByRole('alert').getByText(logo.faultbroken).waitFor()

  await choose(page, 'logo.png', 'image/png', picture(1600, 400))
  await shown(page).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await expect
    .poll(() =>
      page.evaluate(
        "(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.querySelector('.logo-shown img'))",
      ),
    )
    .toEqual([512, 128])
  expect(await current()).toBe('')
  for (const [language, width] of [
    ['ko', 1440],
    ['en', 1440],
    ['ko', 390],
    ['en', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await restyle(page, { language })
    if (process.env.TEST_PICTURES) await page.screenshot({ path: `/tmp/pages-pics/logo-${language}-${width}.png` })
    expect(await misfits(page)).toEqual([])
    expect(await violations(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await restyle(page, { language: 'ko' })
  await page.getByRole('button', { name: ui.save, exact: true }).click()
  await page.locator('.done-line').getByRole('button', { name: ui.undo }).waitFor()
  expect(await current()).toMatch(/^\/assets\/logos\/[0-9a-f]{64}\.png$/)
  await page.locator('.done-line').getByRole('button', { name: ui.undo }).click()
  await page.getByText(ui.undone).waitFor()
  await page.getByText(logo.none).waitFor()
  expect(await current()).toBe('')

  await choose(page, 'logo.png', 'image/png', picture(100, 100))
  await shown(page).waitFor()
  await page.getByRole('button', { name: ui.save, exact: true }).click()
  await expect.poll(current).not.toBe('')
  await page.goto(`${desk.origin}/c/${desk.center.domain}/decisions/print`)
  await settled(page)
  expect(await page.locator('.paper-logo').isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  await page.locator('.paper-logo').waitFor()
  await page.emulateMedia({ media: 'screen' })
  await page.goto(`${desk.origin}/c/${desk.center.domain}/branding`)
  await page.getByRole('button', { name: logo.remove }).click()
  await page.getByRole('button', { name: ui.save, exact: true }).click()
  await expect.poll(current).toBe('')
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
})

it('of what a partner gives its new centers', { timeout: 120_000 }, async () => {
  const partner = await desk.server.world.partner('white_label')
  const person = await desk.person('최은희', 'INSTRUCTOR')
  await desk.server.world.account(person, partner, 'PARTNER_ADMIN')
  const page = await desk.visit(person, '/p/settings')
  await settled(page)
  await choose(page, 'logo.png', 'image/png', picture(64, 64))
  await shown(page).waitFor()
  await page.locator('form.partner-form').getByRole('button', { name: ui.save, exact: true }).click()
  const stored = () =>
    desk.server.world.query(
      `select settings #>> '{newCenters,branding,logo}' as logo from directory.partners where id = $1`,
      [partner.id],
    )
  await expect.poll(async () => (await stored())[0]?.logo).toMatch(/^\/assets\/logos\//)
  await page.reload()
  await shown(page).waitFor()
  await page.context().close()
})
