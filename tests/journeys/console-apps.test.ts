/** From the console to a learning application: one press, signed in there once, as the member and in the center that they were in. */
import { createServer, type Server } from 'node:http'
import ui from '@countersign/words/ko/ui.json' with { type: 'json' }
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let learning: Server
const asked: string[] = []

/** As an application of others does it: it redeems the token on its own server, and keeps it out of its address. */
async function openLearning(port: number): Promise<Server> {
  const server = createServer(async ({ url = '' }, response) => {
    const here = new URL(url, 'http://localhost')
    const token = here.searchParams.get('sso_token')
    if (!token) return void response.writeHead(404).end()
    asked.push(here.pathname)
    const redeemed = await fetch(`${desk.origin}/api/auth/sso/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, targetApp: 'lms' }),
    })
    const { data } = (await redeemed.json()) as { data?: { name: string; centerDomain: string } }
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(data ? `안녕하세요, ${data.name} (${data.centerDomain})` : 'no')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

beforeAll(async () => {
  const port = await freePort()
  desk = await openConsole({ LMS_URL: `http://localhost:${port}/c/{center}` })
  learning = await openLearning(port)
}, 180_000)
afterAll(async () => {
  await desk?.close()
  learning?.close()
})

it('a parent opens the learning application with one press, on a phone', { timeout: 120_000 }, async () => {
  const parent = await desk.person('한지우', 'PARENT')
  const page = await desk.visit(parent, `/c/${desk.center.domain}`, { width: 360, height: 780 })
  await settled(page)
  const link = page.getByRole('link', { name: ui.applms })
  const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await tab.getByText(`안녕하세요, 한지우 (${desk.center.domain})`).waitFor()
  expect(asked).toEqual([`/c/${desk.center.domain}`])
  // The token was used: the same address signs nobody in.
  await tab.reload()
  await tab.getByText('no', { exact: true }).waitFor()
  expect(await violations(page)).toEqual([])
})

it('an application that the center does not have is said to be none', { timeout: 60_000 }, async () => {
  const admin = await desk.person('박서연')
  const page = await desk.visit(admin, `/c/${desk.center.domain}/apps/erp`)
  await page.getByText(ui.appNone).waitFor()
  expect(await page.getByRole('link', { name: ui.apperp }).count()).toBe(0)
  expect(await violations(page)).toEqual([])
})
