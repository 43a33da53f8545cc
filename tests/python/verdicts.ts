/** Files for both verifiers, and what the two commands print about them. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text as wholeText } from 'node:stream/consumers'
import { document } from '@countersign/proof/test/arbitraries.ts'
import { anchored, passkeyPolicyText, witnesses } from '@countersign/proof/test/log.ts'
import { kinds } from '@countersign/proof/test/proof-kinds.ts'
import { ways } from '@countersign/proof/test/rewrites.ts'
import fc from 'fast-check'
import { main } from '../../packages/cli/test/program.ts'
import { compiled, folder } from './environment.ts'

export interface Said {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function said(
  program: string,
  args: readonly string[],
  more: object,
  at: string,
  stdin: string | Buffer = '',
): Promise<Said> {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', LANG: 'C', ...more }
  const child = spawn(program, args, { cwd: at, env })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  child.stdin.on('error', () => {}).end(stdin)
  const [out, err] = await Promise.all([wholeText(child.stdout), wholeText(child.stderr)])
  return { out, err, code: await ended }
}

/** What both print, in a folder; each calls itself by its own name. */
export async function bothSay(interpreter: string, args: readonly string[], at: string, stdin?: string | Buffer) {
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

/** Every kind of record; up to a third rewritten by whoever holds the log; and of the rest, one byte is changed in every second. */
export function madeExports(count: number, seed: number): Buffer[] {
  const some = fc.tuple(
    document,
    fc.subarray([...witnesses]),
    fc.nat({ max: 40 }),
    fc.nat(),
    fc.integer({ min: 1, max: 255 }),
  )
  const known = Object.values(kinds())
  const forged = [...ways('first'), ...ways('present')]
  const step = Math.max(1, Math.floor((forged.length * 3) / count))
  const rewritten = forged.filter((_made, at) => at % step === 0).slice(0, Math.ceil(count / 3))
  const found = [...known, ...rewritten.map((made) => made().document)].map((each) => Buffer.from(JSON.stringify(each)))
  const others = fc.sample(some, { numRuns: Math.max(0, count - found.length), seed })
  const generated = others.map(([each, cosigners, after, place, mask], at) => {
    const whole = Buffer.from(JSON.stringify(anchored(each, { cosigners, after })))
    return at % 2 === 0 ? whole : changed(whole, place, mask)
  })
  return [...found, ...generated].slice(0, count)
}

const lineFeed = 0x0a
/** Any byte but one that would end the line. */
function changed(bytes: Buffer, at: number, mask: number): Buffer {
  const place = at % bytes.length
  const byte = bytes[place] as number
  bytes[place] = (byte ^ mask) === lineFeed ? lineFeed + 1 : byte ^ mask
  return bytes
}

export const languages = ['en', 'ko'] as const

/** Verdicts, reasons, facts and sums of one file with a proof on each line, in both languages. */
export async function compareExports(interpreter: string, at: string, count: number, seed: number) {
  const made = madeExports(count, seed)
  writeFileSync(join(at, 'policy.txt'), passkeyPolicyText)
  writeFileSync(join(at, 'made.ndjson'), Buffer.concat(made.flatMap((each) => [each, Buffer.of(lineFeed)])))
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
  return { exports: made.length, languages: languages.length, lines, verdicts, differing }
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

export function put(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
