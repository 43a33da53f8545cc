/** Pages of pictures: all of them as one sheet, and the reference pages beside the real ones. */
import { copyFile, writeFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'

/** The picture of a reference page, and the name of the real one. */
const pairs = [
  ['inbox-light', 'inbox'],
  ['decision-light', 'decision-sheet'],
  ['chain-light', 'chain-altered'],
  ['deliveries-light', 'webhook-sheet'],
  ['policy-light', 'policy-sheet'],
  ['week-light', 'bookings'],
  ['developers-light', 'developers'],
  ['signin-light', 'login'],
  ['phone-light-390', 'approve'],
  ['phone-sealed-light-390', 'approve-sealed'],
  ['verify-light', 'verify'],
] as const

const style = `body{font:15px/24px sans-serif}div{display:flex;gap:8px;align-items:start}h2{font-size:15px;margin:20px 0 4px}`

async function write(browser: Browser, file: string, width: number, body: readonly string[]): Promise<void> {
  await writeFile(
    `${file}.html`,
    `<!doctype html><meta charset="utf-8"><title>Pages of the console</title><style>${style}</style>\n${body.join('\n')}`,
  )
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  const page = await context.newPage()
  await page.goto(`file://${file}.html`)
  await page.screenshot({ path: `${file}.png`, fullPage: true })
  await context.close()
}

const picture = (file: string, height: number): string =>
  `<a href="${file}"><img src="${file}" alt="${file}" height="${height}"></a>`

export const contactSheet = (
  browser: Browser,
  folder: string,
  names: readonly string[],
  kinds: readonly string[],
): Promise<void> =>
  write(
    browser,
    `${folder}/contact-sheet`,
    1660,
    names.map(
      (name) => `<h2>${name}</h2><div>${kinds.map((kind) => picture(`${name}-${kind}.png`, 225)).join('')}</div>`,
    ),
  )

/** `references` has the picture of each reference page. */
export async function besideReferences(browser: Browser, folder: string, references: string): Promise<void> {
  for (const [name] of pairs) await copyFile(`${references}/${name}.png`, `${folder}/reference-${name}.png`)
  await write(
    browser,
    `${folder}/beside-references`,
    1840,
    pairs.map(
      ([name, real]) =>
        `<h2>${real}</h2><div>${[`reference-${name}.png`, `${real}-light-ko.png`].map((file) => picture(file, 560)).join('')}</div>`,
    ),
  )
}
