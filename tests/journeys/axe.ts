/** What axe finds on a page. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** While a modal dialog is open, the rest of the page is inert and not examined. */
export async function violations(page: Page, { dialog = false } = {}): Promise<string[]> {
  // A dialog closes once its request has been answered, which may be after the page behind it shows the change.
  if (!dialog) await page.locator('dialog[open]').waitFor({ state: 'detached' })
  // Text that is still fading in has no contrast.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((each) => Number.isFinite(each.effect.getComputedTiming().endTime))
    .map((each) => each.finished))`)
  // Playwright runs this in an isolated world, where the content security policy of the page does not apply.
  await page.evaluate(`if (!globalThis.axe) { ${axe.source} }`)
  const { violations: found, passes } = (await page.evaluate('axe.run(document)')) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
    passes: { id: string }[]
  }
  const examined = new Set(passes.map(({ id }) => id))
  for (const rule of dialog ? ['color-contrast'] : ['color-contrast', 'html-has-lang', 'document-title']) {
    if (!examined.has(rule)) throw new Error(`axe did not examine ${rule}`)
  }
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
}
