/** The console in a real browser, with a server, a worker, and people who are signed in. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser, openWholeBrowser } from '../journeys/browser.ts'
import { type Desk, openDesk } from './pages-fixture.ts'
import type { Person } from './world.ts'

export interface View {
  readonly theme?: 'light' | 'dark'
  readonly language?: 'ko' | 'en'
  readonly width?: number
  readonly height?: number
  readonly options?: BrowserContextOptions
}

export interface ConsoleDesk extends Desk {
  readonly browser: Browser
  /** A new browser of this person, signed in, at this address. Null: without a session. */
  visit(person: Person | null, path: string, view?: View): Promise<Page>
}

/** The page has what it shows: no skeleton, and no request on its way. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  // A phone hides the list beside a sheet, and its heading.
  await page.locator('h1').filter({ visible: true }).first().waitFor()
  // A page loads several parts at once.
  const busy = page.locator('[aria-busy=true]')
  while ((await busy.count()) > 0) await busy.first().waitFor({ state: 'detached' })
}

/** Changes the theme and the language of an open page without loading it again. */
export async function restyle(page: Page, { theme = 'light', language = 'ko' }: View): Promise<void> {
  await settled(page)
  await page.emulateMedia({ colorScheme: theme })
  await page.evaluate(
    `localStorage.setItem('countersign-language', '${language}');
     dispatchEvent(new StorageEvent('storage', { key: 'countersign-language', newValue: '${language}' }))`,
  )
  await page.locator(`html[lang=${language}][data-theme=${theme}]`).waitFor({ state: 'attached' })
  await settled(page)
}

export async function openConsole(
  settings: Record<string, string> = {},
  browserArguments: readonly string[] | 'whole' = [],
): Promise<ConsoleDesk> {
  const browser = browserArguments === 'whole' ? await openWholeBrowser() : await openBrowser(...browserArguments)
  const desk = await openDesk(settings, { jobs: true })
  return {
    ...desk,
    browser,
    async visit(person, path, { theme = 'light', language = 'ko', width = 1440, height = 900, options } = {}) {
      const look = {
        colorScheme: theme,
        locale: language === 'ko' ? 'ko-KR' : 'en-US',
        timezoneId: 'Asia/Seoul',
        viewport: { width, height },
        deviceScaleFactor: 1,
        ...options,
      }
      if (person === null) return desk.open(browser, path, look)
      const page = await desk.open(browser, `/login?next=${encodeURIComponent(path)}`, look)
      await desk.signIn(page, person)
      await page.waitForURL((url) => url.pathname !== '/login')
      // Addresses that signing in does not lead to.
      if (new URL(page.url()).pathname !== new URL(path, desk.origin).pathname) await page.goto(desk.origin + path)
      return page
    },
    async close() {
      await browser.close()
      await desk.close()
    },
  }
}
