/** The inbox of the console: two approvers at once, and hostile content. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import { hostileTexts } from '../support/hostile.ts'
import { refund } from '../support/pages-fixture.ts'
import { some } from '../support/some.ts'

let desk: ConsoleDesk
const address = (path: string): string => `/c/${desk.center.domain}${path}`

beforeAll(async () => {
  desk = await openConsole({ MAX_POLICIES_PER_CENTER: '1000' })
  await desk.policy({ name: '알림', match: { actionTypes: ['notice.*'] } })
}, 180_000)
afterAll(() => desk?.close())

it('of two approvers at once, one seals, and the other reads who was faster and when', async () => {
  const id = await desk.record({ action: { ...refund.action, type: 'notice.send' } })
  const people = [await desk.person('김민준'), await desk.person('이도윤')]
  const pages = await Promise.all(people.map((person) => desk.visit(person, address(`/inbox?id=${id}`))))
  const buttons = pages.map((page) => page.getByRole('button', { name: '승인하고 봉인' }))
  await Promise.all(buttons.map((button) => button.waitFor()))
  await Promise.all(buttons.map((button) => button.click()))
  const told = await Promise.all(
    pages.map(async (page) => {
      await page.locator('.inbox-told').waitFor()
      return (await page.locator('.inbox-told').textContent()) ?? ''
    }),
  )
  const winner = told.findIndex((text) => text.includes('승인을 봉인했습니다.'))
  expect(winner).toBeGreaterThanOrEqual(0)
  const other = told[1 - winner]
  expect(other).toContain('먼저 결정되었습니다')
  expect(other).toMatch(new RegExp(`${['김민준', '이도윤'][winner]} 님이 .*(오전|오후) .*에 승인하고 봉인했습니다`))
  await Promise.all(pages.map((page) => page.context().close()))
}, 60_000)

/** The elements of the sheet, with the names of their attributes, without what they say and without drawn names. */
const skeleton = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const copy = document.querySelector('article.sheet').cloneNode(true)
    for (const svg of copy.querySelectorAll('svg')) svg.replaceChildren()
    const tree = (element) => [
      element.tagName,
      ...[...element.attributes].map(({ name }) => name).filter((name) => !['title', 'width', 'height'].includes(name)),
      ...[...element.children].map(tree),
    ]
    return JSON.stringify(tree(copy))
  })()`)

it('a record never becomes markup, whatever it says', { timeout: 1_800_000 }, async () => {
  const reader = await desk.person('한지우')
  const page = await desk.visit(reader, '/me')
  const { accessToken: token } = await desk.server.signIn(reader, desk.center.domain)
  const views = async (text: string) => {
    const type = `hostile.${newUuid()}`
    const key = text === '__proto__' ? `key ${text}` : text
    await desk.policy({ name: text, description: text, match: { actionTypes: [type] } })
    const id = await desk.record({
      actor: { id: text, type: 'ai_agent', name: text },
      action: { type, description: text, input: { [key]: text, list: [text] }, output: { deep: { [key]: [text] } } },
      aiContext: { ...refund.aiContext, model: text, provider: text, reasoning: text },
      reason: text,
      tags: [[...text].slice(0, 50).join('')],
    })
    await desk.server.call('POST', `/api/decisions/${id}/comments`, { token, body: { text } })
    const seen: string[] = []
    for (const path of [`/inbox?id=${id}`, `/decisions?id=${id}`]) {
      await page.goto(desk.origin + address(path))
      await page.locator('.sentence').waitFor()
      seen.push(await skeleton(page))
    }
    expect([text, await page.evaluate('globalThis.hit')]).toEqual([text, undefined])
    return seen
  }
  const plain = await views('조용한 글')
  for (const text of some(hostileTexts, 3)) expect([text, ...(await views(text))]).toEqual([text, ...plain])
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
