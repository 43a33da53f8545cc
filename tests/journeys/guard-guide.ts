/** The guide "An agent that asks a person": its commands and programs, from an empty folder, with the packed packages. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { words as approving } from '@countersign/console/approve/words.ts'
import centerEn from '@countersign/words/en/center.json' with { type: 'json' }
import meEn from '@countersign/words/en/me.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { versions } from '../../packages/sdk/test/agents/packages.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { type Desk, openDesk } from '../support/pages-fixture.ts'
import type { Person } from '../support/world.ts'
import { openBrowser } from './browser.ts'
import { readAll } from './reading.ts'
import { inBackground, inShell, plainEnvironment } from './shell.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const words = approving.en
const english = { locale: 'en-US' }
const blocks = blocksOf(read('docs/guides/guard.md'))
const programs = blocks.filter(({ language }) => language === 'ts')
const [rule = '', key = '', install = '', start = '', verify = ''] = blocks.flatMap(({ language, text }) =>
  language === 'sh' ? [text] : [],
)

/** Runs the whole guide. `tarballs` replaces the names of our packages in `npm install`. */
export async function followGuardGuide(tarballs: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-guide-'))
  const browser = await openBrowser()
  const desk = await openDesk()
  try {
    const [admin, approver] = [await desk.person('Dana Park'), await desk.person('Ian Lee')]
    const { accessToken } = await desk.server.signIn(admin, desk.center.domain)
    const env = plainEnvironment({ TOKEN: accessToken })
    const here = (text: string) => text.replaceAll('http://localhost:3000', desk.origin)
    const began = performance.now()

    const installing = install.replace(
      '@countersign/sdk @countersign/cli ai zod',
      `--prefer-offline ${tarballs} ${versions.filter((each) => /^(ai|zod)@/.test(each)).join(' ')}`,
    )
    expect(installing).not.toBe(install)
    const printed = await inShell(
      { folder, env },
      here(`{ ${rule}} >&2\n${key}\nprintf '%s %s' "$COUNTERSIGN_KEY" "$COUNTERSIGN_CENTER"`),
    )
    const [COUNTERSIGN_KEY = '', COUNTERSIGN_CENTER = ''] = printed.split(' ')
    const shell = { folder, env: { ...env, COUNTERSIGN_KEY, COUNTERSIGN_CENTER } }
    await inShell(shell, here(installing))
    for (const { label, text } of programs) writeFileSync(join(folder, label), here(text))

    const agent = inBackground(shell, `exec ${start}`)
    await agent.shows('waits: ', 30_000)
    const [address = ''] = /http:\S+\/approve\/evt_\w+/.exec(agent.output()) ?? []
    const page = await desk.open(browser, address, english)
    await registerOnTheWay(desk, page, approver)
    await confirm(desk, await desk.open(browser, '/account/members', english), admin)
    await page.goto(address)
    await readAll(page)
    await page.locator('#approve').click()
    await page.locator('.stamp').waitFor()

    await agent.shows('Refunded 820000 won for order 1041', 60_000)
    expect(await inShell(shell, start)).toMatch(/An earlier attempt already ran this call: succeeded/)
    await browser.close()
    await desk.server.close()
    const verdict = await inShell(shell, verify)
    expect(verdict).toMatch(
      /proof\.json: verified[\s\S]*a passkey registered to Ian Lee .* signed exactly this approval/,
    )
    expect(performance.now() - began).toBeLessThan(5 * 60_000)
  } finally {
    await browser.close()
    await desk.close().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
}

async function registerOnTheWay(desk: Desk, page: Page, approver: Person): Promise<void> {
  await addAuthenticator(page)
  await desk.signIn(page, approver)
  await readAll(page)
  await page.getByRole('button', { name: words.approvePasskey }).click()
  await page.getByRole('link', { name: words.addPasskey }).click()
  await page.getByRole('button', { name: meEn.passkeyAdd }).click()
  await page.getByRole('button', { name: meEn.stepSignDo }).click()
  await page.getByText(meEn.passkeyDone).waitFor()
  await desk.server.services.passkeyOutbox.deliver()
}

async function confirm(desk: Desk, page: Page, admin: Person): Promise<void> {
  await desk.signIn(page, admin)
  const item = page.locator('li', { hasText: 'Ian Lee' })
  await item.getByRole('button', { name: centerEn.confirmPasskey }).click()
  await item.waitFor({ state: 'detached' })
}

/** The lines of the program that guards the agent, without empty ones. */
export const linesOfTheUser = (): number =>
  programs
    .find(({ label }) => label === 'agent.mts')
    ?.text.split('\n')
    .filter((line) => line.trim()).length ?? 0
