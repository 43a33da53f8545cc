/** `python -m countersign verify` prints what the command prints, to the letter, in both languages, and ends with the same code. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passkeyPolicyText } from '@countersign/proof/test/log.ts'
import { kinds } from '@countersign/proof/test/proof-kinds.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exitCodes, forgedFiles, narrowedLog, policies } from '../interop/forged-files.ts'
import { python } from './environment.ts'
import { bothSay, compareExports, languages, put, vectorFiles } from './verdicts.ts'

const seed = Number(process.env.TEST_SEED) || 20_261_119
let interpreter: string
let work: string

beforeAll(async () => {
  interpreter = await python()
  work = mkdtempSync(join(tmpdir(), 'countersign-verdicts-'))
}, 600_000)
afterAll(() => rmSync(work, { recursive: true, force: true }))

async function expectSame(args: readonly string[], at = work, stdin?: string | Buffer) {
  const { ours, theirs } = await bothSay(interpreter, args, at, stdin)
  expect(theirs).toEqual(ours)
  return ours
}

it('of generated exports, honest and forged', { timeout: 300_000 }, async () => {
  const { exports, verdicts, differing } = await compareExports(interpreter, work, 150, seed)
  process.stdout.write(`${exports} exports in two languages, seed ${seed}: ${JSON.stringify(verdicts)}\n`)
  expect(differing).toEqual([])
  expect(Object.keys(verdicts).length).toBe(3)
})

describe.each(['generations', 'lines', 'passkeys', 'control', 'transparency'])('of the vectors of %s', (name) => {
  it.each(languages)('in %s', { timeout: 240_000 }, async (language) => {
    const at = join(work, name)
    const { policy, files } = vectorFiles(name)
    put(join(at, 'policy'), policy)
    put(join(at, 'all.ndjson'), files.map(({ document }) => `${JSON.stringify(document)}\n`).join(''))
    const { out } = await expectSame(['all.ndjson', '--trust', 'policy', '--lang', language], at)
    expect(out.match(/all\.ndjson:/g)?.length).toBeGreaterThanOrEqual(files.length)
    await expectSame(['all.ndjson', '--json', '--no-trust', '--lang', language], at)
  })
})

it('of losses that a declaration names', { timeout: 120_000 }, async () => {
  const { declaration, files, policy } = JSON.parse(
    readFileSync(new URL('../../docs/formats/generations.json', import.meta.url), 'utf8'),
  )
  const at = join(work, 'lost')
  put(join(at, 'policy'), policy)
  put(join(at, 'declared.json'), JSON.stringify({ data: { generations: [{ declaration }] } }))
  put(join(at, 'all.ndjson'), files.map((each: { document: object }) => `${JSON.stringify(each.document)}\n`).join(''))
  for (const language of languages) {
    const args = ['all.ndjson', '--trust', 'policy', '--declaration', 'declared.json', '--lang', language]
    expect((await expectSame(args, at)).out).toContain('dpu/2')
  }
})

it('of a time stamp, with its authority and without', { timeout: 120_000 }, async () => {
  const { timestampAuthority, exports, policy } = JSON.parse(
    readFileSync(new URL('../../docs/formats/transparency.json', import.meta.url), 'utf8'),
  )
  const { document } = exports.holds.find((each: { about: string }) => each.about.includes('time-stamped'))
  const at = join(work, 'stamped')
  put(join(at, 'policy'), policy)
  put(join(at, 'authority.pem'), timestampAuthority)
  put(join(at, 'a proof.json'), JSON.stringify(document))
  const args = ['a proof.json', '--trust', 'policy']
  const without = await expectSame([...args, '--timestamp-out', 'ours'], at)
  expect(without.out).toContain('openssl ts -verify')
  await expectSame([...args, '--json'], at)
  await expectSame(args, at)
  const verified = await expectSame([...args, '--authority', 'authority.pem', '--lang', 'ko'], at)
  expect(verified.out).toMatch(/20\d\d-\d\d-\d\dT[^ ]*Z/)
  expect((await expectSame([...args, '--authority', 'policy'], at)).code).toBe(2)
})

it('of lines that end in several ways, in a file and from the standard input', { timeout: 240_000 }, async () => {
  const at = join(work, 'ends')
  const proof = JSON.stringify(Object.values(kinds())[0])
  const vectors = JSON.parse(readFileSync(new URL('../../docs/formats/proof-lines.json', import.meta.url), 'utf8'))
  const ended = vectors.files.map(({ bytes }: { bytes: string }) => Buffer.from(bytes, 'base64'))
  const beside = JSON.stringify({ note: '\u2028\u2029\u0085' })
  const bytes = Buffer.concat([Buffer.from(`${proof}\r\n${beside}\n\n${proof}\n`), ...ended, Buffer.from('NaN\n')])
  put(join(at, 'policy'), passkeyPolicyText)
  put(join(at, 'ends.ndjson'), bytes)
  const { out } = await expectSame(['ends.ndjson', '--trust', 'policy'], at)
  expect(out).toContain('ends.ndjson:4: ')
  for (const stdin of [
    bytes,
    `NaN\n${proof}`,
    `${'9'.repeat(5000)}\n${proof}`,
    `\u00a0\n${proof}`,
    `${proof}\r\n${proof}`,
  ])
    await expectSame(['-', '--trust', 'policy'], at, stdin)
})

const standings = Object.entries(exitCodes)
const forged = forgedFiles()

it.each(standings)('of forged files that are %s: exit code %i', { timeout: 240_000 }, async (standing, code) => {
  for (const under of ['none', 'own', 'narrowed'] as const) {
    const files = forged.filter((each) => each.under === under && each.standing === standing).slice(0, 12)
    if (files.length === 0) continue
    const at = join(work, `${standing}-${under}`)
    if (policies[under]) put(join(at, 'policy'), policies.own ?? '')
    for (const [number, { text }] of files.entries()) put(join(at, `files/${number}.json`), text)
    const trust = under === 'none' ? [] : ['--trust', 'policy', ...(under === 'narrowed' ? ['--log', narrowedLog] : [])]
    // Few files get all lines each, many of them one line.
    for (const language of languages) {
      const ended = await expectSame(['files', ...trust, '--lang', language], at)
      expect(ended.code).toBe(code)
      await expectSame([join('files', '0.json'), ...trust, '--lang', language], at)
    }
    await expectSame(['files', '--json', ...trust], at)
  }
})

it.each([
  [[], 2],
  [['--trust'], 2],
  [['--truts', 'x', 'one.json'], 2],
  [['--strict=yes', 'one.json'], 2],
  [['--no-trust', '--trust', 'policy', 'one.json'], 2],
  [['--log', 'x', 'one.json'], 2],
  [['--declaration', 'x', 'one.json'], 2],
  [['--trust', 'policy', '--log', 'other.example/c/1', 'one.json'], 2],
  [['--trust', 'missing', 'one.json'], 2],
  [['--trust', 'one.json', 'one.json'], 2],
  [['--trust', 'policy', '--declaration', 'policy', 'one.json'], 2],
  [['none.json', '--trust', 'policy'], 2],
  [['one.json', 'none.json', '--trust', 'policy'], 2],
  [['one.json'], 3],
  [['one.json', '--no-trust'], 0],
  [['one.json', '--trust', 'policy'], 0],
  [['one.json', '--trust', 'policy', '--strict'], 0],
  [['sandbox.json', '--trust', 'policy'], 3],
  [['sandbox.json', '--trust', 'policy', '--sandbox'], 0],
  [['waiting.json', '--trust', 'policy'], 2],
  [['broken.json', 'twice.json', 'number.json', 'deep.json', 'empty.ndjson'], 2],
  [['-', '--trust', 'policy'], 0],
] as const)('of %j: exit code %i', { timeout: 120_000 }, async (args, code) => {
  const at = join(work, 'options')
  const made = Object.values(kinds()).map((each) => JSON.stringify(each))
  put(join(at, 'policy'), passkeyPolicyText)
  put(join(at, 'one.json'), `\ufeff${made[0]}`)
  put(join(at, 'sandbox.json'), forged.find((each) => each.standing === 'sandbox')?.text ?? '')
  put(join(at, 'waiting.json'), JSON.stringify({ data: { id: 'evt_1', waiting: { for: 'x' } } }))
  put(join(at, 'broken.json'), '{"a":')
  put(join(at, 'twice.json'), '{"a":1,"a":2}')
  put(join(at, 'number.json'), '{"a":12345678901234567890}')
  put(join(at, 'deep.json'), '['.repeat(101))
  put(join(at, 'empty.ndjson'), '\n')
  const stdin = args[0] === '-' ? made.slice(0, 3).join('\n') : ''
  // What is printed of files is compared in both languages above.
  const language = code === 2 ? 'ko' : 'en'
  expect((await expectSame([...args, '--lang', language], at, stdin)).code).toBe(code)
})
