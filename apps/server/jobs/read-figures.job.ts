/** Reads what the metrics show of a cell and needs a scan. */
import { webhookFigures } from '../features/automation/webhooks/delivery-worker-queries.ts'
import { breakerAt } from '../features/automation/webhooks/endpoint.ts'
import { executionFigures } from '../features/automation/workflows/runner-queries.ts'
import { witnessFigures } from '../features/evidence/transparency/publisher-queries.ts'
import { countBroken } from '../integrity/verify-queries.ts'
import { now } from '../lib/clock.ts'
import type { Services } from '../services.ts'

type Read = Pick<Services, 'cells' | 'figures' | 'mail' | 'watching'>

export async function readFiguresJob({ cells, figures, mail, watching }: Read, cell: string): Promise<void> {
  const { asJobs } = cells.of(cell)
  const names = watching.policy.witnesses.flatMap(({ name, url }) => (url === null ? [] : [name]))
  // One after another: a scan must not take several connections from the jobs of the cell.
  const brokenChains = await asJobs(countBroken)
  const webhooks = await asJobs((db) => webhookFigures(db, now(), breakerAt))
  const executions = await asJobs((db) => executionFigures(db, now()))
  const witnesses = await asJobs((db) => witnessFigures(db, names))
  const mails = cell === cells.all[0]?.name ? await mail.figures() : null
  figures.put(cell, { brokenChains, webhooks, executions, witnesses, mails })
}
