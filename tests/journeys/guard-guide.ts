/** The guide "An agent that asks a person": its commands and programs, from an empty folder, with the packed packages. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { words as approving } from '@countersign/console/approve/words.ts'
import meEn from '@countersign/words/en/me.json' with { type: 'json' }
import uiEn from '@countersign/words/en/ui.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { versions } from '../../packages/sdk/test/agents/packages.ts'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { type Desk, openDesk } from '../support/pages-fixture.ts'
import type { Person } from '../support/world.ts'
import { openBrowser } from './browser.ts'
import { beginHour } from './hour.ts'
import { readAll } from './reading.ts'
import { inBackground, inShell, plainEnvironment } from './shell.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const words = approving.en
const english = { locale: 'en-US' }
const blocks = blocksOf(read('docs/guides/guard.md'))
const programs = blocks.filter(({ language }) => language === 'ts')
const [rule = '', key = '', pack = '', install = '', start = '', verify = '', passkey = ''] = blocks.flatMap(
  ({ language, text }) => (language === 'sh' ? [text] : []),
)

/** Follows the whole guide from an empty folder: a session approves first, then a passkey. */
export async function followGuardGuide(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-guide-'))
  const browser = await openBrowser()
  const desk = await openDesk()
  try {
    const [admin, approver] = [await desk.person('Dana Park'), await desk.person('Ian Lee')]
    const { accessToken } = await desk.server.signIn(admin, desk.center.domain)
    const env = plainEnvironment({ TOKEN: accessToken })
    const here = (text: string) => text.replaceAll('http://localhost:3000', desk.origin)
    const hour = beginHour('An AI SDK agent, approved by session, then by passkey')

    const variables = ['POLICY', 'COUNTERSIGN_URL', 'COUNTERSIGN_API_KEY', 'COUNTERSIGN_CENTER']
    const printed = await hour.step('policy and key', () =>
      inShell({ folder, env }, here(`${rule}\n${key}\necho "${variables.map((name) => `$${name}`).join(' ')}"`)),
    )
    const values = printed.trim().split(' ')
    const own = Object.fromEntries(variables.map((name, at) => [name, values[at] ?? '']))
    const shell = { folder, env: { ...env, ...own } }
    await hour.step('npm run pack', () => inShell({ folder: root, env }, inPlace(pack, '../my-agent', folder)))
    const named = versions.filter((each) => /^(ai|zod)@/.test(each)).join(' ')
    await hour.step('npm install', () => inShell(shell, here(inPlace(install, 'ai zod', `--prefer-offline ${named}`))))
    for (const { label, text } of programs) writeFileSync(join(folder, label), here(text))

    const agent = inBackground(shell, `exec ${start}`)
    const page = await hour.step('the agent asks', async () => {
      await agent.shows('waits: ', 30_000)
      return desk.open(browser, addressIn(agent.output()), english)
    })
    await hour.step('a session approves', async () => {
      await desk.signIn(page, approver)
      await approve(page)
      await agent.shows('Refunded 820000 won for order 1041', 60_000)
    })
    expect(await inShell(shell, start)).toContain('Refunded 820000 won for order 1041')
    const first = await hour.step('verify', () => inShell(shell, verify))
    expect(first).toMatch(/proof\.json: verified[\s\S]*Ian Lee .* was signed in/)

    const second = inBackground(shell, here(passkey))
    await hour.step('a passkey is registered and confirmed', async () => {
      await second.shows('waits: ', 30_000)
      await page.goto(addressIn(second.output()))
      await registerOnTheWay(desk, page)
      await confirm(desk, await desk.open(browser, '/account/members', english), admin)
    })
    await hour.step('the passkey approves', async () => {
      await page.goto(addressIn(second.output()))
      await approve(page)
      await second.shows('Refunded 820000 won for order 1041', 60_000)
    })
    await browser.close()
    await desk.server.close()
    const last = await hour.step('verify without the server', () => inShell(shell, verify))
    expect(last).toMatch(/proof\.json: verified[\s\S]*a passkey registered to Ian Lee .* signed exactly this approval/)
    expect(hour.end()).toBeLessThan(5 * 60)
  } finally {
    await browser.close()
    await desk.close().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
}

export const addressIn = (text: string): string => /http:\S+\/approve\/evt_\w+/.exec(text)?.[0] ?? ''

export function inPlace(command: string, of: string, value: string): string {
  expect(command).toContain(of)
  return command.replace(of, value)
}

export async function approve(page: Page): Promise<void> {
  await readAll(page)
  await page.locator('#approve').click()
  await page.locator('.stamp').waitFor()
}

export async function registerOnTheWay(desk: Desk, page: Page): Promise<void> {
  await addAuthenticator(page)
  await readAll(page)
  await page.getByRole('button', { name: words.approvePasskey }).click()
  await page.getByRole('link', { name: words.addPasskey }).click()
  await page.getByRole('button', { name: meEn.passkeyAdd }).click()
  await page.getByRole('button', { name: meEn.stepSignDo }).click()
  await page.getByText(meEn.passkeyDone).waitFor()
  await desk.server.services.passkeyOutbox.deliver()
}

export async function confirm(desk: Desk, page: Page, admin: Person): Promise<void> {
  await desk.signIn(page, admin)
  const item = page.locator('.tray .item', { hasText: 'Ian Lee' })
  await item.click()
  await page.getByRole('button', { name: uiEn.checkSame }).click()
  await item.waitFor({ state: 'detached' })
}

/** The lines of the program that guards the agent, without empty ones. */
export const linesOfTheUser = (): number =>
  programs
    .find(({ label }) => label === 'agent.mts')
    ?.text.split('\n')
    .filter((line) => line.trim()).length ?? 0
