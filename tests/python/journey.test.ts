/** The guide "An agent in Python that asks a person": its LangGraph agent from an empty folder, approved with a passkey, verified offline. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Countersign } from '../../packages/sdk/countersign.ts'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { openBrowser } from '../journeys/browser.ts'
import { addressIn, approve, confirm, inPlace, registerOnTheWay } from '../journeys/guard-guide.ts'
import { beginHour } from '../journeys/hour.ts'
import { inShell, plainEnvironment } from '../journeys/shell.ts'
import { openDesk } from '../support/pages-fixture.ts'
import { note, folder as packageFolder } from './environment.ts'

const english = { locale: 'en-US' }
const [rule = '', key = ''] = blocksOf(read('docs/guides/guard.md')).flatMap(({ language, text }) =>
  language === 'sh' ? [text] : [],
)
const blocks = blocksOf(read('docs/guides/python.md'))
const labeled = (label: string): string => blocks.find((each) => each.label === label)?.text ?? ''

it('a refund of a LangGraph agent waits, is approved with a passkey, runs once and verifies', {
  timeout: 1_200_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-python-guide-'))
  const browser = await openBrowser()
  const desk = await openDesk()
  try {
    const [admin, approver] = [await desk.person('Dana Park'), await desk.person('Ian Lee')]
    const { accessToken } = await desk.server.signIn(admin, desk.center.domain)
    // The versions of the tests.
    const PIP_CONSTRAINT = join(packageFolder, 'requirements-dev.txt')
    const env = plainEnvironment({ TOKEN: accessToken, PIP_CONSTRAINT, PIP_NO_COMPILE: '1' })
    const here = (text: string) =>
      text.replaceAll('http://localhost:3000', desk.origin).replaceAll('../countersign', root.replace(/\/$/, ''))
    const hour = beginHour('A LangGraph agent in Python, approved with a passkey')

    const variables = ['COUNTERSIGN_URL', 'COUNTERSIGN_API_KEY', 'COUNTERSIGN_CENTER']
    const passkey = inPlace(rule, '"identity": "session"', '"identity": "passkey"')
    const echo = `echo "${variables.map((name) => `$${name}`).join(' ')}"`
    const printed = await hour.step('policy and key', () =>
      inShell({ folder, env }, here(`${passkey}\n${key}\n${echo}`)),
    )
    const values = printed.trim().split(' ')
    const own = Object.fromEntries(variables.map((name, at) => [name, values[at] ?? '']))
    const shell = { folder, env: { ...env, ...own } }
    await hour.step('the environment', () => inShell(shell, here(labeled('setup')), 900_000))
    for (const file of ['yours.py', 'agent.py']) writeFileSync(join(folder, file), labeled(file))
    const start = () => inShell(shell, labeled('start'))

    const address = addressIn(await hour.step('the agent asks, and ends', start))
    expect(address).not.toBe('')
    const page = await desk.open(browser, address, english)
    await hour.step('a passkey is registered and confirmed', async () => {
      await desk.signIn(page, approver)
      await registerOnTheWay(desk, page)
      await confirm(desk, await desk.open(browser, '/account/members', english), admin)
    })
    expect(await start()).toContain('waits: ')
    await hour.step('the passkey approves', async () => {
      await page.goto(address)
      await approve(page)
    })
    expect(await hour.step('the refund runs', start)).toContain('done: Refunded 820000 won for order 1041')
    expect(await start()).toContain('done: Refunded 820000 won for order 1041')
    const { pagination } = await new Countersign({ baseUrl: desk.origin, apiKey: desk.key }).decisions.list()
    expect(pagination.total).toBe(1)
    await browser.close()
    await desk.server.close()
    const verified = await hour.step('verify without the server, twice', () => inShell(shell, here(labeled('verify'))))
    expect(verified).toMatch(
      /proof\.json[^\n]*verified[\s\S]*a passkey registered to Ian Lee .* signed exactly this approval/,
    )
    const minutes = hour.end() / 60
    const lines = labeled('agent.py')
      .split('\n')
      .filter((line) => line.trim()).length
    note({ minutes: Number(minutes.toFixed(2)), lines })
    process.stdout.write(`${minutes.toFixed(1)} minutes, ${lines} lines of the user's own code\n`)
    expect(lines).toBeLessThanOrEqual(15)
    expect(minutes).toBeLessThan(5)
  } finally {
    await browser.close()
    await desk.close().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
})
