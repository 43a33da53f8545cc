/** Files for both verifiers, and what the two commands print about them. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text as wholeText } from 'node:stream/consumers'
import { document } from '@countersign/proof/test/arbitraries.ts'
import { anchored, passkeyPolicyText, witnesses } from '@countersign/proof/test/log.ts'
import { kinds } from '@countersign/proof/test/proof-kinds.ts'
import { rewrites } from '@countersign/proof/test/rewrites.ts'
import fc from 'fast-check'
import { main } from '../../packages/cli/test/program.ts'
import { compiled, folder } from './environment.ts'

export interface Said {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function said(program: string, args: readonly string[], more: object, at: string, stdin = ''): Promise<Said> {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', LANG: 'C', ...more }
  const child = spawn(program, args, { cwd: at, env })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  child.stdin.on('error', () => {}).end(stdin)
  const [out, err] = await Promise.all([wholeText(child.stdout), wholeText(child.stderr)])
  return { out, err, code: await ended }
}

/** What both print, in a folder; each calls itself by its own name. */
export async function bothSay(interpreter: string, args: readonly string[], at: string, stdin?: string) {
  const [ours, theirs] = await Promise.all([
    said(
      process.execPath,
      [main, 'verify', ...args],
      { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      at,
      stdin,
    ),
    said(
      interpreter,
      ['-m', 'countersign', 'verify', ...args],
      { PYTHONPATH: join(folder, 'src'), ...compiled },
      at,
      stdin,
    ),
  ])
  const named = (text: string) => text.replaceAll('python -m countersign verify', 'countersign verify')
  return { ours, theirs: { ...theirs, out: named(theirs.out), err: named(theirs.err) } }
}

/** A third honest, a third with one byte changed, a third rewritten by whoever holds the log, and every kind of record. */
export function madeExports(count: number, seed: number): string[] {
  const some = fc.tuple(
    document,
    fc.subarray([...witnesses]),
    fc.nat({ max: 40 }),
    fc.nat(),
    fc.integer({ min: 1, max: 255 }),
  )
  const forged = [...rewrites('first'), ...rewrites('present')].map((each) => JSON.stringify(each.document))
  const third = Math.ceil(count / 3)
  const step = Math.max(1, Math.floor(forged.length / third))
  const rewritten = forged.filter((_each, at) => at % step === 0).slice(0, third)
  const known = Object.values(kinds()).map((each) => JSON.stringify(each))
  const found = [...known, ...rewritten].filter(fits)
  // What is left out is made again, until there are as many as were asked for.
  const runs = count * 2
  const honest: string[] = []
  const altered: string[] = []
  const half = Math.ceil((count - found.length) / 2)
  for (const [each, cosigners, after, at, mask] of fc.sample(some, { numRuns: runs, seed })) {
    const into = honest.length < half ? honest : altered
    if (found.length + honest.length + altered.length >= count) break
    const whole = JSON.stringify(anchored(each, { cosigners, after }))
    const text = into === honest ? whole : changed(whole, at, mask)
    if (fits(text)) into.push(text)
  }
  return [...found, ...honest, ...altered]
}

/** One line in a file for both: Node also ends a line at a separator of Unicode. */
const fits = (text: string): boolean => !/[\n\r\u2028\u2029\ufffd]/.test(text)

function changed(text: string, at: number, mask: number): string {
  const bytes = Buffer.from(text)
  const place = at % bytes.length
  bytes[place] = (bytes[place] as number) ^ mask
  return bytes.toString()
}

export const languages = ['en', 'ko'] as const

/** Verdicts, reasons, facts and sums of one file with a proof on each line, in both languages. */
export async function compareExports(interpreter: string, at: string, count: number, seed: number) {
  const texts = madeExports(count, seed)
  writeFileSync(join(at, 'policy.txt'), passkeyPolicyText)
  writeFileSync(join(at, 'made.ndjson'), texts.map((each) => `${each}\n`).join(''))
  const differing: string[] = []
  const verdicts: Record<string, number> = {}
  let lines = 0
  for (const language of languages) {
    const { ours, theirs } = await bothSay(
      interpreter,
      ['made.ndjson', '--trust', 'policy.txt', '--lang', language],
      at,
    )
    const [wanted, printed] = [ours.out.split('\n'), theirs.out.split('\n')]
    for (let line = 0; line < Math.max(wanted.length, printed.length); line++) {
      const mark = /^([✓✗?]) made\.ndjson:/.exec(wanted[line] ?? '')?.[1]
      if (mark) verdicts[mark] = (verdicts[mark] ?? 0) + 1
      if (wanted[line] !== printed[line])
        differing.push(`${language} ${line}: ${printed[line]} instead of ${wanted[line]}`)
    }
    if (ours.code !== theirs.code) differing.push(`${language}: exit code ${theirs.code} instead of ${ours.code}`)
    lines += wanted.length
  }
  return { exports: texts.length, languages: languages.length, lines, verdicts, differing }
}

interface Vector {
  readonly document: object
}

/** The shared vectors: each with its policy, and the declarations that its format names. */
export function vectorFiles(name: string): { policy: string; files: readonly Vector[] } {
  const path = new URL(`../../docs/formats/${name}.json`, import.meta.url)
  const { policy, files, exports = {} } = JSON.parse(readFileSync(path, 'utf8'))
  return { policy, files: files ?? Object.values(exports).flat() }
}

export function put(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
