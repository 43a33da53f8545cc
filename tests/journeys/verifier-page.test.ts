/** The public verifier page, in a real browser, from the disk and without a network. */

import { type BuiltEntry, exported } from '@countersign/proof/test/arbitraries.ts'
import { anchored, passkeyPolicyText, policyText } from '@countersign/proof/test/log.ts'
import { approvalBy, decisionBy, keys, threeKeys } from '@countersign/proof/test/passkeys.ts'
import { approvalOf, decisionEntry } from '@countersign/proof/test/proof-kinds.ts'
import { policy, proofs, strangersPolicy, textOf } from '@countersign/verifier/test/proofs.ts'
import { languages, say } from '@countersign/verifier/words.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture } from '../support/proof-fixture.ts'
import { startServer } from '../support/server.ts'
import { some } from '../support/some.ts'
import { violations } from './axe.ts'
import { openBrowser } from './browser.ts'
import { run } from './operator-shell.ts'
import { asFile, choose, drop, judged, seals, sentence, signs, trust, verdicts } from './verifier-browser.ts'

const file = new URL('../../apps/verifier/dist/verify.html', import.meta.url).href

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const complaints: string[] = []
const asked: string[] = []

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1000, height: 900 }, ...options })
  await context.setOffline(true)
  const page = await context.newPage()
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => asked.push(request.url()))
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => console.error('refused: ' + event.violatedDirective))`,
  )
  await page.goto(file)
  return page
}

const locales = [
  ['en', 'en-US'],
  ['ko', 'ko-KR'],
] as const
describe.each(some(locales, 1))('in %s', (language, locale) => {
  const words = languages[language]

  it('verifies genuine exports', async () => {
    const page = await open({ locale })
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    expect(await page.title()).toBe(words.title)
    expect(await judged(page, proofs.bare)).toEqual([words.saysIntact, 'yes unknown unknown unknown'])
    expect(await judged(page, proofs.logged)).toEqual([words.saysIntact, 'yes unknown unknown unknown'])
    await trust(page, policy)
    expect(await judged(page, proofs.witnessed)).toEqual([words.saysWitnessed, 'yes yes yes yes'])
    await choose(page, proofs.redacted)
    expect(await sentence(page)).toBe(words.saysWitnessed)
    const shown = await page.locator('#details').textContent()
    for (const text of [
      words.redacted,
      'approval.approver.name',
      '당사자의 요청',
      words.undisclosed,
      'event.action.input',
    ]) {
      expect(shown).toContain(text)
    }
    await page.context().close()
  })

  it('refuses altered exports and signatures of unknown keys', async () => {
    const page = await open({ locale })
    const forged = textOf(proofs.witnessed).replace('"sessionsPerWeek": 2', '"sessionsPerWeek": 5')
    await trust(page, policy)
    expect(await judged(page, forged)).toEqual([words.saysAltered, 'no yes yes yes'])
    expect(await page.locator('.paths').first().textContent()).toContain('evidence.event.action.output')
    const elsewhere = textOf(proofs.witnessed)
      .replaceAll('"index": 12', '"index": 13')
      .replace('"chainIndex": 12', '"chainIndex": 13')
    expect(await judged(page, elsewhere)).toEqual([words.saysAltered, 'no no yes yes'])
    expect(await judged(page, proofs.logged)).toEqual([words.saysUnwitnessed, 'yes yes yes no'])
    await trust(page, strangersPolicy)
    expect(await judged(page, proofs.witnessed)).toEqual([words.saysUnvouched, 'yes unknown no unknown'])
    for (const text of ['{"not": "a proof"', '{"not": "a proof"}']) {
      await choose(page, text)
      expect(await sentence(page)).toBe(words.saysUnreadable)
    }
    await page.context().close()
  })

  it('takes no policy from where the proof came from, and asks before it uses one', async () => {
    const page = await open({ locale })
    const made = JSON.stringify({ logHost: 'proof.example', policy })
    expect(await judged(page, proofs.witnessed, made)).toEqual([words.saysIntact, 'yes unknown unknown unknown'])
    expect(await page.locator('#policy-notice').textContent()).toBe(words.policyTogether)
    await page.locator('#choose').setInputFiles([asFile('policy.json', made)])
    const asked = page.locator('#policy-asked')
    await asked.getByText(words.askPolicy).waitFor()
    for (const key of policy.match(/\S+\+[0-9a-f]{8}\+\S+/g) ?? []) expect(await asked.textContent()).toContain(key)
    expect(await sentence(page)).toBe(words.saysIntact)
    expect(await violations(page)).toEqual([])
    await page.locator('#refuse-policy').click()
    expect([await sentence(page), await asked.textContent()]).toEqual([words.saysIntact, ''])
    await trust(page, policy)
    expect([await sentence(page), await verdicts(page)]).toEqual([words.saysWitnessed, 'yes yes yes yes'])
    expect(await page.locator('#used-policy').textContent()).toContain(words.policyYou)
    await page.context().close()
  })

  it('lists every value of a decision by its place, with what the agent says apart', async () => {
    const page = await open({ locale })
    const lines = Object.fromEntries(
      Array.from({ length: 80 }, (_, at) => [`line${at}`, { 'a.b': at, name: 'раypal' }]),
    )
    const action = { type: 'loan.approve', description: 'A loan', input: { amount: 1000, lines }, output: {} }
    await choose(page, anchored(exported(decisionEntry(approvalOf('session'), { event: { action } }))))
    const said = (await page.locator('#content').textContent()) ?? ''
    for (let at = 0; at < 80; at++) expect(said).toContain(`line${at}["a.b"]`)
    expect(await page.locator('#content [data-v]').count()).toBeGreaterThan(160)
    expect(await page.locator('#content .said-box').textContent()).toContain('A loan')
    expect(await page.locator('#content .warned').count()).toBe(80)
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it('says who decided by whose word, names a refusal on top, and what is not proved', async () => {
    const page = await open({ locale })
    await trust(page, policyText)
    for (const [level, sign, seal] of [
      ['claim', 'unknown', 'claim'],
      ['session', 'yes', 'session'],
    ] as const) {
      await choose(page, anchored(exported(decisionEntry(approvalOf(level)))))
      expect(await sentence(page)).toBe(words.saysWitnessed)
      expect([await signs(page), await seals(page)]).toEqual([[`${level} sign ${sign}`], [`seal seal-${seal}`]])
      const said = say(words[`by ${level}`], { approver: 'Ada (u1)', by: 'key_2' })
      expect(await page.locator('#approvals').textContent()).toContain(said)
      const limits = (await page.locator('#limits').textContent()) ?? ''
      for (const limit of ['limit right', 'limit unrecorded'] as const) expect(limits).toContain(words[limit])
      expect(limits.includes(words['limit who'])).toBe(level === 'claim')
      expect(limits).toContain(say(words.asOfSize, { change: 0, size: 9 }))
    }
    for (const level of ['session', 'system'] as const) {
      await choose(page, anchored(exported(decisionEntry(approvalOf(level, 'rejected')))))
      expect(await sentence(page)).toBe(`${words.saysRefusal} ${words.saysWitnessed}`)
      expect(await page.locator('#headline .sign').getAttribute('class')).toBe('sign unknown')
      expect([await signs(page), await seals(page)]).toEqual([[`${level} sign no`], [`seal seal-${level}`]])
      // A refusal is plum, whoever sealed it: a red seal would be taken for an approval.
      expect(
        await page.evaluate(
          `['--seal-ink', '--broken'].map((name) => getComputedStyle(document.querySelector('.sealbox > .refused')).getPropertyValue(name))`,
        ),
      ).toEqual(['#7d1d52', '#7d1d52'])
      expect(await violations(page)).toEqual([])
    }
    await page.context().close()
  })

  it('fills the seal of a passkey only where its signature, its binding and its host hold', async () => {
    const bindings = threeKeys()
    const signed = anchored(decisionBy(approvalBy('act_ada', keys.ada, bindings.at(-1) as BuiltEntry), bindings))
    const values = { approver: 'Ada (act_ada)', rpId: 'localhost' }
    const page = await open({ locale })
    for (const [trusted, sign, seal, said] of [
      [null, 'unknown', 'claim', 'by passkey unvouched'],
      [policyText, 'unknown', 'claim', 'by passkey no-host'],
      [passkeyPolicyText, 'yes', 'passkey', 'by passkey'],
    ] as const) {
      if (trusted !== null) await trust(page, trusted)
      await choose(page, signed)
      expect([await signs(page), await seals(page)]).toEqual([[`passkey sign ${sign}`], [`seal seal-${seal}`]])
      expect(await page.locator('#approvals').textContent()).toContain(say(words[said], values))
      expect(await page.locator('#limits').textContent()).toContain(words['limit passkey'])
      expect(await violations(page)).toEqual([])
    }
    await page.locator('#alter').click()
    expect([await sentence(page), await seals(page)]).toEqual([words.saysAltered, []])
    await page.context().close()
  })

  it('alters one character on request, and restores it', async () => {
    const page = await open({ locale })
    await trust(page, policy)
    await choose(page, proofs.witnessed)
    for (let times = 0; times < 5; times++) {
      await page.locator('#alter').click()
      expect([await sentence(page), (await verdicts(page)).slice(0, 2)]).toEqual([words.saysAltered, 'no'])
      expect(await page.locator('.demo').textContent()).toContain(words.demo)
      expect(await page.evaluate('document.activeElement.id')).toBe('alter')
    }
    await page.locator('#restore').click()
    expect(await sentence(page)).toBe(words.saysWitnessed)
    expect(await page.locator('.demo').count()).toBe(0)
    await page.context().close()
  })

  it('has no accessibility violation in any state, light or dark, and fits 320 pixels', {
    timeout: 240_000,
  }, async () => {
    for (const colorScheme of some(['light', 'dark'] as const, 1)) {
      const page = await open({ locale, colorScheme, reducedMotion: 'reduce', viewport: { width: 320, height: 640 } })
      const check = async (state: string) => {
        expect([state, colorScheme, await violations(page)]).toEqual([state, colorScheme, []])
        const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        expect([state, wide]).toEqual([state, 0])
      }
      await check('empty')
      await choose(page, proofs.logged)
      await check('intact')
      await page.locator('#add-policy').click()
      await page.keyboard.type('nonsense')
      await page.locator('#use-policy').click()
      await check('an invalid policy')
      await page
        .locator('#pasted')
        .evaluate(
          (area) => ((area as unknown as { closest(s: string): { open: boolean } }).closest('details').open = true),
        )
      await trust(page, policy)
      await choose(page, proofs.redacted)
      await page.locator('#details > details > summary').click()
      await check('witnessed and redacted')
      await page.locator('#alter').click()
      await check('altered')
      await choose(page, proofs.bare, 'not a proof', proofs.witnessed)
      await check('several files')
      await page.locator('#file-1').click()
      await check('unreadable')
      await page.context().close()
    }
  })
})

describe('the verifier page accepts a proof', () => {
  it('by drag and drop', async () => {
    const page = await open()
    await drop(page, textOf(proofs.witnessed))
    await page.locator('#verdict').waitFor()
    expect(await verdicts(page)).toBe('yes unknown unknown unknown')
    await drop(page, policy, 'policy.txt')
    await page.locator('#accept-policy').click()
    await page.getByText(languages.en.saysWitnessed).waitFor()
    await drop(page, textOf(proofs.witnessed).replace('approved', 'rejected'))
    await page.getByText(languages.en.saysAltered).waitFor()
    await page.context().close()
  })

  it('by paste, on the page and in its field', async () => {
    const page = await open()
    await page.evaluate(
      `(() => { const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', ${JSON.stringify(textOf(proofs.logged))}); document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true })) })()`,
    )
    await page.getByText(languages.en.saysIntact).waitFor()
    await page.locator('#paste-box summary').click()
    await page.locator('#pasted').fill(textOf(proofs.bare).replace('agent-7', 'agent-8'))
    await page.locator('#check-pasted').click()
    await page.getByText(languages.en.saysAltered).waitFor()
    await page.context().close()
  })

  it('with the keyboard alone, and changes its texts with the language', async () => {
    const page = await open({ locale: 'ko-KR' })
    const reach = async (id: string) => {
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press('Tab')
        if ((await page.evaluate('document.activeElement?.id')) === id) return
      }
      throw new Error(`${id} cannot be reached with Tab`)
    }
    await reach('choose')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await reach('pasted')
    await page.keyboard.insertText(textOf(proofs.logged))
    await reach('check-pasted')
    await page.keyboard.press('Enter')
    await page.getByText(languages.ko.saysIntact).waitFor()
    expect(await page.evaluate('document.activeElement?.id')).toBe('result')
    await reach('alter')
    await page.keyboard.press('Enter')
    await page.getByText(languages.ko.saysAltered).waitFor()
    await page.locator('#say-en').press('Enter')
    await page.getByText(languages.en.saysAltered).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await page.locator('#say-en').getAttribute('aria-pressed')).toBe('true')
    await page.context().close()
  })

  it('without ever running its content', async () => {
    const page = await open()
    const nasty = '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>'
    await choose(
      page,
      textOf(proofs.bare).replace('Agrees with my own assessment.', JSON.stringify(nasty).slice(1, -1)),
    )
    expect(await sentence(page)).toBe(languages.en.saysAltered)
    expect(await page.locator('#details').textContent()).toContain(nasty)
    expect(await page.locator('#details img, #details script').count()).toBe(0)
    expect(await page.title()).toBe(languages.en.title)
    await page.context().close()
  })
})

describe('served by a server', () => {
  it('knows the record of its address and the trusted keys, and verifies its file', { timeout: 180_000 }, async () => {
    const server = await startServer()
    try {
      const fixture = await openProofFixture(server)
      const made = await fixture.record()
      await fixture.approve(made.id)
      const exportedText = (await fixture.v1('GET', `/api/v1/evidence/${made.evidence.id}/export`)).text
      const context = await browser.newContext({ locale: 'en-US' })
      const page = await context.newPage()
      // The browser logs every 404 to the console.
      page.on('console', (message) => /404/.test(message.text()) || complaints.push(message.text()))
      const words = languages.en
      await page.goto(`${server.url}/verify/${made.id}`)
      await page.getByText(words.hereStands).waitFor()
      expect(await page.locator('#record').textContent()).toContain(made.id)
      expect(await violations(page)).toEqual([])
      expect(await judged(page, exportedText)).toEqual([words.saysSigned, 'yes yes yes unknown'])
      await page.getByText(words.sameRecord).waitFor()
      await choose(page, proofs.logged)
      await page.getByText(words.otherRecord).waitFor()
      expect(await sentence(page)).toBe(words.saysUnvouched)
      expect(await page.locator('#used-policy').textContent()).toContain(words.policyServer)

      const refused = await fixture.record()
      await fixture.approve(refused.id, { result: 'rejected' })
      await page.goto(`${server.url}/verify/${refused.id}`)
      await page.getByText(`${words.saysRefusal} ${words.hereStands}`).waitFor()

      await page.goto(`${server.url}/verify`)
      await choose(page, exportedText)
      expect(await sentence(page)).toBe(words.saysSigned)

      const answer = await page.goto(`${server.url}/verify/evt_01kz9x4q8hfx5r3v7t2b6n0m1c`)
      expect(answer?.status()).toBe(404)
      await page.getByText(words.hereNone).waitFor()
      expect(await violations(page)).toEqual([])
      await choose(page, exportedText)
      expect(await sentence(page)).toBe(words.saysSigned)

      const { code } = await run(server, ['delete-center', fixture.center.domain, '--without-export'])
      expect(code).toBe(0)
      const [closed] = await server.world.query<{ log: string; size: string; root: string }>(
        `select log, size, root from cell.closed_logs where center_id = $1 and domain = 'proof'`,
        [fixture.center.id],
        true,
      )
      const gone = await page.goto(`${server.url}/verify/${made.id}`)
      expect(gone?.status()).toBe(404)
      await page.getByText(words.hereLeft).waitFor()
      const said = await page.locator('#record').textContent()
      for (const fact of [closed?.log, closed?.size, closed?.root]) expect(said).toContain(String(fact))
      expect(await violations(page)).toEqual([])
      await choose(page, exportedText)
      expect(await sentence(page)).toBe(words.saysSigned)
      await context.close()
    } finally {
      await server.close()
    }
  })
})

it('sends no request, and violates no content security policy', () => {
  expect(asked.filter((url) => url !== file && !url.startsWith('data:'))).toEqual([])
  expect(complaints).toEqual([])
})
