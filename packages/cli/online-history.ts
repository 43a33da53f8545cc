/** The changes that the log of a center has today, downloaded and checked like an audit, for `verify --online`. */
import { domains, type TrustPolicy } from '@countersign/proof'
import { auditDomain } from './audit-domain.ts'
import { chainLines } from './audit-lines.ts'
import { UsageError } from './command-line.ts'
import { inLines, tell } from './fold.ts'
import { type Changes, collectChanges } from './later-changes.ts'
import { byPolicy } from './log-trust.ts'
import { newMemory } from './memory.ts'
import { openProgress } from './progress.ts'
import { baseUrlOf, keyOf } from './server-options.ts'
import { openService, ServiceError } from './service.ts'
import type { Speech } from './words.ts'

export interface OnlineHistory {
  readonly changes: Changes
  /** The log of changes that the key belongs to. */
  readonly log: string
  readonly size: number
  /** Losses that the center's logs have declared since the file was made. */
  readonly declarations: readonly unknown[]
}

export interface OnlineOptions {
  readonly 'base-url'?: string
  readonly key?: string
  readonly 'key-file'?: string
}

const command = 'countersign verify'

/** The exit code instead, where the log does not hold or the server could not be asked. */
export async function lookUp(
  options: OnlineOptions,
  { policy }: { readonly policy: TrustPolicy | null },
  spoken: Speech,
): Promise<OnlineHistory | number> {
  if (policy === null) throw new UsageError(spoken.say('onlineNeedsPolicy'), command)
  const baseUrl = baseUrlOf(options['base-url'], spoken, command)
  const key = keyOf(options.key, options['key-file'], spoken, command)
  const progress = openProgress()
  const service = openService(baseUrl, key, spoken, progress.note)
  const changes = collectChanges()
  const now = new Date().toISOString()
  const context = {
    service,
    trust: byPolicy(policy),
    fingerprint: '',
    now,
    wait: 20,
    progress,
    spoken,
    withValues: false,
    watch: changes.watch,
  }
  try {
    const { report } = await auditDomain('history', newMemory, context)
    progress.clear()
    if (report.ok) {
      const declarations = await Promise.all(domains.map((domain) => service.declarations(domain)))
      return { changes, log: report.log, size: report.size, declarations: declarations.flat() }
    }
    tell(inLines(chainLines(report, spoken)))
    return 1
  } catch (error) {
    progress.clear()
    if (!(error instanceof ServiceError)) throw error
    tell(`${error.message}\n`, process.stderr)
    return 2
  }
}
