/** `countersign login` on a terminal: a person creates the key in the browser, and pastes it where nobody sees it. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import uiKo from '@countersign/words/ko/developers.json' with { type: 'json' }
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countersign, main } from '../../packages/cli/test/program.ts'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { inTerminal } from './terminal.ts'

let desk: ConsoleDesk
let person: Person
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  desk = await openConsole()
  person = await desk.person('박서연')
  folder = mkdtempSync(join(tmpdir(), 'command-login-'))
  // Stands for the program that opens a browser.
  writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\nprintf %s "$1" > "$OPENED"\n')
  chmodSync(join(folder, 'xdg-open'), 0o755)
  env = {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    HOME: folder,
    COUNTERSIGN_CONFIG: join(folder, 'profiles.json'),
    OPENED: join(folder, 'opened'),
    LANG: 'C.UTF-8',
  }
}, 180_000)
afterAll(async () => {
  await desk?.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (args: string) => inTerminal(`'${process.execPath}' '${main}' ${args}`, { cwd: folder, env })

it('goes from the terminal through the browser to a profile, and the key is never shown', async () => {
  const terminal = run(`login --base-url ${desk.origin}`)
  await terminal.shows('Paste the key here')
  await expect.poll(() => existsSync(env.OPENED as string)).toBe(true)
  const address = readFileSync(env.OPENED as string, 'utf8')
  expect(terminal.output()).toContain(address)
  const page = await desk.visit(person, address.slice(desk.origin.length))
  await page.waitForURL(`**/c/${desk.center.domain}/developers/keys?**`)
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel(uiKo.keyName).inputValue()).toMatch(/^countersign on /)
  expect(await dialog.locator('input:checked').count()).toBe(4)
  await dialog.getByRole('button', { name: uiKo.addKey }).click()
  const key = (await page.locator('.dev-secret code').textContent()) as string
  terminal.type(`${key}\r`)
  expect(await terminal.ended).toBe(0)
  expect(terminal.output()).toContain(`Signed in to ${desk.origin} as profile default.`)
  expect(terminal.output()).not.toContain(key)
  const who = await countersign(['whoami', '--json'], { env })
  expect(JSON.parse(who.out)).toMatchObject({ baseUrl: desk.origin, center: expect.stringMatching(/\/c\/\d+$/) })
  await page.context().close()
}, 120_000)

it('ends with Ctrl+C, and saves nothing', async () => {
  const terminal = run(`login --base-url ${desk.origin} --profile other`)
  await terminal.shows('Paste the key here')
  terminal.type('csk_live_half\u0003')
  expect(await terminal.ended).toBe(130)
  expect(readFileSync(env.COUNTERSIGN_CONFIG as string, 'utf8')).not.toContain('other')
}, 60_000)

it('keys opens the form for an agent, and creates nothing that would be refused', async () => {
  const terminal = run('keys "Refund bot" --scopes decide,no.such')
  expect(await terminal.ended).toBe(0)
  const address = /http\S+/.exec(terminal.output())?.[0] ?? ''
  const page = await desk.visit(person, address.slice(desk.origin.length))
  const dialog = page.getByRole('dialog')
  const create = dialog.getByRole('button', { name: uiKo.addKey })
  await dialog.getByText(uiKo.missingAgent).waitFor()
  expect(await create.isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: uiKo.keyActor }).fill('refund-agent')
  await create.click()
  await page.locator('.dev-secret').waitFor()
  await page.context().close()
}, 120_000)
