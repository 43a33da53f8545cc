/** The guide "A function that sleeps while a person decides", from an empty folder, with the packed SDK. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { beginHour } from './hour.ts'
import { inBackground, inShell, type Shell } from './shell.ts'

const blocks = blocksOf(read('docs/guides/serverless.md'))
const [pack = '', start = '', ask = ''] = blocks.flatMap(({ language, text }) => (language === 'sh' ? [text] : []))

/** `shell` has the variables of the examples; `approve` decides as a person at the address. */
export async function followServerlessGuide(
  shell: Pick<Shell, 'env'>,
  port: number,
  approve: (approvalUrl: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-function-'))
  const own = { folder, env: { ...shell.env, PORT: String(port) } }
  const here = (text: string) => text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
  const hour = beginHour('A serverless function, woken by a webhook')
  await hour.step('npm run pack', () => inShell({ ...shell, folder: root }, pack.replace('../my-function', folder)))
  for (const { label, text } of blocks) if (label) writeFileSync(join(folder, label), text)
  const running = inBackground(own, here(start).replace(/node local\.ts\n$/, 'exec node local.ts'))
  try {
    await hour.step('the webhook is registered, the function starts', () => running.shows('Listens at', 30_000))
    const asked = JSON.parse(await hour.step('the function asks and ends', () => inShell(own, here(ask))))
    expect(asked).toMatchObject({ state: 'waiting', approvalUrl: expect.stringMatching(/\/approve\/evt_/) })
    expect(running.output()).not.toContain('Refunded')
    await hour.step('a person approves, the webhook wakes the function', async () => {
      await approve(asked.approvalUrl)
      await running.shows('Refunded 820000 won for order 1041', 30_000)
    })
    const again = await hour.step('the same request gets the same result', () => inShell(own, here(ask)))
    const [id = 'none'] = /evt_\w+/.exec(asked.approvalUrl) ?? []
    expect(JSON.parse(again)).toEqual({ state: 'done', result: `Refunded 820000 won for order 1041 (${id})` })
    const forged = await fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', body: '{}' })
    expect(forged.status).toBe(401)
    expect(hour.end()).toBeLessThan(5 * 60)
  } finally {
    await running.interrupt(10_000)
    rmSync(folder, { recursive: true, force: true })
  }
}
