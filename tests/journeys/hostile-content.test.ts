/** Content of records never becomes markup: on the pages of people, and in the mails about waiting decisions. */
import { shown } from '@countersign/proof/shown.ts'
import { textOf } from '@countersign/proof/view-values.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import { compose } from '@countersign/server/mail/compose.ts'
import { mailHtml } from '@countersign/server/mail/html.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostileTexts } from '../support/hostile.ts'
import { type Desk, openDesk, refund } from '../support/pages-fixture.ts'
import { some } from '../support/some.ts'
import { openBrowser } from './browser.ts'
import { readAll } from './reading.ts'

let browser: Browser
let desk: Desk

beforeAll(async () => {
  ;[browser, desk] = [await openBrowser(), await openDesk({ MAX_POLICIES_PER_CENTER: '1000' })]
})
afterAll(async () => {
  await browser?.close()
  await desk?.close()
})

/**
 * The elements of the page, with their attributes, without what they say and without the drawing of a name. Warnings about
 * letters and the cut of a long text are ours: they depend on a text and are elements of one kind. A headline has a few values.
 */
const skeleton = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const copy = document.documentElement.cloneNode(true)
    for (const svg of copy.querySelectorAll('svg')) svg.replaceChildren()
    for (const ours of copy.querySelectorAll('.warned, .unfold')) ours.remove()
    for (const heading of copy.querySelectorAll('h1')) {
      const tags = new Set([...heading.querySelectorAll('*')].map((each) => each.tagName))
      heading.replaceChildren(...[...tags].map((tag) => document.createElement(tag)))
    }
    const said = ['aria-label', 'href', 'title', 'width', 'height', 'viewBox', 'class', 'download', 'open', 'id', 'for', 'aria-describedby', 'data-v', 'data-of', 'data-done', 'style']
    const tree = (element) => [
      element.tagName,
      ...[...element.attributes].map(({ name }) => name).filter((name) => !said.includes(name)),
      ...[...element.children].map(tree),
    ]
    return JSON.stringify(tree(copy))
  })()`)

/** A decision, its rule, a comment and the approver, all of which say this. */
async function everywhere(text: string) {
  // A type of its own, so that no policy of another text matches.
  const type = `hostile.${newUuid()}`
  // The API refuses this one as a key.
  const key = text === '__proto__' ? `key ${text}` : text
  await desk.policy({ name: text, description: text, match: { actionTypes: [type] } })
  const id = await desk.record({
    actor: { id: text, type: 'ai_agent', name: text },
    action: { type, description: text, input: { [key]: text, list: [text] }, output: { deep: { [key]: [text] } } },
    aiContext: { ...refund.aiContext, model: text, provider: text, reasoning: text },
    reason: text,
    tags: [[...text].slice(0, 50).join('')],
  })
  const person = await desk.person(text)
  return { id, person }
}

async function views(text: string): Promise<readonly { skeleton: string; said: string }[]> {
  const { id, person } = await everywhere(text)
  const page = await desk.open(browser, `/approve/${id}`)
  await desk.signIn(page, person)
  await page.getByText('질문하기').click()
  await page.locator('details textarea').fill(text)
  await page.locator('details form button').click()
  await page.locator('.comments li').waitFor()
  const view = async () => ({
    skeleton: await skeleton(page),
    said: (await page.evaluate('document.body.textContent')) as string,
  })
  const open = await view()
  await readAll(page)
  await page.locator('.write').click()
  await page.locator('.act textarea').fill(text)
  await page.locator('#approve').click()
  await page.locator('.stamp').waitFor()
  const closed = await view()
  expect(await page.evaluate('globalThis.hit')).toBeUndefined()
  await page.context().close()
  return [open, closed]
}

it('a page has the same elements whatever a record says, and shows every character', {
  timeout: 1_800_000,
}, async () => {
  const plain = await views('조용한 글')
  for (const text of some(hostileTexts, 4)) {
    const hostile = await views(text)
    expect([text, ...hostile.map((view) => view.skeleton)]).toEqual([text, ...plain.map((view) => view.skeleton)])
    // A text of several lines is shown in its lines where it has room, and escaped where it has not.
    for (const { said } of hostile) expect(said).toContain(shown(text))
    expect(hostile[0]?.said).toContain(textOf(text))
  }
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})

it('a mail has the same lines and links whatever the center is called', () => {
  expect(hostileTexts).toHaveLength(200)
  const origin = 'https://auth.example'
  for (const language of ['ko', 'en'] as const) {
    const mailOf = (text: string) => {
      const facts = { centerName: text, shown: [{ url: `${origin}/approve/evt_1` }], total: 1 }
      const notice = compose({ mail: 'decisionsWait', facts }, language)
      return { ...notice, html: mailHtml(notice, [origin], { name: text, color: text }) }
    }
    const tagsOf = (html: string) => html.match(/<\/?[a-z][^\s>]*/gi)
    const plain = mailOf('조용한 글')
    for (const text of hostileTexts) {
      const { subject, text: body, html } = mailOf(text)
      expect([text, body.split('\n').length]).toEqual([text, plain.text.split('\n').length])
      expect([text, /[\r\n]/.test(subject)]).toEqual([text, false])
      expect([text, tagsOf(html)]).toEqual([text, tagsOf(plain.html)])
      expect([text, html.match(/href="[^"]*"/g)]).toEqual([text, [`href="${origin}/approve/evt_1"`]])
      expect([text, /(?!\n)[\p{Cc}\p{Cf}]/u.test(html)]).toEqual([text, false])
    }
  }
})
