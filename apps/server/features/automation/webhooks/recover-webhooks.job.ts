/** Runs recoveries in steps of a thousand deliveries. Each step commits its progress, so a crash repeats nothing. */
import type { Cells } from '../../../data/cells.ts'
import { recoverStep } from './delivery-queries.ts'
import { runningRecoveries } from './delivery-worker-queries.ts'

export async function recoverWebhooksJob(
  { cells }: { readonly cells: Cells },
  cellName: string,
  stop: AbortSignal,
): Promise<void> {
  const cell = cells.of(cellName)
  for (const found of await cell.asJobs(runningRecoveries)) {
    let done = false
    while (!done && !stop.aborted) {
      done = await cell.inTenantJob(found.center_id, 'recover-webhooks', (tx) => recoverStep(tx, found))
    }
  }
}
