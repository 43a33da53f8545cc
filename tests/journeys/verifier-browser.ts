/** Files that the verifier page is given, and what it says about them. */
import { textOf } from '@countersign/verifier/test/proofs.ts'
import type { Page } from 'playwright-core'

export const asFile = (name: string, content: object | string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : textOf(content)),
})
/** Chooses a file and waits for the new verdict, so that an earlier one is not taken for it. */
export async function choose(page: Page, ...contents: readonly (object | string)[]): Promise<void> {
  await page.evaluate(`document.getElementById('verdict')?.setAttribute('data-old', '')`)
  await page.locator('#choose').setInputFiles(contents.map((content, at) => asFile(`file-${at}.jsonld`, content)))
  await page.locator('#verdict:not([data-old])').waitFor()
}

/** Gives a policy by itself, and says yes to its keys. */
export async function trust(page: Page, text: string): Promise<void> {
  await page.locator('#choose').setInputFiles([asFile('policy.txt', text)])
  await page.locator('#accept-policy').click()
}

export const sentence = (page: Page) => page.locator('#verdict').textContent()
export async function verdicts(page: Page): Promise<string> {
  const found = await page
    .locator('[data-verdict]')
    .evaluateAll((items) =>
      items.map((item) => (item as unknown as { dataset: Record<string, string> }).dataset.status),
    )
  return found.join(' ')
}

/** The level of each approval and the class of its sign. */
export const signs = (page: Page) =>
  page.locator('#approvals li').evaluateAll((items) =>
    items.map((item) => {
      const { dataset, firstElementChild } = item as unknown as {
        dataset: { level: string }
        firstElementChild: { getAttribute(name: string): string }
      }
      return `${dataset.level} ${firstElementChild.getAttribute('class')}`
    }),
  )
export const seals = (page: Page) =>
  page
    .locator('.sealbox > div')
    .evaluateAll((boxes) =>
      boxes.map(
        (box) =>
          (box as unknown as { querySelector(s: string): { classList: { value: string } } }).querySelector('.seal')
            .classList.value,
      ),
    )

/** Drops files as a browser does: an event with a data transfer. */
export async function drop(page: Page, text: string, name = 'dropped.jsonld'): Promise<void> {
  const transfer = await page.evaluateHandle(
    `(() => { const transfer = new DataTransfer(); transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)})); return transfer })()`,
  )
  await page.dispatchEvent('#drop', 'dragenter', { dataTransfer: transfer })
  await page.dispatchEvent('#drop', 'drop', { dataTransfer: transfer })
}

/** What is said about these files, and the four verdicts. */
export async function judged(page: Page, ...contents: readonly (object | string)[]): Promise<(string | null)[]> {
  await choose(page, ...contents)
  return [await sentence(page), await verdicts(page)]
}
