/**
 * Presses the controls of a page, each once, and reports what the page could have known before: an answer of 4xx that no field
 * explains, an error that is shown, an error of the page itself.
 */
import type { Locator, Page, Request, Response } from 'playwright-core'

/** What can be pressed. What is hidden, disabled, or leads out of the console isn't. */
const pressable = [
  'button:not(:disabled):not([aria-disabled=true])',
  'a[href]:not([href^="http"]):not([href^="mailto:"]):not([href^="/docs"]):not([href^="/verify"]):not([download])',
  'input:is([type=checkbox], [type=radio]):not(:disabled)',
  'summary',
  '[role=menuitem]:not([data-disabled]), [role=menuitemradio], [role=tab], [role=option]',
].join(', ')

const inFront = 'dialog[open], [role=menu]:not([data-exit])'

/** A control as a person would name it. Neighbors of a list that differ by a name or a number are one kind. */
export interface Control {
  readonly kind: string
  readonly name: string
  /** In the page at the time when it was listed. */
  readonly at: number
}

/** Of each kind; the others are alike. */
const mostOfKind = 2

/** What is used of an element of the page. */
interface Shown {
  readonly tagName: string
  readonly className: string
  readonly textContent: string
  checkVisibility(options: object): boolean
  getAttribute(name: string): string | null
  closest(selector: string): Shown | null
}

export async function controlsOf(within: Page | Locator): Promise<readonly Control[]> {
  const found = await within.locator(pressable).evaluateAll((all) =>
    all.flatMap((each, at) => {
      const element = each as unknown as Shown
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return []
      const label = element.getAttribute('aria-label') ?? element.closest('label')?.textContent ?? element.textContent
      const place = element.closest('header.top, nav, dialog, [role=menu], li, tr, td, section, article, form')
      const kind = [
        element.tagName.toLowerCase(),
        String(element.className).replace(/[a-z]*_?[0-9a-f]{6,}|\d+/g, ''),
        place?.tagName.toLowerCase(),
        String(place?.className ?? '').replace(/\d+/g, ''),
      ].join(' ')
      return [{ kind, name: (label ?? '').replace(/\s+/g, ' ').trim().slice(0, 80), at }]
    }),
  )
  const seen = new Map<string, number>()
  return found.filter(({ kind, name }) => {
    const isListed = / (li|tr|td|article|section|nav) /.test(` ${kind} `) && !kind.startsWith('button')
    const key = isListed ? kind : `${kind} ${name.replace(/\d+/g, '')}`
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return times <= mostOfKind
  })
}

export interface Fault {
  readonly where: string
  readonly control: string
  readonly what: string
}

const isFieldFault = `[aria-invalid=true], :user-invalid, dialog[open] :invalid, form :invalid`

/** Collects what goes wrong on the page from now on. */
export function listen(page: Page) {
  let problems: string[] = []
  let refused: Response[] = []
  let writes = 0
  const open = new Set<Request>()
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    // The browser reports every status of 400 and more; these are read from the responses.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
      problems.push(`console: ${message.text().slice(0, 300)}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response)
  })
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().endsWith('/session/refresh')) writes++
    // A stream of news never ends.
    if (['fetch', 'xhr', 'document', 'script', 'stylesheet'].includes(request.resourceType())) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) open.delete(response.request())
  })
  page.on('framenavigated', () => open.clear())
  page.on('dialog', (dialog) => void dialog.accept())
  return {
    writes: () => writes,
    /** Requests on their way. */
    open: () => open.size,
    async take(expected: (refusal: string) => boolean): Promise<string[]> {
      const found = problems
      for (const response of refused) {
        const { code, text } = await codeOf(response)
        const refusal = `${response.status()} ${response.request().method()} ${pathOf(response.url())} ${code}`
        if (expected(refusal)) continue
        const isValidation = response.status() === 400 || response.status() === 422
        if (isValidation && (await page.locator(isFieldFault).count()) > 0) continue
        found.push(`${refusal}: ${text}`)
      }
      problems = []
      refused = []
      return found
    },
  }
}
export type Listener = ReturnType<typeof listen>

interface Refused {
  readonly code: string
  readonly message: string
  readonly details?: { readonly reason?: string }
}

async function codeOf(response: Response): Promise<{ code: string; text: string }> {
  try {
    const { error } = (await response.json()) as { error: Refused }
    return { code: [error.code, error.details?.reason].filter(Boolean).join(' '), text: error.message }
  } catch {
    return { code: '', text: '' }
  }
}

/** Without what differs between runs. */
const pathOf = (url: string): string =>
  new URL(url).pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]{3}_[0-9a-z]{20,}|(?<=\/)\d+(?=\/|$)/g, '…')

const quietMs = 120

const idle = 'new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 2000 }))'

/** No request of the page is on its way, for a moment, the page computes nothing, and no part of it is being filled. */
export async function calm(page: Page, { open }: Pick<Listener, 'open'>, most = 6000): Promise<void> {
  const until = performance.now() + most
  let quiet = 0
  while (quiet < quietMs && performance.now() < until) {
    await page.waitForTimeout(40)
    // On a busy machine a page may take long between its requests.
    await page.evaluate(idle).catch(() => {})
    quiet = open() === 0 ? quiet + 40 : 0
  }
  const busy = page.locator('[aria-busy=true]').first()
  await busy.waitFor({ state: 'detached', timeout: most }).catch(() => {})
}

export const frontOf = async (page: Page): Promise<Locator | null> => {
  const front = page.locator(inFront).filter({ visible: true }).last()
  return (await front.count()) > 0 ? front : null
}

/** False where it is no longer there to be pressed. */
export async function press(within: Page | Locator, { at }: Control): Promise<boolean> {
  try {
    await within.locator(pressable).nth(at).click({ timeout: 2500 })
    return true
  } catch {
    return false
  }
}
