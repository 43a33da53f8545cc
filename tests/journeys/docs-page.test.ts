/** The API reference in a real browser, and the SDK on its page, which has the origin of the API. */
import { operations } from '@countersign/contract/operations.ts'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../docs/blocks.ts'
import { exchange, statusesIn } from '../fuzz/raw-socket.ts'
import { openProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openBrowser } from './browser.ts'

let server: TestServer
let browser: Browser
let page: Page
const asked: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  server = await startServer()
  browser = await openBrowser()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.route('**', (route) => {
    asked.push(route.request().url())
    return new URL(route.request().url()).origin === server.url ? route.continue() : route.abort()
  })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  // The console does not report every violation, the document does. A library tests whether it may compile code from text
  // and works without it: that violation is expected.
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => event.blockedURI === 'eval' || console.error('refused by policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  )
  await page.goto(`${server.url}/docs`)
  await page.getByRole('heading', { name: 'Countersign', exact: true }).waitFor()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const sidebar = () => page.getByRole('complementary')

describe('the API reference', { timeout: 120_000 }, () => {
  it('has a title and a language', async () => {
    expect(await page.title()).toBe('Countersign API')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  it('shows every operation after opening the groups with the keyboard alone', async () => {
    for (const tag of new Set(operations.map(({ spec }) => spec.tag))) {
      const group = sidebar().getByRole('button', { name: `Group - ${tag}` })
      await group.waitFor()
      if ((await group.getAttribute('aria-expanded')) !== 'true') {
        await group.focus()
        await page.keyboard.press('Enter')
      }
    }
    for (const { spec } of operations) {
      await sidebar().getByText(spec.summary, { exact: true }).first().waitFor({ timeout: 10_000 })
    }
  })

  it('opens an operation by its address, with its example and its access rule', async () => {
    await page.goto(`${server.url}/docs#tag/decision-events/POST/api/v1/decision-events`)
    await page.getByText('An API key with the scope').first().waitFor()
    await page.getByText('"ai_recommendation"').first().waitFor()
  })

  it('is searchable with the keyboard alone', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Enter search query' }).waitFor()
    await page.keyboard.type('revoke a key', { delay: 20 })
    await page
      .getByRole('option', { name: /Revoke a key/ })
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/api-keys\/DELETE/i)
  })

  it('is reachable with Tab', async () => {
    await page.goto(`${server.url}/docs`)
    await page.getByRole('heading', { name: 'Countersign', exact: true }).waitFor()
    const seen = new Set<string>()
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      seen.add(await page.evaluate(`(document.activeElement?.outerHTML ?? '').slice(0, 300)`))
    }
    expect(seen.size).toBeGreaterThan(8)
  })

  it('loads nothing from another origin, and violates no content security policy', async () => {
    expect(asked.length).toBeGreaterThan(2)
    expect(asked.filter((url) => new URL(url).origin !== server.url && !url.startsWith('data:'))).toEqual([])
    expect(complaints).toEqual([])
  })
})

describe('the SDK in a page', () => {
  it('runs a guarded tool, after it has verified the proof', async () => {
    const bundle = await rolldown({
      input: 'sdk',
      platform: 'browser',
      resolve: { conditionNames: ['browser', 'import', 'default'] },
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === 'sdk' ? `${root}packages/sdk/in-a-page.ts` : null),
          load: (id) =>
            id.endsWith('in-a-page.ts') ? "export * from './index.ts'\nexport * from './guard.ts'\n" : null,
        },
      ],
    })
    const { output } = await bundle.generate({ format: 'iife', name: 'sdk' })
    const { key } = await openProofFixture(server)
    const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
    const program = `(async () => {
      ${output[0].code}
      const client = new sdk.Countersign({ baseUrl: location.origin, apiKey: ${JSON.stringify(key)} })
      const options = { client, policy: sdk.parsePolicy(${JSON.stringify(policy)}), agent: { id: 'page' }, withinMs: 0 }
      const add = sdk.guard({ action: 'sum.add', run: ({ a, b }) => a + b }, options)
      return [await add({ a: 2, b: 3 }, { callId: 'page-1' }), (await client.decisions.list()).pagination.total]
    })()`
    expect(await page.evaluate(program)).toEqual([5, 1])
  })
})

describe('the page of the API reference', () => {
  it.each(['/docs', '/docs/'])('allows at %s only scripts of its own origin, and no eval', async (path) => {
    const { status, headers } = await server.call('GET', path)
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/=]+';/)
    expect(policy).not.toContain('unsafe-eval')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  it.each(['[', 'a b', '', '%', '@', '//'])('works with the Host %j', async (host) => {
    for (const path of ['/docs', '/docs/']) {
      const received = await exchange(server.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect(statusesIn(received)).toEqual([200])
    }
  })

  it('serves none of the other files of the package', async () => {
    for (const path of ['/docs/assets', '/docs/assets/', '/docs/openapi.json']) {
      expect((await server.call('GET', path)).status).toBe(404)
    }
  })
})
