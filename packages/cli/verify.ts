/** `countersign verify`: checks exported proofs from the files and a policy alone. */
import { readFileSync } from 'node:fs'
import {
  isWaiting,
  narrowedTo,
  type ProofVerdict,
  parseExactly,
  parsePolicy,
  shown,
  shownJson,
  summaryOf,
  type TrustPolicy,
  verifyProof,
} from '@countersign/proof'
import { readOptions, UsageError } from './command-line.ts'
import { documentsIn, type Found, filesIn } from './documents.ts'
import { tell } from './fold.ts'
import { help } from './help.ts'
import type { LaterChange } from './later-changes.ts'
import { lookUp, type OnlineHistory } from './online-history.ts'
import { printed as shortened } from './printed.ts'
import { bar, coloured, marks, openProgress } from './progress.ts'
import { opensslCommand, quoted, timestampFiles } from './timestamp-files.ts'
import { compactLine, fullLines, type Judged, laterInWords, row } from './verdict-lines.ts'
import type { Speech } from './words.ts'

export const verifyOptions = {
  trust: 'string',
  'no-trust': 'boolean',
  declaration: 'string',
  log: 'string',
  authority: 'string',
  strict: 'boolean',
  sandbox: 'boolean',
  'timestamp-out': 'string',
  online: 'boolean',
  'base-url': 'string',
  key: 'string',
  'key-file': 'string',
} as const
const command = 'countersign verify'
/** Above this number each proof gets one line, and details only when it is invalid. */
const fewFiles = 5

interface Wanted {
  readonly policy: TrustPolicy | null
  /** It is enough that a file agrees with itself. */
  readonly alone: boolean
  readonly authorities: readonly string[]
  /** Declarations of lost entries. */
  readonly declarations: readonly unknown[]
  readonly strict: boolean
  /** Test data of a sandbox is enough. */
  readonly sandbox: boolean
  readonly json: boolean
  readonly timestampOut: string | undefined
  readonly inFull: boolean
  readonly online: OnlineHistory | null
}

/** `unjudged`: made by a newer version, or without the rules it was sealed under. */
type Outcome = 'holds' | 'altered' | 'unvouched' | 'unjudged' | 'unread'

/** 0: all hold. 1: one is altered. 2: one cannot be read or is not a proof. 3: nobody vouches for one, or it cannot be judged. */
export async function verify(args: readonly string[], spoken: Speech): Promise<number> {
  const { say } = spoken
  const { options, words } = readOptions(args, verifyOptions, spoken, command)
  if (options.help) {
    process.stdout.write(help('verify', spoken.language))
    return 0
  }
  if (words.length === 0) throw new UsageError(say('noFiles'), command)
  if (options.trust !== undefined && options['no-trust']) throw new UsageError(say('policyTwice'), command)
  if (options.trust === undefined && options.declaration !== undefined) {
    throw new UsageError(say('declarationNeedsPolicy'), command)
  }
  if (options.trust === undefined && options.log !== undefined) throw new UsageError(say('logNeedsPolicy'), command)
  const files = await filesIn(words)
  const wanted: Wanted = {
    policy: options.trust === undefined ? null : readPolicy(options.trust, spoken, command, options.log),
    alone: options['no-trust'] ?? false,
    authorities: options.authority === undefined ? [] : [readAuthority(options.authority, spoken)],
    declarations: options.declaration === undefined ? [] : readDeclarations(options.declaration, spoken),
    strict: options.strict ?? false,
    sandbox: options.sandbox ?? false,
    json: options.json ?? false,
    timestampOut: options['timestamp-out'],
    inFull: files.length <= fewFiles,
    online: null,
  }
  const online = options.online ? await lookUp(options, wanted, spoken) : null
  if (typeof online === 'number') return online
  const counts = { holds: 0, altered: 0, unvouched: 0, unjudged: 0, unread: 0 }
  const progress = openProgress()
  let isFirst = true
  for (const [at, file] of files.entries()) {
    for await (const found of documentsIn(file)) {
      const { outcome, printed } = told(found, { ...wanted, online }, spoken)
      counts[outcome]++
      progress.clear()
      const apart = wanted.json || !wanted.inFull || isFirst ? printed : `\n${printed}`
      if (wanted.json) process.stdout.write(apart)
      else tell(apart)
      isFirst = false
      progress.show(() => `${bar(at, files.length)} ${say('checkedSoFar', { done: at, total: files.length })}`)
    }
  }
  progress.clear()
  if (!wanted.json) tell(summary(counts, wanted, spoken))
  if (counts.altered > 0) return 1
  if (counts.unread > 0) return 2
  if (counts.unvouched + counts.unjudged > 0) return 3
  return counts.holds === 0 ? 2 : 0
}

export function readPolicy(file: string, { say }: Speech, forCommand: string, log?: string): TrustPolicy {
  try {
    const policy = parsePolicy(readFileSync(file, 'utf8'))
    return log === undefined ? policy : narrowedTo(policy, log)
  } catch (error) {
    throw new UsageError(say('badPolicy', { file, why: (error as Error).message }), forCommand)
  }
}

function readAuthority(file: string, { say }: Speech): string {
  try {
    const text = readFileSync(file, 'utf8')
    if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(say('noCertificate'))
    return text
  } catch (error) {
    throw new UsageError(say('badAuthority', { file, why: (error as Error).message }), command)
  }
}

/** One declaration, or the list of a chain's generations as a server shows it. */
function readDeclarations(file: string, { say }: Speech): readonly unknown[] {
  try {
    const read = parseExactly(readFileSync(file, 'utf8').replace(/^\ufeff/, ''))
    const { generations, data } = (read ?? {}) as { generations?: unknown; data?: { generations?: unknown } }
    const listed = generations ?? data?.generations
    if (!Array.isArray(listed)) return [read]
    return listed.map((each) => (each as { declaration?: unknown } | null)?.declaration)
  } catch (error) {
    throw new UsageError(say('badDeclaration', { file, why: (error as Error).message }), command)
  }
}

function told(found: Found, wanted: Wanted, spoken: Speech): { outcome: Outcome; printed: string } {
  const { name } = found
  const notRead = (about: 'unread' | 'notAProof', why: string) => {
    const said = spoken.say(about === 'unread' ? 'notRead' : 'notAProof', { why })
    const line = coloured('no', `${marks.no} ${shortened(name, spoken.language)}: ${said}`)
    const printed = wanted.json ? jsonLine({ file: name, ok: false, [about]: why }) : `${line}\n`
    return { outcome: 'unread', printed } as const
  }
  if ('unread' in found) return notRead('unread', found.unread)
  let document: unknown
  try {
    document = parseExactly(found.text.replace(/^\ufeff/, ''))
  } catch (error) {
    return notRead('notAProof', (error as Error).message)
  }
  const { authorities, sandbox } = wanted
  const declarations = [...wanted.declarations, ...(wanted.online?.declarations ?? [])]
  const verdict = verifyProof(document, wanted.policy, { authorities, sandbox, declarations })
  const { text: summary, warnings: lookAlikes } = summaryOf(document, verdict, spoken.language)
  if (verdict.standing === 'not-a-proof')
    return notRead('notAProof', isWaiting(document) ? summary : verdict.intact.detail)
  const later = wanted.online?.changes.after(document, wanted.online.log) ?? null
  const judged = judgedAs(verdict, wanted, later)
  const holds = judged === 'holds' || judged === 'alone'
  const unjudged = judged === 'newer' || judged === 'rulesHidden'
  const outcome = holds ? 'holds' : judged === 'altered' ? 'altered' : unjudged ? 'unjudged' : 'unvouched'
  const { timestamp } = verdict.facts
  const stamp = timestamp && timestampFiles(document, name, wanted.timestampOut)
  const openssl = stamp && opensslCommand(stamp)
  const online = wanted.online && { log: wanted.online.log, size: wanted.online.size, later }
  if (wanted.json) {
    const more = { ...(openssl && { openssl }), ...(online && { online }) }
    return {
      outcome,
      printed: jsonLine({ summary, lookAlikes, file: name, ...verdict, ok: holds && verdict.ok, ...more }),
    }
  }
  if (!wanted.inFull && holds)
    return { outcome, printed: `${compactLine(name, verdict, judged, spoken)}\n    ${summary}\n` }
  const lines = [
    summary,
    ...lookAlikes.map((each) => coloured('no', `! ${each}`)),
    ...fullLines(name, verdict, judged, spoken),
  ]
  if (online) lines.push(row(spoken.say('later'), laterInWords(online.later, online.size, spoken)))
  if (timestamp?.status === 'verified') {
    lines.push(row(spoken.say('timestamp'), spoken.say('stampVerified', { ...timestamp })))
  } else if (timestamp) {
    lines.push(row(spoken.say('timestamp'), spoken.say(`stamp ${timestamp.why}`)))
    if (openssl && timestamp.why !== 'other-authority') {
      if (wanted.timestampOut === undefined) lines.push(`      ${command} ${shown(quoted(name))} --timestamp-out .`)
      lines.push(`      ${openssl}`)
    }
  }
  return { outcome, printed: `${lines.join('\n')}\n` }
}

export function judgedAs(
  { standing, complete, ok, hidesRules }: ProofVerdict,
  { policy, alone, strict, online }: Pick<Wanted, 'policy' | 'alone' | 'strict' | 'online'>,
  later: readonly LaterChange[] | null,
): Judged {
  if (standing === 'altered' || standing === 'not-a-proof') return 'altered'
  if (standing === 'newer') return 'newer'
  if (strict && !complete) return 'notComplete'
  if (standing === 'sandbox' && !ok) return 'sandbox'
  if (standing === 'lost') return 'lost'
  if (standing === 'rules-hidden' || (hidesRules && alone)) return 'rulesHidden'
  if (ok && later !== null && later.length > 0) return 'outdated'
  // Whether a record of another center was changed later, nobody was asked.
  if (ok) return online !== null && later === null ? 'unvouched' : 'holds'
  return policy === null && alone ? 'alone' : 'unvouched'
}

const jsonLine = (value: object): string => `${shownJson(JSON.stringify(value))}\n`

function summary(counts: Readonly<Record<Outcome, number>>, wanted: Wanted, { say }: Speech): string {
  const { altered, unvouched, unjudged, unread } = counts
  const files = counts.holds + altered + unvouched + unjudged
  const lines: string[] = []
  if (altered > 0) lines.push(coloured('no', say('sumSome', { files, failed: altered })))
  if (unvouched > 0 && files > 1) lines.push(coloured('unknown', say('sumUnvouched', { files, unvouched })))
  if (unjudged > 0 && files > 1) lines.push(coloured('unknown', say('sumUnjudged', { files, unjudged })))
  if (altered + unvouched + unjudged === 0 && files > 1) {
    lines.push(
      wanted.alone ? coloured('unknown', say('sumAlone', { files })) : coloured('yes', say('sumAll', { files })),
    )
  }
  if (unread > 0) lines.push(coloured('no', say('sumUnread', { files, unread })))
  if (wanted.policy === null && !wanted.alone && files > 0) lines.push(say('policyHint'))
  return lines.map((line) => `${line}\n`).join('')
}
