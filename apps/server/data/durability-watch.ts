/**
 * Watches durability while a process runs. It is required when the process begins to use a database, but a failover can take it away,
 * and under DURABILITY=strict the next start would then be refused. The log, a metric and an alert warn before that happens.
 */
import type { Logger } from 'pino'
import { type Loop, loop } from '../concurrency/loop.ts'
import type { DurabilityMode, Logins } from '../config/config.ts'
import { durabilityFaults, readDurability } from './durability.ts'
import { loginUrl } from './logins.ts'
import { type MigrationTarget, targetDatabases, withDatabase } from './migration-status.ts'

const everyMs = 60_000

export interface DurabilityWatch extends Loop {
  look(): Promise<void>
  /** By database: how many settings let it lose what it acknowledged. Empty where DURABILITY is `off`. */
  faults(): ReadonlyMap<string, number>
}

interface Target extends MigrationTarget {
  readonly logins: Logins
  readonly durability: DurabilityMode
}

export function durabilityWatch(target: Target, log: Logger): DurabilityWatch {
  const found = new Map<string, number>()

  async function look(): Promise<void> {
    if (target.durability === 'off') return
    for (const { name, url } of targetDatabases(target)) {
      const settings = await withDatabase(loginUrl(url, 'cs_api', target.logins), readDurability)
      const faults = durabilityFaults(settings)
      if (faults.length > (found.get(name) ?? faults.length)) {
        const said = faults.map(([fault]) => fault).join('; ')
        const next =
          target.durability === 'strict' ? ' With DURABILITY=strict the next start of a process is refused.' : ''
        log.error({ database: name }, `The ${name} database may now lose what it has acknowledged: ${said}.${next}`)
      }
      found.set(name, faults.length)
    }
  }
  const failure = 'the durability of a database could not be read'
  return { ...loop({ everyMs, turn: look, log, failure }), look, faults: () => found }
}
