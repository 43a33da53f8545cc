/**
 * What people take along and what they ask the product: a decision and a list on paper, the certificate of a proof, the audit in
 * sentences, and the help of a page. The text of every PDF is read back.
 */
import { writeFileSync } from 'node:fs'
import { checkNumber } from '@countersign/proof/check-number.ts'
import type { BuiltEntry } from '@countersign/proof/test/arbitraries.ts'
import { anchored, passkeyPolicyText } from '@countersign/proof/test/log.ts'
import { approvalBy, decisionBy, keys, threeKeys } from '@countersign/proof/test/passkeys.ts'
import type { Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { useSingleKeys } from './keyboard.ts'
import { choose, trust } from './verifier-browser.ts'

let desk: ConsoleDesk
let director: Person
const at = (path: string): string => `/c/${desk.center.domain}${path}`
const shots = process.env.PAPER_SHOTS
const shot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

beforeAll(async () => {
  desk = await openConsole()
  director = await desk.person('박서연')
  await desk.policy({ approval: { identity: 'session', roles: ['ADMIN'], expiresAfterSeconds: 86_400 } })
}, 180_000)
afterAll(() => desk?.close())

/** Spaces differ by how a page was broken into lines. */
async function paperOf(page: Page, name: string): Promise<{ readonly text: string; readonly pages: number }> {
  const bytes = await page.pdf({ format: 'A4', preferCSSPageSize: true })
  if (shots) writeFileSync(`${shots}/${name}.pdf`, bytes)
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(pdf, { mergePages: true })
  return { text: text.normalize('NFKC').replaceAll(/\s+/g, ''), pages: pdf.numPages }
}
const tight = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, '')

async function sealed(person: Person): Promise<string> {
  const id = await desk.record()
  await desk.approveAs(person, id)
  return id
}

it('a decision on paper has its sentence, its values, who approved it, and how to check it', async () => {
  const id = await sealed(director)
  const page = await desk.visit(director, at(`/decisions?id=${id}`), { theme: 'dark' })
  await page.locator('[data-check=intact][data-status=yes]').waitFor()
  await page.getByRole('button', { name: '인쇄', exact: true }).waitFor()
  expect(await violations(page)).toEqual([])
  const { accessToken: token } = await desk.server.signIn(director, desk.center.domain)
  const { body } = await desk.server.call('GET', `/api/decisions/${id}`, { token })
  const hash = body.data.evidence.chainHash.slice('sha256:'.length) as string
  const { text } = await paperOf(page, 'decision')
  for (const said of ['환불', '820,000', '박서연', hash, `확인번호${checkNumber(hash)}`, `/verify/${id}`]) {
    expect(text).toContain(tight(said))
  }
  // What belongs to the screen alone.
  for (const not of ['증명내려받기', '결정으로돌아가기', '로그아웃']) expect(text).not.toContain(not)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.evaluate(`getComputedStyle(document.body).backgroundColor`)).toBe('rgb(255, 255, 255)')
  await shot(page, 'decision-print')
  await page.context().close()
})

it('the certificate of a proof is offered where it holds, in both languages or in one, and printed alone', async () => {
  const id = await sealed(director)
  const page = await desk.visit(director, at(`/decisions?id=${id}`))
  await page.locator('[data-check=intact][data-status=yes]').waitFor()
  await page.getByRole('button', { name: '확인서' }).click()
  const paper = page.locator('.certificate')
  const number = (await paper.getAttribute('data-number')) as string
  expect(number).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/)
  expect(await violations(page, { dialog: true })).toEqual([])
  await shot(page, 'certificate')
  const { text, pages } = await paperOf(page, 'certificate')
  for (const said of [number, '결정 확인서', 'Certificate of a sealed decision', '증명하지 않는 것', '/verify']) {
    expect(text).toContain(tight(said))
  }
  expect(text).not.toContain('증명내려받기')
  expect(pages).toBe(1)
  await page.getByLabel('확인서 언어').selectOption('ko')
  expect(await paper.textContent()).not.toContain('Certificate of a sealed decision')
  await page.setViewportSize({ width: 360, height: 780 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await page.context().close()
})

it('a list on paper has every found decision once, whole rows, its filters in words, and numbered pages', async () => {
  for (let count = 0; count < 34; count++) {
    await desk.record({ action: { type: 'refund.pay', input: { amount: 600_000 + count } } })
  }
  const page = await desk.visit(director, at('/decisions?waiting=true'))
  await settled(page)
  await page.getByRole('link', { name: '목록 인쇄' }).click()
  await page.locator('table.paper-list').waitFor()
  const count = Number(await page.locator('table.paper-list').getAttribute('data-count'))
  expect(count).toBe(34)
  expect(await violations(page)).toEqual([])
  const { text, pages } = await paperOf(page, 'list')
  expect(pages).toBeGreaterThan(1)
  expect(text).toContain(tight(`결정 ${count}건`))
  expect(text).toContain('대기')
  for (let each = 0; each < 34; each++) expect(text.split((600_000 + each).toLocaleString('en')).length).toBe(2)
  expect(text).toContain(`1/${pages}`)
  await shot(page, 'list')
  await page.context().close()
})

it('the audit tells who changed what, from what to what, and by one person', async () => {
  const { server, center } = desk
  const teacher = await desk.person('박지호', 'INSTRUCTOR')
  const { accessToken: token } = await server.signIn(director, center.domain)
  const members = await server.call('GET', `/api/centers/${center.id}/members?limit=100`, { token })
  const found = members.body.data.find((each: { name: string }) => each.name === '박지호')
  const { status, text } = await server.call('PATCH', `/api/memberships/${found.id}`, {
    token,
    body: { role: 'ADMIN' },
  })
  expect([status, text]).toEqual([200, text])
  for (const language of ['ko', 'en'] as const) {
    const page = await desk.visit(director, at('/audit'), { language, width: 360, height: 780 })
    await page.locator('.audit-entry').first().waitFor()
    const first = page.locator('.audit-entry', { hasText: language === 'ko' ? '역할을' : 'role from' }).first()
    expect(await first.locator('p').first().textContent()).toMatch(
      language === 'ko'
        ? /^박서연 님이 박지호 님의 역할을 .+에서 관리자로 변경했습니다\./
        : /^박서연 changed 박지호’s role from .+ to Administrator\./,
    )
    expect(await violations(page)).toEqual([])
    expect(await misfits(page)).toEqual([])
    await shot(page, `audit-${language}`)
    await first.getByRole('button', { name: /박서연/ }).click()
    await page.waitForURL(/who=/)
    await page.locator('.audit-entry').first().waitFor()
    await settled(page)
    const doers = await page.locator('.audit-who').allTextContents()
    expect(new Set(doers).size).toBe(1)
    await page.context().close()
  }
  expect(teacher.actorId).toBeTruthy()
})

it('the help says what this page is for, and lists the keys that work on it and no others', async () => {
  const page = await desk.visit(director, at('/decisions'))
  await useSingleKeys(page)
  await settled(page)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog')
  await help.getByRole('heading', { name: '결정', exact: true }).waitFor()
  expect(await help.textContent()).toContain('이름, 금액, 번호')
  expect(await help.textContent()).not.toContain('우리 아이')
  expect(await help.locator('kbd').allTextContents()).toEqual(expect.arrayContaining(['J', 'K', '/', '?']))
  expect(await violations(page, { dialog: true })).toEqual([])
  await shot(page, 'help')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(desk.origin + at('/audit'))
  await restyle(page, { theme: 'dark', language: 'en' })
  await page.locator('button.person').click()
  await page.getByRole('menuitem', { name: 'Help for this page' }).click()
  await help.getByRole('heading', { name: 'Audit log' }).waitFor()
  await help.getByText('This page has no shortcuts of its own.').waitFor()
  expect(await violations(page, { dialog: true })).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await shot(page, 'help-phone')
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
})

it('the page on the disk makes a certificate of a proof that holds, and none of one that was altered or that nobody vouches for', async () => {
  const context = await desk.browser.newContext({ locale: 'ko-KR', viewport: { width: 360, height: 780 } })
  await context.setOffline(true)
  const page = await context.newPage()
  await page.goto(new URL('../../apps/verifier/dist/verify.html', import.meta.url).href)
  const bindings = threeKeys()
  const signed = anchored(decisionBy(approvalBy('act_ada', keys.ada, bindings.at(-1) as BuiltEntry), bindings))
  const offered = page.locator('#certify')
  await choose(page, signed)
  expect(await offered.count()).toBe(0)
  await trust(page, passkeyPolicyText)
  await offered.waitFor()
  expect(await violations(page)).toEqual([])
  await page.locator('#alter').click()
  expect(await offered.count()).toBe(0)
  await page.locator('#restore').click()
  await offered.click()
  const number = (await page.locator('.certificate').getAttribute('data-number')) as string
  expect(number).toBe(checkNumber((signed.evidence.chain as { readonly hash: string }).hash))
  expect(await page.locator('.certificate-seals li').getAttribute('data-level')).toBe('passkey')
  expect(await violations(page)).toEqual([])
  expect(await misfits(page)).toEqual([])
  await page.setViewportSize({ width: 1000, height: 1200 })
  await shot(page, 'verifier-certificate')
  const { text, pages } = await paperOf(page, 'verifier-certificate')
  for (const said of [number, '결정 확인서', 'Certificate of a sealed decision', '패스키로 서명', '증명하지 않는 것']) {
    expect(text).toContain(tight(said))
  }
  expect(pages).toBe(1)
  await page.locator('#back').click()
  await page.locator('#verdict').waitFor()
  await context.close()
})
