/** Audits one domain, from its checkpoint to the stored memory. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Domain, emptyRoot, familyOf } from '@countersign/proof'
import { auditChain } from './audit-chain.ts'
import { type Check, check, type ReadCheckpoint, readCheckpoint, type SignedCheckpoint } from './checks.ts'
import type { ValuedEntry } from './entry-lines.ts'
import type { LogTrust } from './log-trust.ts'
import { type LogMemory, type Memory, newLog, withAudit, withContradiction } from './memory.ts'
import { bar, type Progress } from './progress.ts'
import type { Service } from './service.ts'
import type { Speech } from './words.ts'

export interface AuditContext {
  readonly service: Service
  readonly trust: LogTrust
  /** Of the API key. */
  readonly fingerprint: string
  readonly now: string
  /** Seconds to wait for the witnesses of the newest checkpoint. */
  readonly wait: number
  readonly progress: Progress
  /** Whether to download what the commitments stand for, too. */
  readonly withValues: boolean
  /** Sees every entry of the domain. */
  readonly watch: (entry: ValuedEntry) => void
  readonly spoken: Speech
}

export interface DomainReport {
  readonly domain: Domain
  readonly log: string
  readonly size: number
  readonly ok: boolean
  readonly checks: readonly Check[]
  /** When the contradicting earlier checkpoint was seen. */
  readonly contradictedAt: string | null
}

/** `learn` adds the result of this audit to the memory. */
export async function auditDomain(
  domain: Domain,
  memory: Memory,
  context: AuditContext,
): Promise<{ report: DomainReport; learn: (memory: Memory) => Memory }> {
  const { fingerprint, now } = context
  const { log, read } = await newestCheckpoint(domain, context)
  const { checkpoint } = read
  const { first } = familyOf(log)
  const center = first.slice(0, -1 - domain.length)
  const moved = movedCenter(memory, fingerprint, center, log)
  const isOwn = first === `${center}/${domain}` && /^[^\s]+\/c\/\d+$/.test(center)
  const stranger = isOwn ? [] : [check('root', 'no', 'a another-log', { log })]
  const early = [...stranger, ...moved, ...read.checks]
  const memoryOf = (name: string) => memory.logs[name] ?? newLog
  const result = (checks: readonly Check[], size: number, contradictedAt: string | null = null): DomainReport => ({
    ...{ domain, log, size, checks, contradictedAt },
    ok: checks.every(({ status }) => status !== 'no'),
  })
  if (checkpoint === null || stranger.length > 0 || moved.length > 0)
    return { report: result(early, 0), learn: (same) => same }

  const show = downloadLine(domain, checkpoint.size, context)
  const audited = await auditChain(context.service, domain, checkpoint, memoryOf, show, context)
  const checks = [...audited.checks, ...early].sort((one, other) => place(one) - place(other))
  const ok = checks.every(({ status }) => status !== 'no')
  const { contradicted, seen } = audited
  // An unsigned checkpoint is not evidence.
  const isSigned = early.some(({ about, status }) => about === 'signed' && status === 'yes')
  function learned(of: LogMemory): LogMemory {
    if (ok && seen) return withAudit(of, { at: now, ...seen })
    if (!contradicted || !isSigned || !checkpoint) return of
    const { at, size, note } = contradicted.seen
    const { prefix } = contradicted
    return withContradiction(of, { at: now, note: checkpoint.note, prefix, contradicts: { at, size, note } })
  }
  return {
    report: result(checks, checkpoint.size, contradicted && isSigned ? contradicted.seen.at : null),
    learn: (before) => ({
      ...before,
      centers: ok ? { ...before.centers, [fingerprint]: center } : before.centers,
      logs: { ...before.logs, [log]: learned(before.logs[log] ?? newLog) },
    }),
  }
}

const order = ['entries', 'root', 'generations', 'signed', 'witnessed', 'continues', 'proofs']
const place = ({ about }: Check): number => order.indexOf(about)

/** A valid log of another center must not replace the log of this one. */
function movedCenter({ centers }: Memory, fingerprint: string, center: string, log: string): readonly Check[] {
  const before = centers[fingerprint]
  if (before === undefined || before === center) return []
  return [check('continues', 'no', 'a another-center', { before, log })]
}

/** Witnesses cosign a few seconds after the log signs, so the audit waits for them. */
async function newestCheckpoint(
  domain: Domain,
  { service, trust, wait, progress, spoken }: AuditContext,
): Promise<{ log: string; read: ReadCheckpoint }> {
  for (let waited = 0; ; waited++) {
    const { log, checkpoint: written } = await service.checkpoint(domain)
    const read =
      written === null ? await nothingSigned(service, domain, log) : readCheckpoint(written, log, trust.policy)
    const isAlone = read.checks.some(({ word }) => word === 'a quorum-not-met')
    if (!isAlone || waited >= wait) return { log, read }
    progress.show(() => spoken.say('waitsWitnesses'))
    await sleep(1000)
  }
}

/** An empty chain has no checkpoint; if it was not empty at the last audit, its size shows the difference. */
async function nothingSigned(service: Service, domain: Domain, log: string): Promise<ReadCheckpoint> {
  for await (const batch of service.entries(domain)) {
    if (batch.length > 0) return { checkpoint: null, checks: [check('root', 'no', 'a checkpoint-missing')] }
  }
  const checkpoint: SignedCheckpoint = { origin: log, size: 0, root: emptyRoot, note: '' }
  return { checkpoint, checks: [] }
}

function downloadLine(domain: Domain, total: number, { progress, spoken }: AuditContext): (done: number) => void {
  const began = performance.now()
  return (done) =>
    progress.show(() => {
      const seconds = (performance.now() - began) / 1000
      const rate = done / seconds
      const left = spoken.say('timeLeft', { seconds: (total - done) / rate })
      return `${bar(done, total)} ${spoken.say('downloading', { domain, done, total, rate })}${left}`
    })
}
