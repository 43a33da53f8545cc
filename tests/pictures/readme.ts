/** The pictures of the READMEs, as WebP. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'

const chosen = [
  ['inbox-light-ko', 'inbox'],
  ['decision-sheet-light-en', 'decision'],
  ['chain-altered-light-en', 'chain-altered'],
  ['policy-sheet-light-ko', 'policy'],
  ['webhook-sheet-dark-en', 'deliveries'],
  ['bookings-light-ko', 'week'],
  ['login-light-en', 'sign-in'],
  ['inbox-phone', 'phone'],
  ['approve-light-ko', 'approve-ko'],
  ['english-light-en', 'approve'],
] as const
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
