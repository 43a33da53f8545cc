/** `countersign audit`: compares all entries of a center's logs with signed checkpoints and with earlier audits. */
import { hash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Domain, domains, isSandboxLog, parseExactly, shownJson } from '@countersign/proof'
import { auditDomain, type DomainReport } from './audit-domain.ts'
import { watchEmergencies } from './audit-emergencies.ts'
import { watchGroups } from './audit-groups.ts'
import { chainLines, trustLines, verdictLines } from './audit-lines.ts'
import { replayRules } from './audit-rules.ts'
import { watchStops } from './audit-stops.ts'
import { watchUse } from './audit-usable.ts'
import { compareValues } from './audit-values.ts'
import type { Check } from './checks.ts'
import { readOptions, UsageError } from './command-line.ts'
import { documentsIn, filesIn } from './documents.ts'
import type { ValuedEntry } from './entry-lines.ts'
import { inLines, tell } from './fold.ts'
import { help } from './help.ts'
import { type Changes, collectChanges, type LaterChange } from './later-changes.ts'
import { byPolicy, byPublishedKeys, type LogTrust } from './log-trust.ts'
import { type Memory, MemoryError, recall, remember } from './memory.ts'
import { openProgress } from './progress.ts'
import { baseUrlOf, keyOf } from './server-options.ts'
import { ChainBroken, openService, type Service, ServiceError } from './service.ts'
import { laterLine } from './verdict-lines.ts'
import { readPolicy } from './verify.ts'
import type { Speech } from './words.ts'

export const auditOptions = {
  'base-url': 'string',
  key: 'string',
  'key-file': 'string',
  domain: 'string',
  memory: 'string',
  trust: 'string',
  wait: 'string',
} as const
const command = 'countersign audit'

export async function audit(args: readonly string[], spoken: Speech): Promise<number> {
  const { say } = spoken
  const { options, words } = readOptions(args, auditOptions, spoken, command)
  if (options.help) {
    process.stdout.write(help('audit', spoken.language))
    return 0
  }
  const misused = (message: string) => new UsageError(message, command)
  const baseUrl = baseUrlOf(options['base-url'], spoken, command)
  const asked = domainsOf(options.domain ?? 'all', spoken)
  if (words.length > 0 && !asked.includes('history')) throw misused(say('filesNeedHistory'))
  const key = keyOf(options.key, options['key-file'], spoken, command)
  const file = options.memory ?? usualMemory()
  const policy = options.trust === undefined ? null : readPolicy(options.trust, spoken, command)
  const wait = Number(options.wait ?? 20)
  if (!(wait >= 0)) throw misused(say('optionNeedsValue', { name: '--wait' }))

  const progress = openProgress()
  const service = openService(baseUrl, key, spoken, progress.note)
  const reports: DomainReport[] = []
  const changes = collectChanges()
  const rules = replayRules()
  const use = watchUse()
  const emergencies = watchEmergencies()
  const stops = watchStops()
  const groups = watchGroups()
  try {
    let memory = recall(file)
    const now = new Date().toISOString()
    const trust = policy ? byPolicy(policy) : await publishedTrust(service, memory, now, spoken)
    const print = (lines: readonly string[]) => {
      progress.clear()
      if (!options.json) tell(inLines(lines))
    }
    print(trustLines(baseUrl, trust, options.trust, spoken))
    if (trust.kind !== 'policy') memory = remember(file, withKeys(trust, baseUrl))

    const fingerprint = hash('sha256', key, 'hex').slice(0, 16)
    for (const domain of asked) {
      const values = compareValues()
      function watch(entry: ValuedEntry): void {
        values.watch(entry)
        if (domain === 'proof') rules.watchSeal(entry)
        if (domain === 'history') rules.watchChange(entry)
        if (domain === 'proof') use.watchSeal(entry)
        if (domain === 'history') use.watchChange(entry)
        if (domain === 'proof') emergencies.watchSeal(entry)
        if (domain === 'history') emergencies.watchChange(entry)
        if (domain === 'proof') stops.watchSeal(entry)
        if (domain === 'history') stops.watchChange(entry)
        if (domain === 'proof') groups.watchSeal(entry)
        if (domain === 'history') groups.watchChange(entry)
        if (domain === 'history') changes.watch(entry)
      }
      const context = { service, trust, fingerprint, now, wait, progress, spoken, withValues: true, watch }
      const { report: audited, learn } = await auditDomain(domain, memory, context)
      const isReplayed = domain === 'history' && asked.includes('proof')
      const report = withChecks(audited, [
        ...values.checks(),
        ...(isReplayed ? [rules, use, emergencies, stops, groups].flatMap((each) => each.checks()) : []),
      ])
      reports.push(report)
      // Saved at once: a failure in a later chain must not lose the result for this one.
      memory = remember(file, learn)
      print(chainLines(report, spoken))
    }
    const ok = reports.every((report) => report.ok) && trust.unendorsed.length === 0
    const history = reports.find(({ domain }) => domain === 'history')
    const files = history ? await comparedFiles(words, changes, history, spoken) : []
    print(files.map(({ line }) => line))
    print(verdictLines(ok, reports, file, spoken))
    if (options.json)
      process.stdout.write(
        `${shownJson(JSON.stringify({ ...asJson(ok, baseUrl, trust, reports, file, spoken), ...(words.length > 0 && { files: files.map(({ line: _, ...each }) => each) }) }))}\n`,
      )
    if (!ok) return 1
    return files.every(({ later }) => later !== null && later.length === 0) ? 0 : 3
  } catch (error) {
    progress.clear()
    if (error instanceof MemoryError) throw misused(say('badMemory', { file, why: error.message }))
    if (!(error instanceof ServiceError)) throw error
    tell(`${error.message}\n`, process.stderr)
    return error instanceof ChainBroken || reports.some(({ ok }) => !ok) ? 1 : 2
  }
}

const withChecks = (report: DomainReport, more: readonly Check[]): DomainReport => ({
  ...report,
  checks: [...report.checks, ...more],
  ok: report.ok && more.every(({ status }) => status !== 'no'),
})

/** Whether the log has changes that these files do not show. */
async function comparedFiles(names: readonly string[], changes: Changes, { log, size }: DomainReport, spoken: Speech) {
  const found: { file: string; later: readonly LaterChange[] | null; line: string }[] = []
  for (const name of await filesIn(names)) {
    for await (const each of documentsIn(name)) {
      const later = 'text' in each ? changes.after(documentIn(each.text), log) : null
      found.push({ file: each.name, later, line: laterLine(each.name, later, size, spoken) })
    }
  }
  return found
}

function documentIn(text: string): unknown {
  try {
    return parseExactly(text.replace(/^\ufeff/, '')) ?? {}
  } catch {
    return {}
  }
}

async function publishedTrust(service: Service, memory: Memory, now: string, { say }: Speech): Promise<LogTrust> {
  const published = await service.logDocument()
  if (published === null) throw new ServiceError(say('noLogDocument'))
  try {
    return byPublishedKeys(published, memory, service.baseUrl, now)
  } catch (error) {
    throw new ServiceError(say('badAnswer', { why: (error as Error).message }))
  }
}

const withKeys =
  ({ host, keys }: LogTrust, baseUrl: string) =>
  (memory: Memory): Memory => ({
    ...memory,
    addresses: { ...memory.addresses, [baseUrl]: host },
    hosts: { ...memory.hosts, [host]: { keys } },
  })

function domainsOf(name: string, { say }: Speech): readonly Domain[] {
  if (name === 'all') return domains
  if (!domains.includes(name as Domain)) throw new UsageError(say('notADomain', { name }), command)
  return [name as Domain]
}

const usualMemory = (): string =>
  join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'countersign', 'audit.json')

const asJson = (
  ok: boolean,
  baseUrl: string,
  { kind, policy, rotated, unendorsed }: LogTrust,
  reports: readonly DomainReport[],
  memory: string,
  { say }: Speech,
) => ({
  ok,
  baseUrl,
  trust: { kind, keys: policy.logs.map(({ key }) => key.vkey), rotated, unendorsed },
  chains: reports.map(({ checks, ...report }) => ({
    ...report,
    sandbox: isSandboxLog(report.log),
    checks: checks.map(({ about, status, word, facts }) => ({
      ...{ about, status, code: word.replace(/^a /, ''), ...facts },
      message: say(word, facts),
    })),
  })),
  memory,
})
