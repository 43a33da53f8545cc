/** Deletes expired rows in small steps, and rotates the signing key when it is old. */
import type { Logger } from 'pino'
import type { Tokens } from './access/tokens.ts'
import type { Config } from './config/config.ts'
import type { Cells } from './data/cells.ts'
import type { Directory } from './data/directory.ts'
import { keepWebhooks } from './features/automation/webhooks/api.ts'
import { keepExecutions } from './features/automation/workflows/api.ts'
import { keepChannels } from './features/evidence/channels/api.ts'
import { keepProviders } from './features/identity/oidc/api.ts'
import { cellExpiry, deleteExpired, directoryExpiry } from './jobs/queries.ts'
import type { SecretBox } from './lib/secret-box.ts'

interface HousekeepingNeeds {
  readonly box: SecretBox
  readonly config: Pick<Config, 'executionRetentionDays'>
  readonly cells: Cells
  readonly directory: Directory
  readonly log: Logger
  readonly tokens: Tokens
}

const rotateAfterDays = 30

export async function housekeepingJob(needs: HousekeepingNeeds, cellName: string): Promise<void> {
  const cell = needs.cells.of(cellName)
  const deleted: Record<string, number> = {}
  for (const table of cellExpiry) deleted[table] = await sweep(() => cell.asJobs((db) => deleteExpired(db, table)))
  deleted.webhooks = await keepWebhooks(needs.box, cell)
  deleted.executions = await keepExecutions(cell, needs.config.executionRetentionDays)
  await keepChannels(needs.box, cell)
  await keepProviders(needs.box, needs.directory)
  // The job of every cell tries; all but the first find nothing to do.
  for (const table of directoryExpiry) {
    deleted[table] = await sweep(() => needs.directory.asJobs((db) => deleteExpired(db, table)))
  }
  const rotated = await needs.tokens.rotateIfOlderThan(rotateAfterDays)
  needs.log.info({ cell: cellName, deleted, rotated }, 'housekeeping')
}

async function sweep(step: () => Promise<number>): Promise<number> {
  let total = 0
  for (let gone = await step(); gone > 0; gone = await step()) total += gone
  return total
}
