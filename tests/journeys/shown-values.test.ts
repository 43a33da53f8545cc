/**
 * Generated decisions on the approval page and in the console, on a phone and on a desktop: every value that the digest covers
 * is in the text of the page, and has been in view before the button approves. TEST_LONG=1 makes 300 of them.
 */

import { actionDigest } from '@countersign/proof/action-digest.ts'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { viewSize } from '@countersign/proof/decision-view.ts'
import { leavesOf, pathText, type Step, textOf } from '@countersign/proof/view-values.ts'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import { hostileTexts } from '../support/hostile.ts'
import { testSeed } from '../support/seed.ts'
import { readAll } from './reading.ts'

const count = process.env.TEST_LONG ? 300 : 20
/** A busy machine makes fewer of the sample. */
const mostMs = process.env.TEST_LONG ? Number.POSITIVE_INFINITY : 50_000

let desk: ConsoleDesk
beforeAll(async () => {
  desk = await openConsole()
  const when = [{ pointer: '/action/input/payment/won', op: 'gt', value: 500_000 }]
  await desk.policy({ name: '만든 결정', match: { actionTypes: ['made.*'], when } })
}, 180_000)
afterAll(() => desk?.close())

const word = fc.oneof(
  fc.constantFrom(
    '이하늘',
    'Ara Kim',
    'раypal',
    'שלום עולם',
    'a\u202eb',
    'x\u200by',
    '٨٢٠',
    'true',
    '',
    ' ',
    '"',
    '\\u{202e}',
    'a\nb',
  ),
  fc.constantFrom(...hostileTexts.filter((text) => !text.includes('\0'))),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\0', ' ')),
)
const long = fc
  .tuple(fc.constantFrom('가나다라 ', 'lorem ipsum ', 'شكرا ', '줄\n'), fc.integer({ min: 20, max: 200 }), word)
  .map(([text, times, end]) => text.repeat(times) + end)
const scalar = fc.oneof(
  word,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)
const key = fc
  .oneof(
    fc.constantFrom(
      'amount',
      'name',
      'a.b',
      'a/b',
      'a~b',
      '0',
      'аmount',
      '이름',
      '[1]',
      'to',
      'constructor',
      'x:y',
      ' ',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => text.replaceAll('\0', ' ')),
  )
  .filter((name) => name !== '__proto__')
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: long },
    { weight: 1, arbitrary: fc.array(tie('tree'), { maxLength: 4 }) },
    { weight: 2, arbitrary: fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }) },
  ),
}))
const many = fc
  .array(fc.tuple(key, scalar), { minLength: 20, maxLength: 90 })
  .map((pairs) => Object.fromEntries(pairs.map(([name, value], at) => [`${name}${at}`, value])))
const members = fc.oneof(
  { weight: 3, arbitrary: fc.dictionary(key, tree, { maxKeys: 8, noNullPrototype: true }) },
  { weight: 1, arbitrary: many },
)
const decision = fc.record({
  won: fc.integer({ min: 500_001, max: 2_000_000_000 }),
  input: members,
  output: fc.option(members, { nil: undefined }),
  description: fc.oneof(word, long),
  name: word,
  reason: fc.option(word, { nil: undefined }),
})

/**
 * The values and the places of what was sent, as this test computes them: not by the view that is tested. A list of short values
 * has its place once; its items follow with their numbers.
 */
const partsOf = (sent: { [name: string]: Json }): readonly (readonly string[])[] =>
  leavesOf(sent).flatMap(({ steps, value }) => {
    const isInput = steps[0] === 'action' && steps[1] === 'input' && steps.length > 2
    const place = steps.slice(2) as readonly Step[]
    const last = place.at(-1)
    const isItem = typeof last === 'number'
    const named = isItem ? ([pathText(place), pathText(place.slice(0, -1))] as const) : ([pathText(place)] as const)
    return [
      [textOf(value)],
      ...(isInput ? [named] : []),
      ...(isInput && isItem ? [[`${last + 1}${textOf(value)}`, pathText(place)] as const] : []),
    ]
  })

/** Whoever may write templates may mean it badly: another amount in the sentence, and labels that say something else. */
const words = fc.oneof(word, fc.constant('82,000원 환불')).map((text) => text.slice(0, 60) || '-')
const template = fc.record({
  name: fc.record({ ko: words, en: words }),
  sentence: fc.record({
    ko: words.map((text) => text.replaceAll(/[{}]/g, '')),
    en: fc.constant('Refund {/payment/to}'),
  }),
  labels: fc.record({ '/payment/won': fc.record({ ko: words, en: words }), '/amount': fc.record({ ko: words }) }),
})

/** Blanks are drawn as one, and lines as lines. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const views = [
  ['page', 390, 844],
  ['console', 1440, 900],
  ['page', 1440, 900],
  ['console', 390, 844],
] as const

/** In the console without loading it again. */
async function shown(page: Page, where: 'page' | 'console', id: string): Promise<void> {
  if (where === 'page') await page.goto(`${desk.origin}/approve/${id}`)
  else {
    const path = `/c/${desk.center.domain}/inbox?id=${id}`
    await page.evaluate(
      `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    )
  }
  await page.locator(`#approve[data-of="${id}"]`).waitFor()
}

it(`every value of ${count} generated decisions is on the page before the button approves`, async () => {
  const person = await desk.person('박서연')
  const pages = new Map<string, Page>()
  for (const [where, width, height] of views) {
    const path = where === 'console' ? `/c/${desk.center.domain}/inbox` : '/me'
    pages.set(`${where} ${width}`, await desk.visit(person, path, { width, height }))
  }
  const { accessToken: token } = await desk.server.signIn(person, desk.center.domain)
  const made = fc.sample(decision, { numRuns: count, seed: testSeed() })
  const templates = fc.sample(template, { numRuns: count, seed: testSeed() })
  const until = Date.now() + mostMs
  let seen = 0
  for (const [at, { won, input, output, description, name, reason }] of made.entries()) {
    if (Date.now() > until) break
    seen++
    // Another template for every fifth; what is refused leaves the one before.
    if (at % 5 === 2) await desk.server.call('PUT', '/api/action-types/made.up', { token, body: templates[at] })
    const [where, width] = views[at % views.length] as (typeof views)[number]
    const page = pages.get(`${where} ${width}`) as Page
    const sent = {
      type: 'ai_recommendation',
      actor: { id: 'agent-7', type: 'ai_agent', ...(name !== '' && { name }) },
      action: {
        type: 'made.up',
        description,
        input: { ...input, payment: { won, to: name } },
        ...(output && { output }),
      },
      ...(reason !== undefined && { reason }),
    }
    const id = await desk.record({ ...sent, aiContext: undefined, riskScore: undefined, reason, tags: undefined })
    const { data } = (await desk.server.call('GET', `/api/decisions/${id}`, { token })).body
    // What was sent is what the digest covers.
    expect(actionDigest(data.actionSalt, sent)).toBe(data.actionDigest)
    await shown(page, where, id)
    const text = await page.evaluate<string>(
      `(document.querySelector('article.sheet') ?? document.querySelector('main')).textContent`,
    )
    const missing = partsOf(sent as never).filter((ways) => !ways.some((part) => plain(text).includes(plain(part))))
    expect([at, canonical(sent as never), missing]).toEqual([at, canonical(sent as never), []])
    // Nothing hides a value: each has a place with a height, and none is folded.
    const hidden = await page.evaluate<number>(
      `[...document.querySelectorAll('[data-v]')].filter((each) => !each.checkVisibility() || each.getBoundingClientRect().height < 8).length`,
    )
    expect([at, hidden]).toEqual([at, 0])
    const tracked = await page.locator('[data-v]').count()
    expect([at, tracked]).toEqual([at, leavesOf(sent as never).length])
    if (tracked > 12) expect(await page.locator('.read-bar.all').count()).toBe(0)
    // Both pages in both sizes, in turn.
    if (Math.floor(at / views.length) % 5 === 0) {
      await readAll(page)
      expect([at, await page.locator('#approve').isEnabled()]).toEqual([at, viewSize(sent as never).fits])
    }
    expect(await page.evaluate('globalThis.hit')).toBeUndefined()
  }
  expect(seen).toBeGreaterThanOrEqual(views.length)
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
}, 1_800_000)
