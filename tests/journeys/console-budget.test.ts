/**
 * Budgets of the console with the demo data, for a machine that does nothing else: TEST_LONG=1. The first page at a quarter of the
 * processor, and the requests of a person who works for TEST_MINUTES (ten) while agents record decisions.
 */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, seedDemo } from '../../tools/demo-data.ts'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { refund } from '../support/pages-fixture.ts'

const minutes = Number(process.env.TEST_MINUTES ?? 10)
const mostRequests = 40
const everyMs = 6000

const told = (what: string, figures: object): void => {
  process.stdout.write(`${what}: ${JSON.stringify({ ...figures, load: loadavg()[0]?.toFixed(1) })}\n`)
}

describe.runIf(process.env.TEST_LONG)('the console with demo data', () => {
  let desk: ConsoleDesk
  let demo: Demo
  let key: string
  const home = () => `/c/${demo.centers[0]?.domain}`

  beforeAll(async () => {
    desk = await openConsole()
    demo = await seedDemo(desk.server.services.config)
    const { id = 0, domain = '' } = demo.centers[0] ?? {}
    key = await desk.server.world.key({ id, domain }, { scopes: ['proof:write'] })
  }, 300_000)
  afterAll(() => desk?.close())

  const visit = (path: string): Promise<Page> => {
    const { email = '', password = '' } = demo.accounts.admin ?? {}
    return desk.visit({ actorId: '', email, password }, path)
  }

  it('paints its largest content within 2 s at a quarter of the processor', async () => {
    const page = await visit(`${home()}/inbox`)
    await settled(page)
    const tools = await page.context().newCDPSession(page)
    await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await tools.send('Network.enable')
    await tools.send('Network.setCacheDisabled', { cacheDisabled: true })
    for (const path of ['/today', '/inbox', '/decisions', '/bookings']) {
      const scripts = new Set<string>()
      let bytes = 0
      const isScript = (event: { requestId: string; type: string }) => {
        if (event.type === 'Script') scripts.add(event.requestId)
      }
      const loaded = (event: { requestId: string; encodedDataLength: number }) => {
        if (scripts.has(event.requestId)) bytes += event.encodedDataLength
      }
      tools.on('Network.responseReceived', isScript)
      tools.on('Network.loadingFinished', loaded)
      await page.goto(desk.origin + home() + path)
      await settled(page)
      const paint = await page.evaluate(`new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(Math.round(list.getEntries().at(-1).startTime)))
          .observe({ type: 'largest-contentful-paint', buffered: true })
      })`)
      tools.off('Network.responseReceived', isScript)
      tools.off('Network.loadingFinished', loaded)
      told(`largest paint of ${path}`, { ms: paint, scriptKB: Math.round(bytes / 1024) })
      expect(paint).toBeLessThan(2000)
    }
    await page.context().close()
  }, 300_000)

  it('has no task above 50 ms while a thousand decisions scroll by', async () => {
    const rows = 1000
    const record = () =>
      desk.server.call('POST', '/api/v1/decision-events', { token: key, body: { ...refund, riskScore: 0.1 } })
    for (let made = 0; made < rows; made += 20) await Promise.all(Array.from({ length: 20 }, record))
    const page = await visit(`${home()}/decisions`)
    const items = page.locator('.decisions-tray .item')
    const more = page.locator('.decisions-tray .list-foot button')
    for (let count = 0; count < rows; count = await items.count()) {
      await more.click()
      await expect.poll(() => items.count(), { timeout: 20_000 }).toBeGreaterThan(count)
    }
    await settled(page)
    await page.evaluate(`globalThis.longTasks = []
      new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))))
        .observe({ type: 'longtask' })`)
    await page.mouse.move(180, 500)
    const height = (await page.evaluate('document.documentElement.scrollHeight')) as number
    const began = performance.now()
    for (let to = 0; to < height; to += 900) {
      await page.mouse.wheel(0, 900)
      await page.waitForTimeout(16)
    }
    const longTasks = (await page.evaluate('longTasks')) as number[]
    told('scrolling decisions', {
      rows: await items.count(),
      px: height,
      ms: Math.round(performance.now() - began),
      longTasks,
    })
    await page.context().close()
    expect(longTasks).toEqual([])
  }, 600_000)

  it('asks at most 40 times a minute while a person works and agents record', {
    timeout: (minutes + 5) * 60_000,
  }, async () => {
    const asked: number[] = []
    const page = await visit(`${home()}/inbox`)
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) asked.push(Date.now())
    })
    const go = (path: string) => () =>
      page.getByRole('navigation').first().locator(`a[href="${home()}${path}"]`).click()
    const press = (keyName: string) => () => page.keyboard.press(keyName)
    const acts: readonly (() => Promise<unknown>)[] = [
      press('j'),
      press('j'),
      press('a'),
      press('k'),
      go('/decisions'),
      press('j'),
      press('j'),
      press('j'),
      go('/bookings'),
      go('/chain'),
      go('/policies'),
      () => page.goto(`${desk.origin + home()}/members`),
      () => page.goto(`${desk.origin + home()}/developers/webhooks`),
      go('/inbox'),
    ]
    const end = Date.now() + minutes * 60_000
    for (let at = 0; Date.now() < end; at++) {
      const started = Date.now()
      if (at % 2 === 0) {
        await desk.server.call('POST', '/api/v1/decision-events', {
          token: key,
          body: { ...refund, riskScore: 0.9 },
        })
      }
      await acts[at % acts.length]?.().catch(() => {})
      await sleep(Math.max(0, everyMs - (Date.now() - started)))
    }
    const within = asked.map((from) => asked.filter((each) => each >= from && each < from + 60_000).length)
    const most = Math.max(0, ...within)
    told(`${minutes} minutes of use`, { requests: asked.length, perMinute: Math.round(asked.length / minutes), most })
    expect(asked.length).toBeGreaterThan(minutes)
    expect(most).toBeLessThan(mostRequests)
  })
})
