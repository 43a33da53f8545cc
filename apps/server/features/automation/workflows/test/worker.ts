/** The schedule work of a worker as single steps, so that a test can move the clock in between. */
import { syncSchedules } from '@countersign/server/features/automation/workflows/schedule-copy.ts'
import { fireDue } from '@countersign/server/features/automation/workflows/schedules.ts'
import type { TestServer } from '../../../../../../tests/support/server.ts'

export function scheduleWorker({ services }: TestServer) {
  const { catalogue, directory, centers, log, cells } = services
  const tools = { catalogue, directory, centers, log, fired: () => {} }
  const cell = cells.of('main')
  return {
    sync: () => syncSchedules(tools, cell),
    /** How many were started by this worker. */
    fire: () => fireDue(tools, cell),
  }
}
