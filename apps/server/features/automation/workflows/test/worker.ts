/** What a worker does for schedules, step by step, so that a test can turn the clock in between. */
import { fireDue, syncSchedules } from '@countersign/server/features/automation/workflows/schedules.ts'
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
