/** The approval page where something stands in the way. */

import { createServer } from 'node:http'
import { words as approving } from '@countersign/console/approve/words.ts'
import causes from '@countersign/words/ko/causes.json' with { type: 'json' }
import enterKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk, refund } from '../support/pages-fixture.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { openBrowser } from './browser.ts'
import { readAll } from './reading.ts'

const words = approving.ko
let browser: Browser
let desk: Desk

beforeAll(async () => {
  ;[browser, desk] = [await openBrowser(), await openDesk()]
  await desk.policy()
})
afterAll(async () => {
  await browser?.close()
  await desk?.close()
})

async function opened(person: Person, id: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await desk.open(browser, `/approve/${id}`, options)
  await desk.signIn(page, person)
  return page
}

async function reading(name: string): Promise<{ page: Page; id: string; person: Person }> {
  const [person, id] = [await desk.person(name), await desk.record()]
  const page = await opened(person, id)
  await readAll(page)
  return { page, id, person }
}

const says = async (page: Page, ...texts: readonly string[]) => {
  for (const text of texts) await page.getByText(text).first().waitFor()
  expect(await violations(page)).toEqual([])
}

describe('somebody was faster', () => {
  it('and is named with the time; what was sent is said not to be recorded', async () => {
    const { page, id } = await reading('박서연')
    await desk.approveAs(await desk.person('김민준'), id)
    await page.locator('#approve').click()
    await says(page, words.fasterTitle, '김민준 님이', words.notKept)
    expect(await page.locator('.stamp svg').getAttribute('aria-label')).toContain('김민준')
    await page.context().close()
  })

  it('and is noticed when the person returns to the page', async () => {
    const { page, id } = await reading('박서연')
    await desk.approveAs(await desk.person('김민준'), id)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await says(page, words.fasterTitle)
    await page.context().close()
  })
})

it('two approvals: the first is told to wait, the second sees the first seal', async () => {
  await desk.policy({
    name: '두 사람',
    match: { actionTypes: ['dual.*'] },
    guards: { dualApproval: true },
    approval: { roles: ['ADMIN'] },
  })
  const id = await desk.record({ action: { ...refund.action, type: 'dual.pay', input: {} } })
  const first = await opened(await desk.person('박서연'), id)
  await readAll(first)
  await first.locator('#approve').click()
  await says(first, words.firstTitle)
  // The other person decides: there is nothing to try again.
  expect(await first.getByRole('button', { name: words.again }).count()).toBe(0)
  await first.reload()
  await says(first, words.mine)
  expect(await first.locator('#approve').count()).toBe(0)
  const second = await opened(await desk.person('김민준'), id)
  await readAll(second)
  expect(await second.locator('.seal-line .place svg').getAttribute('aria-label')).toContain('박서연')
  await second.locator('#approve').click()
  await second.locator('.stamp').waitFor()
  for (const page of [first, second]) await page.context().close()
})

it('a rule that changed while it was read is shown anew', async () => {
  const { page } = await reading('박서연')
  await desk.policy({ name: '새 정책' })
  await desk.tell()
  await page.locator('#approve').click()
  await says(page, causes['CONFLICT policies'])
  await page.getByText('새 정책').first().waitFor()
  await page.context().close()
})

it('a member whom the rule does not name is told so, and can still refuse', async () => {
  const page = await opened(await desk.person('담당자', 'INSTRUCTOR'), await desk.record())
  await readAll(page)
  await says(page, words.stopnotAllowed)
  expect(await page.locator('#approve').isDisabled()).toBe(true)
  await page.locator('.write').click()
  await page.locator('.act textarea').fill('근거가 없습니다.')
  await page.locator('#refuse').click()
  await page.locator('.stamp').waitFor()
  await page.context().close()
})

it('an expired decision, before and after its refusal is sealed, a replaced and a withdrawn one', async () => {
  await desk.policy({ name: '곧', match: { actionTypes: ['soon.*'] }, approval: { expiresAfterSeconds: 1 } })
  const action = { ...refund.action, type: 'soon.pay' }
  const id = await desk.record({ action })
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const page = await opened(await desk.person('박서연'), id)
  await says(page, words.expiredTitle)
  await desk.tell()
  await page.reload()
  await says(page, words.expiredTitle)
  const old = await desk.record()
  await desk.record({ replaces: old })
  await page.goto(`${desk.origin}/approve/${old}`)
  await says(page, words.replacedTitle)
  const asking = await desk.person('김하나', 'INSTRUCTOR')
  const withdrawn = await desk.record({ actor: { id: asking.actorId, type: 'human', name: '김하나' } })
  const { accessToken: token } = await desk.server.signIn(asking, desk.center.domain)
  await desk.server.call('POST', `/api/decisions/${withdrawn}/withdraw`, { token, body: {} })
  await page.goto(`${desk.origin}/approve/${withdrawn}`)
  await says(page, words.withdrawnTitle)
  await page.context().close()
})

it('a person of several centers says where to look; nobody else finds it', async () => {
  const other = await desk.server.world.center({ name: '바다센터' })
  const [person, id] = [await desk.person('박서연', 'ADMIN', other), await desk.record()]
  const page = await opened(person, id)
  await says(page, words.notFoundTitle)
  await desk.server.world.member(person, desk.center, 'INSTRUCTOR')
  const again = async () => {
    await page.reload()
    return page.locator('main').textContent()
  }
  await expect.poll(again, { timeout: 15_000 }).toContain('바다센터')
  await says(page, words.chooseTitle)
  await page.getByRole('button', { name: '하늘발달센터' }).click()
  await page.locator('#approve').waitFor()
  await page.goto(`${desk.origin}/approve/evt_nothing`)
  await page.getByRole('button', { name: '바다센터' }).click()
  await says(page, words.notFoundTitle)
  await page.context().close()
})

it('a parent has no right to decide', async () => {
  const page = await opened(await desk.person('보호자', 'PARENT'), await desk.record())
  await says(page, words.noRightTitle)
  await page.getByRole('button', { name: words.otherAccount }).click()
  await page.getByRole('heading', { name: enterKo.loginTitle }).waitFor()
  await page.context().close()
})

it('a session that ended asks to sign in again and keeps what was written', async () => {
  const { page, person } = await reading('박서연')
  await page.locator('.write').click()
  await page.locator('.act textarea').fill('그대로 둡니다.')
  await desk.server.world.query('update directory.sessions set revoked_at = now() where actor_id = $1', [
    person.actorId,
  ])
  await page.context().clearCookies()
  await page.locator('#approve').click()
  await says(page, words.sessionEnded)
  await page.getByRole('button', { name: words.signIn }).click()
  await desk.signIn(page, person)
  await page.locator('#approve').waitFor()
  expect(await page.locator('.act textarea').inputValue()).toBe('그대로 둡니다.')
  await page.context().close()
})

it('no connection and a slow one are told', async () => {
  const { page } = await reading('박서연')
  await page.context().setOffline(true)
  await page.locator('#approve').click()
  await says(page, words.stopnotSent)
  await page.context().setOffline(false)
  await page.route('**/api/auth/session/refresh', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 6000))
    await route.continue()
  })
  await page.reload()
  await page.getByText(words.slow).first().waitFor()
  await page.locator('#approve').waitFor()
  await page.route('**/api/decisions/**', (route) => route.abort())
  await page.reload()
  await says(page, words.offlineTitle)
  await page.context().close()
})

it('an action that is not the one of the digest cannot be approved', async () => {
  const [person, id] = [await desk.person('박서연'), await desk.record()]
  const page = await desk.open(browser, '/account')
  await page.route(`**/api/decisions/${id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('"amount":820000', '"amount":82000') })
  })
  await desk.signIn(page, person)
  await page.waitForURL('**/me')
  await page.goto(`${desk.origin}/approve/${id}`)
  await says(page, words.digestother)
  expect(await page.locator('#approve').isDisabled()).toBe(true)
  await page.context().close()
})

it('a page of another origin cannot show it in a frame', async () => {
  const id = await desk.record()
  const host = createServer((_, reply) => {
    reply.setHeader('content-type', 'text/html')
    reply.end(`<iframe src="${desk.origin}/approve/${id}" allow="publickey-credentials-get *"></iframe>`)
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const { port } = host.address() as { port: number }
  const page = await (await browser.newContext()).newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.waitForTimeout(500)
  const framed = page.frames().filter((frame) => frame !== page.mainFrame())
  expect(await Promise.all(framed.map((frame) => frame.locator('#page').count()))).toEqual([0])
  await page.context().close()
  host.closeAllConnections()
  await new Promise((resolve) => host.close(resolve))
})
