/** `countersign verify`: checks exported proofs from the files and a policy alone. */
import { readFileSync } from 'node:fs'
import { type ProofVerdict, parseExactly, parsePolicy, type TrustPolicy, verifyProof } from '@countersign/proof'
import { readOptions, UsageError } from './command-line.ts'
import { documentsIn, type Found, filesIn } from './documents.ts'
import { help } from './help.ts'
import { bar, coloured, marks, openProgress } from './progress.ts'
import { opensslCommand, quoted, timestampFiles } from './timestamp-files.ts'
import { compactLine, fullLines, headline, type Judged, row } from './verdict-lines.ts'
import type { Speech } from './words.ts'

const ownOptions = { policy: 'string', strict: 'boolean', 'timestamp-out': 'string' } as const
const command = 'countersign verify'
/** Above this number each proof gets one line, and details only when it is invalid. */
const fewFiles = 5

interface Wanted {
  readonly policy: TrustPolicy | null
  readonly strict: boolean
  readonly json: boolean
  readonly timestampOut: string | undefined
  readonly inFull: boolean
}

type Outcome = 'holds' | 'fails' | 'unread'

export async function verify(args: readonly string[], spoken: Speech): Promise<number> {
  const { say } = spoken
  const { options, words } = readOptions(args, ownOptions, spoken, command)
  if (options.help) {
    process.stdout.write(help.verify[spoken.language])
    return 0
  }
  if (words.length === 0) throw new UsageError(say('noFiles'), command)
  const files = await filesIn(words)
  const wanted: Wanted = {
    policy: options.policy === undefined ? null : readPolicy(options.policy, spoken, command),
    strict: options.strict ?? false,
    json: options.json ?? false,
    timestampOut: options['timestamp-out'],
    inFull: files.length <= fewFiles,
  }
  const counts = { holds: 0, fails: 0, unread: 0 }
  const progress = openProgress()
  for (const [at, file] of files.entries()) {
    for await (const found of documentsIn(file)) {
      const { outcome, printed } = told(found, wanted, spoken)
      counts[outcome]++
      progress.clear()
      process.stdout.write(printed)
      progress.show(() => `${bar(at, files.length)} ${say('checkedSoFar', { done: at, total: files.length })}`)
    }
  }
  progress.clear()
  if (!wanted.json) process.stdout.write(summary(counts, wanted, spoken))
  if (counts.fails > 0) return 1
  return counts.unread > 0 || counts.holds === 0 ? 2 : 0
}

export function readPolicy(file: string, { say }: Speech, forCommand: string): TrustPolicy {
  try {
    return parsePolicy(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(say('badPolicy', { file, why: (error as Error).message }), forCommand)
  }
}

function told(found: Found, wanted: Wanted, spoken: Speech): { outcome: Outcome; printed: string } {
  const { name } = found
  if ('unread' in found) {
    const line = coloured('no', `${marks.no} ${name}: ${spoken.say('notRead', { why: found.unread })}`)
    return { outcome: 'unread', printed: wanted.json ? jsonLine({ file: name, unread: found.unread }) : `${line}\n` }
  }
  let document: unknown
  try {
    document = parseExactly(found.text.replace(/^\ufeff/, ''))
  } catch (error) {
    const why = (error as Error).message
    const line = `${headline(name, 'fails', spoken)}\n${row('', spoken.say('notAProof', { why }))}\n`
    return { outcome: 'fails', printed: wanted.json ? jsonLine({ file: name, ok: false, notAProof: why }) : line }
  }
  const verdict = verifyProof(document, wanted.policy)
  const judged = judgedAs(verdict, wanted.strict)
  const holds = judged === 'holds' || judged === 'holdsPartly'
  const outcome = holds ? 'holds' : 'fails'
  const stamp = verdict.facts.timestamped && timestampFiles(document, name, wanted.timestampOut)
  const openssl = stamp && opensslCommand(stamp)
  if (wanted.json) {
    return { outcome, printed: jsonLine({ file: name, ...verdict, ok: holds, ...(openssl && { openssl }) }) }
  }
  if (!wanted.inFull && holds) return { outcome, printed: `${compactLine(name, verdict, judged, spoken)}\n` }
  const lines = fullLines(name, verdict, judged, spoken)
  if (openssl) {
    lines.push(row(spoken.say('timestamp'), spoken.say('timestampFacts', { at: verdict.facts.timestamped?.at ?? '' })))
    if (wanted.timestampOut === undefined) lines.push(`      ${command} ${quoted(name)} --timestamp-out .`)
    lines.push(`      ${openssl}`)
  }
  return { outcome, printed: `${lines.join('\n')}\n` }
}

function judgedAs({ ok, complete }: ProofVerdict, strict: boolean): Judged {
  if (!ok) return 'fails'
  if (complete) return 'holds'
  return strict ? 'notComplete' : 'holdsPartly'
}

const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`

function summary(counts: Readonly<Record<Outcome, number>>, wanted: Wanted, { say }: Speech): string {
  const files = counts.holds + counts.fails
  const lines: string[] = []
  if (counts.fails > 0) lines.push(coloured('no', say('sumSome', { files, failed: counts.fails })))
  else if (files > 1) lines.push(coloured('yes', say('sumAll', { files })))
  if (counts.unread > 0) lines.push(coloured('no', say('sumUnread', { files, unread: counts.unread })))
  if (wanted.policy === null && files > 0) lines.push(say('policyHint'))
  return lines.map((line) => `${line}\n`).join('')
}
