/** Deletes what has expired, in small steps, and rotates the signing key when it is old. */

import { keepWebhooks } from '../features/automation/webhooks/retention.ts'
import type { Services } from '../services.ts'
import { cellExpiry, deleteExpired, directoryExpiry } from './queries.ts'

const rotateAfterDays = 30

export async function housekeepingJob(services: Services, cellName: string): Promise<void> {
  const cell = services.cells.of(cellName)
  const deleted: Record<string, number> = {}
  for (const table of cellExpiry) deleted[table] = await sweep(() => cell.asJobs((db) => deleteExpired(db, table)))
  deleted.webhooks = await keepWebhooks(services, cell)
  // Every cell asks, and all but the first find nothing left to do.
  for (const table of directoryExpiry) {
    deleted[table] = await sweep(() => services.directory.asJobs((db) => deleteExpired(db, table)))
  }
  const rotated = await services.tokens.rotateIfOlderThan(rotateAfterDays)
  services.log.info({ cell: cellName, deleted, rotated }, 'housekeeping')
}

async function sweep(step: () => Promise<number>): Promise<number> {
  let total = 0
  for (let gone = await step(); gone > 0; gone = await step()) total += gone
  return total
}
