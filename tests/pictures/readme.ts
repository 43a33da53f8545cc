/** The pictures of the READMEs and of the documentation, as WebP. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'

/** A page in each language shows the console in that language. */
const inBoth = [
  ['inbox-light', 'inbox'],
  ['decision-sheet-light', 'decision'],
  ['chain-altered-light', 'chain-altered'],
  ['policy-sheet-light', 'policy'],
  ['webhook-sheet-dark', 'deliveries'],
  ['bookings-light', 'week'],
  ['login-light', 'sign-in'],
  ['inbox-phone', 'phone'],
  ['family-phone', 'family'],
] as const

const chosen: readonly (readonly [string, string])[] = [
  ...inBoth.flatMap(([from, to]) => [[`${from}-en`, to] as const, [`${from}-ko`, `${to}-ko`] as const]),
  ['approve-light-ko', 'approve-ko'],
  ['english-light-en', 'approve'],
]
const mostBytes = 120 * 1024

/** Those that were taken: of `only`, or all. */
export async function writeReadmePictures(
  browser: Browser,
  folder: string,
  target: string,
  only?: RegExp,
): Promise<void> {
  await mkdir(target, { recursive: true })
  const page = await browser.newPage()
  for (const [from, to] of chosen.filter(([name]) => !only || only.test(name))) {
    const png = (await readFile(`${folder}/${from}.png`)).toString('base64')
    const webp = (await page.evaluate(`(async () => {
      const image = new Image()
      image.src = 'data:image/png;base64,${png}'
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      canvas.getContext('2d').drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.82).split(',')[1]
    })()`)) as string
    const bytes = Buffer.from(webp, 'base64')
    if (bytes.length > mostBytes) throw new Error(`${to}.webp has ${bytes.length} bytes`)
    await writeFile(`${target}/${to}.webp`, bytes)
  }
  await page.close()
}
