/** Names change, and what was sealed keeps the name of then: one's own, those an administrator corrects, and a center's. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import centerEn from '@countersign/words/en/center.json' with { type: 'json' }
import meEn from '@countersign/words/en/me.json' with { type: 'json' }
import centerKo from '@countersign/words/ko/center.json' with { type: 'json' }
import meKo from '@countersign/words/ko/me.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
const pictures = process.env.TEST_PICTURES_DIR

beforeAll(async () => {
  desk = await openConsole()
  await desk.policy()
}, 180_000)
afterAll(() => desk?.close())

async function look(page: Page, as: string): Promise<void> {
  await settled(page)
  expect(await violations(page)).toEqual([])
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${as}.png`), fullPage: true })
}

const ways = [
  ['ko', centerKo, meKo, 360],
  ['en', centerEn, meEn, 1440],
] as const

it.each(ways)(
  'in %s, a proof from before still shows the old name',
  { timeout: 180_000 },
  async (language, _, me, width) => {
    const person = await desk.person(`전이름 ${language}`)
    const event = await desk.record()
    await desk.approveAs(person, event)
    const reading = await desk.server.world.key(desk.center, { scopes: ['proof:read'] })
    const proof = async () =>
      (await desk.server.call('GET', `/api/v1/evidence/${event}/export`, { token: reading })).text
    const page = await desk.visit(person, '/me', { language, width })
    await page.getByLabel(me.name, { exact: true }).fill(`새이름 ${language}`)
    await page.locator('#person').getByRole('button', { name: me.save }).click()
    await page.getByText(me.saved).waitFor()
    await page.goto(`${desk.origin}/c/${desk.center.domain}/decisions?id=${event}`)
    await settled(page)
    await page.getByText(`전이름 ${language}`).filter({ visible: true }).first().waitFor()
    await page.getByRole('button', { name: `새이름 ${language}` }).waitFor()
    await look(page, `names-decision-${language}`)
    const exported = await proof()
    expect([exported.includes(`전이름 ${language}`), exported.includes(`새이름 ${language}`)]).toEqual([true, false])
    await page.context().close()
  },
)

it.each(ways)(
  'in %s, an administrator corrects the names of staff, of a child and of the center',
  { timeout: 180_000 },
  async (language, words, _, width) => {
    const center = await desk.server.world.center({ name: `옛센터 ${language}` })
    const admin = await desk.person(`원장 ${language}`, 'ADMIN', center)
    await desk.person(`틀린이름 ${language}`, 'INSTRUCTOR', center)
    const { accessToken: token } = await desk.server.signIn(admin, center.domain)
    const body = { name: `틀린아이 ${language}` }
    await desk.server.call('POST', `/api/centers/${center.domain}/children`, { token, body })
    const page = await desk.visit(admin, `/c/${center.domain}/members`, { language, width })
    const correct = async (from: string, to: string) => {
      await settled(page)
      await page.getByRole('link', { name: new RegExp(from) }).click()
      await page.getByLabel(words.newName, { exact: true }).fill(to)
      await page.getByRole('button', { name: words.saveName }).click()
      await page.getByText(words.nameSaved).waitFor()
      await page.getByRole('heading', { name: to }).waitFor()
    }
    await correct(`틀린이름 ${language}`, `한이안 ${language}`)
    await look(page, `names-member-${language}`)
    await page.goto(`${desk.origin}/c/${center.domain}/families`)
    await correct(`틀린아이 ${language}`, `정도윤 ${language}`)
    await look(page, `names-child-${language}`)
    await page.goto(`${desk.origin}/c/${center.domain}/settings`)
    await page.getByLabel(words.newName, { exact: true }).fill(`새센터 ${language}`)
    await page.getByRole('button', { name: words.saveName }).click()
    await page.getByText(words.nameSaved).waitFor()
    await look(page, `names-center-${language}`)
    const [row] = await desk.server.world.query('select name, domain from directory.centers where id = $1', [center.id])
    expect(row).toEqual({ name: `새센터 ${language}`, domain: center.domain })
    await page.context().close()
  },
)

it('no page has complained', () => {
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
