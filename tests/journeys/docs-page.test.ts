/** The documentation in a real browser, and the SDK on its page, which has the origin of the API. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDocs } from '../../tools/build-docs.ts'
import { root } from '../docs/blocks.ts'
import { exchange, statusesIn } from '../fuzz/raw-socket.ts'
import { openProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { violations } from './axe.ts'
import { openBrowser } from './browser.ts'

let server: TestServer
let browser: Browser
let page: Page
const asked: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  await buildDocs()
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
  // The console does not report every violation, the document does.
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => console.error('refused by policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  )
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const open = (path: string) => page.goto(server.url + path)
const title = () => page.locator('h1').first().textContent()

describe('the documentation', { timeout: 120_000 }, () => {
  it.each([
    ['/docs', 'en', 'light', 1280],
    ['/docs/ko', 'ko', 'dark', 390],
    ['/docs/tutorials/guard', 'en', 'dark', 1280],
    ['/docs/ko/guides/webhooks', 'ko', 'light', 390],
    ['/docs/reference/settings', 'en', 'light', 390],
    ['/docs/operation/one-machine', 'en', 'dark', 390],
    ['/docs/ko/reference/api/decision-events', 'ko', 'dark', 1280],
  ] as const)('shows %s in %s, %s, at a width of %i, readable for all', async (path, language, theme, width) => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: theme })
    await open(path)
    await page.locator(`html[lang=${language}][data-theme=${theme}]`).waitFor({ state: 'attached' })
    expect(await title()).toBeTruthy()
    await page.evaluate('document.fonts.ready')
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
  })

  it('finds an error code with the keyboard alone, and opens its place', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await open('/docs')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('policy_violation')
    await page.getByRole('link', { name: /Errors \/ POLICY_VIOLATION/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/reference\/errors#policy_violation$/)
  })

  it('finds Korean words without their endings', async () => {
    await open('/docs/ko')
    await page.keyboard.press('/')
    await page.keyboard.type('멱등')
    await page.locator('docs-search ol a').first().waitFor()
    expect(await page.locator('docs-search ol .where').allTextContents()).not.toEqual([])
    await page.keyboard.type('없는말')
    await page.getByText('검색 결과가 없습니다.').waitFor()
    await page.keyboard.press('Escape')
  })

  it('opens the same page in the other language', async () => {
    await open('/docs/reference/errors')
    await page.locator('starlight-lang-select select').first().selectOption({ label: '한국어' })
    await page.waitForURL(/\/docs\/ko\/reference\/errors$/)
  })

  it('lets the keyboard reach a block that a late font makes wide', async () => {
    const late = await browser.newPage({ viewport: { width: 390, height: 900 } })
    await late.route('**/jetbrains-mono*/**', async (route) => {
      await sleep(2000)
      await route.continue()
    })
    await late.goto(`${server.url}/docs/operation/one-machine`)
    await late.evaluate('document.fonts.ready')
    const unreachable = `[...document.querySelectorAll('pre')].filter((each) => each.scrollWidth > each.clientWidth && each.tabIndex < 0).length`
    await expect.poll(() => late.evaluate(unreachable)).toBe(0)
    await late.close()
  })

  it('copies a command without its prompt', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
    await open('/docs/operation/versions')
    const block = page.locator('.block', { has: page.locator('.language-console') }).first()
    await block.hover()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    const [first = ''] = String(await page.evaluate('navigator.clipboard.readText()')).split('\n')
    expect(first).not.toBe('')
    expect((await block.locator('pre').textContent())?.split('\n')[0]).toBe(`$ ${first}`)
  })

  it('loads nothing from another origin, and violates no content security policy', async () => {
    expect(asked.length).toBeGreaterThan(20)
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
    await open('/docs')
    const { key, center } = await openProofFixture(server)
    const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
    const program = `(async () => {
      ${output[0].code}
      const client = new sdk.Countersign({ baseUrl: location.origin, apiKey: ${JSON.stringify(key)} })
      const options = { client, trust: ${JSON.stringify(policy)}, center: ${center.id}, agent: { id: 'page' } }
      const add = sdk.guard({ action: 'sum.add', run: ({ a, b }) => a + b }, options)
      return [await add({ a: 2, b: 3 }, { callId: 'page-1' }), (await client.decisions.list()).pagination.total]
    })()`
    expect(await page.evaluate(program)).toEqual([5, 1])
  })
})

describe('the answers of /docs', () => {
  it('allow only scripts and styles of their own origin', async () => {
    for (const path of ['/docs', '/docs/ko', '/docs/ko/reference/errors']) {
      const { status, headers } = await server.call('GET', path)
      expect(status).toBe(200)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; ")
      expect(policy).toContain("trusted-types 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
  })

  it.each(['[', 'a b', '', '%', '@', '//'])('work with the Host %j', async (host) => {
    const get = (path: string) =>
      exchange(server.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(statusesIn(await get('/docs'))).toEqual([200])
    const redirect = await get('/docs/')
    expect([statusesIn(redirect), /^location: (.*)\r$/m.exec(redirect)?.[1]]).toEqual([[308], '/docs'])
  })

  it('lead from an address with a slash at its end to the one without it', async () => {
    for (const [path, to] of [
      ['/docs/', '/docs'],
      ['/docs/ko/', '/docs/ko'],
      ['/docs/guides/policies/', '/docs/guides/policies'],
      ['/docs/ko/reference/api/agents/', '/docs/ko/reference/api/agents'],
    ] as const) {
      const { status, headers } = await server.call('GET', path)
      expect([status, headers.get('location')]).toEqual([308, to])
    }
  })

  it('are kept by browsers: pages until they change, files of the build for ever', async () => {
    const first = await fetch(`${server.url}/docs/guides/policies`)
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    const tag = first.headers.get('etag') as string
    const again = await fetch(first.url, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const [, file = ''] = /"(\/docs\/_astro\/[^"]+\.css)"/.exec(await first.text()) ?? []
    expect((await fetch(server.url + file)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it('have the Markdown of a page beside it, and a list of all pages', async () => {
    const markdown = await fetch(`${server.url}/docs/guides/policies.md`)
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await markdown.text()).toMatch(/^# Policies and approvals\n/)
    for (const path of ['/llms.txt', '/docs/llms.txt']) {
      const answer = await fetch(server.url + path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
      expect(await answer.text()).toContain('](/docs/guides/policies.md)')
    }
    expect(await (await fetch(`${server.url}/llms-full.txt`)).text()).toContain('\nSource: /docs/guides/policies\n')
  })

  it.each([
    '/docs/none',
    '/docs/built-from',
    '/docs/index.html',
    '/docs/_astro',
    '/docs/..%2fdist/llms.txt',
    '/docs/_astro/../llms.html',
  ])('are 404 for %s', async (path) => {
    expect(
      statusesIn(await exchange(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)),
    ).toEqual([404])
  })
})
