/** `countersign verify-export`: checks the export of a whole center from its files and a policy alone. */
import {
  checkNote,
  type Domain,
  emptyRoot,
  isSandboxLog,
  logKeyFor,
  parseCheckpoint,
  parseNote,
  shownJson,
  type TrustPolicy,
} from '@countersign/proof'
import { type Check, check, readCheckpoint } from './checks.ts'
import { readOptions, UsageError } from './command-line.ts'
import { collectChanges } from './export-changes.ts'
import { type FileSet, linesIn, openFiles } from './export-files.ts'
import { checkLog, type Explained, type LogPlan, type LogReport } from './export-log.ts'
import { filesFault, filesOfPart, type Manifest, NotAnExport, readManifest } from './export-manifest.ts'
import { inLines, tell } from './fold.ts'
import { help } from './help.ts'
import { printed } from './printed.ts'
import { coloured, marks, openProgress, type Progress } from './progress.ts'
import { row } from './verdict-lines.ts'
import { readPolicy } from './verify.ts'
import type { Speech } from './words.ts'

export const verifyExportOptions = { trust: 'string', 'no-trust': 'boolean', sandbox: 'boolean' } as const
const command = 'countersign verify-export'

interface Context {
  readonly files: FileSet
  readonly manifest: Manifest
  readonly policy: TrustPolicy | null
  readonly progress: Progress
  readonly spoken: Speech
}

interface DomainReport extends Omit<LogReport, 'root' | 'fault'> {
  readonly domain: Domain
  readonly log: string
  readonly checks: readonly Check[]
}

/** 0: everything holds. 1: something does not. 2: it cannot be read. 3: nobody vouches for it, or it is of a sandbox. */
export async function verifyExportCommand(args: readonly string[], spoken: Speech): Promise<number> {
  const { say } = spoken
  const { options, words } = readOptions(args, verifyExportOptions, spoken, command)
  if (options.help) {
    process.stdout.write(help('verify-export', spoken.language))
    return 0
  }
  const [path, ...more] = words
  if (path === undefined || more.length > 0) throw new UsageError(say('oneExport'), command)
  if (options.trust !== undefined && options['no-trust']) throw new UsageError(say('policyTwice'), command)
  const policy = options.trust === undefined ? null : readPolicy(options.trust, spoken, command)
  const progress = openProgress()
  try {
    const files = await openFiles(path)
    const manifest = await readManifest(files)
    const context: Context = { files, manifest, policy, progress, spoken }
    const inFiles = await filesCheck(context)
    const logs = inFiles.status === 'no' ? [] : await checkLogs(context)
    progress.clear()
    const checks = [inFiles, ...logs.flatMap((each) => each.checks)]
    const ok = checks.every(({ status }) => status !== 'no')
    const sandbox = logs.some(({ log }) => isSandboxLog(log))
    const isVouched = policy === null ? options['no-trust'] : !checks.some(({ word }) => vouching.includes(word))
    const code = !ok ? 1 : isVouched && (!sandbox || options.sandbox) ? 0 : 3
    const { center, sha256, completedAt } = manifest
    if (options.json) {
      const told = {
        ok: code === 0,
        code,
        center,
        completedAt,
        manifestSha256: sha256,
        sandbox,
        vouched: policy !== null && isVouched,
      }
      const described = (each: Check) => ({ ...each, message: say(each.word, each.facts) })
      const each = logs.map(({ checks: own, ...log }) => ({ ...log, checks: own.map(described) }))
      process.stdout.write(`${shownJson(JSON.stringify({ ...told, files: described(inFiles), logs: each }))}\n`)
    } else print(context, inFiles, logs, code)
    return code
  } catch (error) {
    progress.clear()
    const why = (error as Error).message
    const isKnown = error instanceof NotAnExport || typeof (error as NodeJS.ErrnoException).code === 'string'
    tell(`${say(isKnown ? 'notAnExport' : 'exportUnread', { file: path, why })}\n`, process.stderr)
    return error instanceof NotAnExport || isKnown ? 2 : 1
  }
}

async function filesCheck({ files, manifest, progress, spoken }: Context): Promise<Check> {
  const total = manifest.files.length
  const fault = await filesFault(files, manifest, (done) =>
    progress.show(() => spoken.say('checkedSoFar', { done, total })),
  )
  if (fault !== null) return check('files', 'no', 'x files-differ', { why: fault })
  const lines = Object.values(manifest.parts).reduce((sum, each) => sum + each, 0)
  return check('files', 'yes', 'x files-hold', { count: total, lines, sha256: manifest.sha256 })
}

/** The history first: it explains what is gone in the others. */
async function checkLogs(context: Context): Promise<readonly DomainReport[]> {
  const changes = collectChanges()
  const history = await checkDomain(context, 'history', null, changes.watch, changes.fault)
  const others: DomainReport[] = []
  for (const domain of ['proof', 'dpu'] as const) others.push(await checkDomain(context, domain, changes))
  return [...others, history]
}

async function checkDomain(
  { files, manifest, policy, progress, spoken }: Context,
  domain: Domain,
  explained: Explained | null,
  watch?: LogPlan['watch'],
  later: () => string | null = () => null,
): Promise<DomainReport> {
  const { log, size, note } = manifest.logs[domain]
  const lines = (part: string) => linesIn(files, filesOfPart(manifest, part))
  const committed = domain === 'history' ? 'changes' : `units-${domain}`
  const report = await checkLog(
    { entries: lines(`log-${domain}`), committed: lines(committed), checkpoints: lines(`checkpoints-${domain}`) },
    {
      domain,
      log,
      explained,
      isSigned: (each) => policy !== null && isSignedBy(policy, each),
      ...(watch && { watch }),
      arrived: (done) => progress.show(() => `${domain}: ${spoken.say('checkedSoFar', { done, total: size })}`),
    },
  )
  const { root, fault: inLog, ...counts } = report
  const fault = inLog ?? later()
  const checks: Check[] = []
  if (fault !== null) checks.push(check('entries', 'no', 'x log-fault', { why: fault }))
  else if (counts.entries !== size) {
    checks.push(check('entries', 'no', 'x log-short', { size, found: counts.entries }))
  } else checks.push(check('entries', 'yes', 'x log-holds', { size, shown: counts.shown, gone: counts.gone }))
  checks.push(...closingChecks(log, size, note, root, policy))
  if (policy !== null && counts.checkpoints > 0) {
    const { checkpoints: count, signed } = counts
    checks.push(check('checkpoints', signed === count ? 'yes' : 'unknown', 'x checkpoints', { count, signed }))
  }
  return { ...counts, domain, log, checks }
}

/** The checkpoint of the last entry: its root, the signature of the log, and its witnesses. */
function closingChecks(
  log: string,
  size: number,
  note: string | null,
  root: Uint8Array,
  policy: TrustPolicy | null,
): readonly Check[] {
  if (size === 0 && note === null && Buffer.from(root).equals(emptyRoot)) return []
  if (note === null) return [check('root', 'no', 'a checkpoint-missing')]
  try {
    const read = parseCheckpoint(parseNote(note).text)
    if (read.origin !== log || read.size !== size) return [check('root', 'no', 'a another-log', { log: read.origin })]
    if (!Buffer.from(root).equals(read.root)) return [check('root', 'no', 'a root-differs')]
    const equal = check('root', 'yes', 'a root-equal', { root: Buffer.from(root).toString('base64') })
    return [equal, ...(policy === null ? [] : readCheckpoint(note, log, policy).checks.map(unvouched))]
  } catch (error) {
    return [check('root', 'no', 'a checkpoint-malformed', { why: (error as Error).message })]
  }
}

const vouching: readonly Check['word'][] = ['a signed-by-nobody-known', 'a quorum-not-met']

/** Where nobody vouches, nothing is wrong with the files. */
const unvouched = (each: Check): Check => (vouching.includes(each.word) ? { ...each, status: 'unknown' } : each)

/** An earlier generation of a log has another name and the same keys. */
function isSignedBy(policy: TrustPolicy, note: string): boolean {
  const parsed = parseNote(note)
  const { origin } = parseCheckpoint(parsed.text)
  const keys = policy.logs.flatMap(({ key }) => logKeyFor(key, origin) ?? [])
  const { signedBy, bad } = checkNote(parsed, keys)
  if (bad.length > 0) throw new Error("a signature wasn't made with the log's key")
  return signedBy.length > 0
}

function print({ manifest, policy, spoken }: Context, files: Check, logs: readonly DomainReport[], code: number): void {
  const { say } = spoken
  const line = ({ about, status, word, facts }: Check) =>
    row(say(about), coloured(status, `${marks[status]} `) + say(word, facts))
  const { id, name } = manifest.center
  const lines = [say('exportOf', { id, name, at: manifest.completedAt }), line(files)]
  for (const { domain, log, checks } of logs)
    lines.push('', `${domain} (${printed(log, spoken.language)})`, ...checks.map(line))
  const verdict = code === 0 ? (policy ? 'exportHolds' : 'exportAlone') : code === 1 ? 'auditFails' : 'exportUnvouched'
  lines.push('', coloured(code === 0 ? 'yes' : code === 1 ? 'no' : 'unknown', say(verdict)))
  if (code !== 1) lines.push(say('exportLimits'))
  if (logs.some(({ log }) => isSandboxLog(log))) lines.push(coloured('unknown', say('isSandbox')))
  tell(inLines(lines))
}
