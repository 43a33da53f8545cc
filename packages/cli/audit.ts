/** `countersign audit`: compares all entries of a center's logs with signed checkpoints and with earlier audits. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Domain, domains, shownJson } from '@countersign/proof'
import { auditDomain, type DomainReport } from './audit-domain.ts'
import { chainLines, trustLines, verdictLines } from './audit-lines.ts'
import { readOptions, UsageError } from './command-line.ts'
import { help } from './help.ts'
import { byPolicy, byPublishedKeys, type LogTrust } from './log-trust.ts'
import { type Memory, MemoryError, recall, remember } from './memory.ts'
import { openProgress } from './progress.ts'
import { ChainBroken, openService, type Service, ServiceError } from './service.ts'
import { readPolicy } from './verify.ts'
import type { Speech } from './words.ts'

const ownOptions = {
  'base-url': 'string',
  key: 'string',
  'key-file': 'string',
  domain: 'string',
  memory: 'string',
  policy: 'string',
  wait: 'string',
} as const
const command = 'countersign audit'

export async function audit(args: readonly string[], spoken: Speech): Promise<number> {
  const { say } = spoken
  const { options, words } = readOptions(args, ownOptions, spoken, command)
  if (options.help) {
    process.stdout.write(help.audit[spoken.language])
    return 0
  }
  const misused = (message: string) => new UsageError(message, command)
  if (words[0] !== undefined) throw misused(say('extraArgument', { name: words[0] }))
  const baseUrl = baseUrlOf(options['base-url'], spoken)
  const asked = domainsOf(options.domain ?? 'all', spoken)
  const key = keyOf(options.key, options['key-file'], spoken)
  const file = options.memory ?? usualMemory()
  const policy = options.policy === undefined ? null : readPolicy(options.policy, spoken, command)
  const wait = Number(options.wait ?? 20)
  if (!(wait >= 0)) throw misused(say('optionNeedsValue', { name: '--wait' }))

  const progress = openProgress()
  const service = openService(baseUrl, key, spoken, progress.note)
  const reports: DomainReport[] = []
  try {
    let memory = recall(file)
    const now = new Date().toISOString()
    const trust = policy ? byPolicy(policy) : await publishedTrust(service, memory, now, spoken)
    const print = (lines: readonly string[]) => {
      progress.clear()
      if (!options.json) process.stdout.write(lines.map((line) => `${line}\n`).join(''))
    }
    print(trustLines(baseUrl, trust, options.policy, spoken))
    if (trust.kind !== 'policy') memory = remember(file, withKeys(trust, baseUrl))

    const fingerprint = hash('sha256', key, 'hex').slice(0, 16)
    for (const domain of asked) {
      const context = { service, trust, fingerprint, now, wait, progress, spoken }
      const { report, learn } = await auditDomain(domain, memory, context)
      reports.push(report)
      // Saved at once: a failure in a later chain must not lose the result for this one.
      memory = remember(file, learn)
      print(chainLines(report, spoken))
    }
    const ok = reports.every((report) => report.ok) && trust.unendorsed.length === 0
    print(verdictLines(ok, reports, file, spoken))
    if (options.json)
      process.stdout.write(`${shownJson(JSON.stringify(asJson(ok, baseUrl, trust, reports, file, spoken)))}\n`)
    return ok ? 0 : 1
  } catch (error) {
    progress.clear()
    if (error instanceof MemoryError) throw misused(say('badMemory', { file, why: error.message }))
    if (!(error instanceof ServiceError)) throw error
    process.stderr.write(`${error.message}\n`)
    return error instanceof ChainBroken || reports.some(({ ok }) => !ok) ? 1 : 2
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

/** Removes a trailing slash or the path of the API, which users may copy with the address. */
function baseUrlOf(given: string | undefined, { say }: Speech): string {
  if (given === undefined) throw new UsageError(say('noBaseUrl'), command)
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(say('badBaseUrl', { url: given }), command)
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api(?:\/v1)?$/, '')}`
}

function domainsOf(name: string, { say }: Speech): readonly Domain[] {
  if (name === 'all') return domains
  if (!domains.includes(name as Domain)) throw new UsageError(say('notADomain', { name }), command)
  return [name as Domain]
}

function keyOf(given: string | undefined, file: string | undefined, { say }: Speech): string {
  let key = given ?? process.env.COUNTERSIGN_API_KEY
  try {
    if (given === undefined && file !== undefined) key = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError((error as Error).message, command)
  }
  if (!key?.trim()) throw new UsageError(say('noKey'), command)
  return key.trim()
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
    checks: checks.map(({ about, status, word, facts }) => ({
      ...{ about, status, code: word.replace(/^a /, ''), ...facts },
      message: say(word, facts),
    })),
  })),
  memory,
})
