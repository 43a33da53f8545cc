/** The command line, the page and the checker in Python give every forged file the standing and the exit code it has. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as wholeText } from 'node:stream/consumers'
import type { Standing } from '@countersign/proof/verify-proof.ts'
import { languages } from '@countersign/verifier/words.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '../../packages/cli/test/program.ts'
import { openBrowser } from '../journeys/browser.ts'
import { exitCodes, type Forgery, forgedFiles, narrowedLog, policies, type Under } from './forged-files.ts'

const forged = forgedFiles()
const unders: readonly Under[] = ['none', 'own', 'narrowed']
const standings = Object.keys(exitCodes) as Standing[]
const page = new URL('../../apps/verifier/dist/verify.html', import.meta.url).href
const checker = new URL('./check_exports.py', import.meta.url).pathname

let folder: string
let paths: ReadonlyMap<Forgery, string>
const policyFile = (under: Under): string => join(folder, `${under}.policy`)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forged-'))
  mkdirSync(join(folder, 'files'))
  paths = new Map(forged.map((each, at) => [each, join(folder, 'files', `${String(at).padStart(3, '0')}.json`)]))
  for (const [each, path] of paths) writeFileSync(path, each.text)
  for (const under of unders) writeFileSync(policyFile(under), policies[under] ?? '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const groups = unders.flatMap((under) =>
  standings.flatMap((standing) => {
    const files = forged.filter((each) => each.under === under && each.standing === standing)
    return files.length === 0 ? [] : [{ under, standing, files, title: `${standing}, policy ${under}` }]
  }),
)

async function run(program: string, args: readonly string[]) {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, LANG: 'C', HOME: '/nonexistent' } })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, err] = await Promise.all([wholeText(child.stdout), wholeText(child.stderr)])
  return { out, err, code: await ended }
}
const options = (under: Under): readonly string[] => {
  if (under === 'none') return []
  return ['--trust', policyFile('own'), ...(under === 'narrowed' ? ['--log', narrowedLog] : [])]
}
const pathsOf = (files: readonly Forgery[]) => files.map((each) => paths.get(each) as string)
const inLines = (out: string) => out.trim().split('\n')
/** Whether a terminal would obey or hide a character of this text. */
const isHostile = (text: string): boolean => /[^\P{C}\n]|[\u2028\u2029\u3164\u115f\uffa0]/u.test(text)

it('are at least 200, of every standing', () => {
  expect(forged.length).toBeGreaterThanOrEqual(200)
  expect(new Set(forged.map(({ standing }) => standing)).size).toBe(7)
  expect(new Set(forged.map(({ name }) => name)).size).toBe(forged.length)
})

describe.each(groups)('$title', ({ under, standing, files }) => {
  const expected = files.map(({ name }) => [name, standing])

  it('in the command line', { timeout: 120_000 }, async () => {
    const { out, err, code } = await run(process.execPath, [
      main,
      'verify',
      '--json',
      ...options(under),
      ...pathsOf(files),
    ])
    const verdicts = inLines(out).map((line) => JSON.parse(line) as { standing?: Standing; ok: boolean })
    expect(verdicts.map((each, at) => [files[at]?.name, each.standing ?? 'not-a-proof'])).toEqual(expected)
    expect([...new Set(verdicts.map(({ ok }) => ok))]).toEqual([standing === 'holds'])
    expect([code, err, isHostile(out)]).toEqual([exitCodes[standing], '', false])
  })

  it('in Python', { timeout: 120_000 }, async () => {
    const { out, code } = await run('python3', [checker, ...options(under), ...pathsOf(files)])
    const verdicts = inLines(out).map((line) => JSON.parse(line) as { standing: Standing })
    expect(verdicts.map((each, at) => [files[at]?.name, each.standing])).toEqual(expected)
    expect(code).toBe(exitCodes[standing])
  })
})

it('print no character that a terminal obeys, in both languages', { timeout: 120_000 }, async () => {
  const files = pathsOf(forged.filter(({ hostile }) => hostile))
  for (let first = 0; first < files.length; first += 5) {
    // Few files get all lines each.
    const some = files.slice(first, first + 5)
    const language = first % 2 === 0 ? 'en' : 'ko'
    const { out } = await run(process.execPath, [main, 'verify', '--lang', language, ...options('own'), ...some])
    expect(isHostile(out)).toBe(false)
  }
})

describe('the page', () => {
  const words = languages.en
  const said: Readonly<Record<Standing, readonly string[]>> = {
    holds: [words.saysWitnessed, words.saysSigned],
    sandbox: [words.saysSandbox],
    lost: [words.saysLost],
    newer: [words.saysNewer],
    'rules-hidden': [words.saysRulesHidden],
    unvouched: [words.saysIntact, words.saysUnvouched, words.saysUnwitnessed],
    altered: [words.saysAltered, words.saysContradicted],
    'not-a-proof': [words.saysUnreadable],
  }
  const standingOf = (sentence: string): Standing | undefined => {
    const unrefused = sentence.replace(`${words.saysRefusal} `, '').replace(`${words.saysRefusalClaimed} `, '')
    const bare = unrefused.replace(`${words.fromSandbox} `, '')
    return standings.find((standing) => said[standing].includes(bare))
  }
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it.each(unders)('gives the same standing, policy %s', { timeout: 120_000 }, async (under) => {
    const context = await browser.newContext({ locale: 'en-US' })
    await context.setOffline(true)
    const tab = await context.newPage()
    await tab.goto(page)
    if (under !== 'none') {
      await tab.locator('#choose').setInputFiles(policyFile(under))
      await tab.locator('#accept-policy').click()
    }
    const files = forged.filter((each) => each.under === under)
    await tab.locator('#choose').setInputFiles(pathsOf(files))
    await tab.locator('.files li').first().waitFor({ timeout: 60_000 })
    const listed = files.filter(({ isPolicy }) => !isPolicy)
    const sentences = await tab.locator('.files .soft').allTextContents()
    expect(sentences.map((sentence, at) => [listed[at]?.name, standingOf(sentence)])).toEqual(
      listed.map(({ name, standing, tooLargeForThePage }) => [name, tooLargeForThePage ? 'not-a-proof' : standing]),
    )
    const notice = await tab.locator('#policy-notice').textContent()
    expect(notice).toBe(listed.length < files.length ? words.policyTogether : '')
    for (const [at, { hostile }] of listed.entries()) {
      if (!hostile) continue
      await tab.evaluate(`document.getElementById('file-${at}').click()`)
      expect(isHostile((await tab.locator('main').textContent()) ?? '')).toBe(false)
    }
    await context.close()
  })
})
