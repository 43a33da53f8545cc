/** Reads what the metrics show of a cell and needs a scan. */
import type { Cells } from './data/cells.ts'
import { breakerAt } from './delivery/health.ts'
import { webhookFigures } from './features/automation/webhooks/api.ts'
import { executionFigures } from './features/automation/workflows/api.ts'
import { type OpenWatching, witnessFigures } from './features/evidence/transparency/api.ts'
import { countBroken } from './integrity/verify-queries.ts'
import { now } from './lib/clock.ts'
import type { ShownFigures } from './lib/metrics-scanned.ts'
import type { Mail } from './mail/mail.ts'

interface FigureNeeds {
  readonly cells: Cells
  readonly figures: ShownFigures
  readonly mail: Pick<Mail, 'figures'>
  readonly watching: Pick<OpenWatching, 'policy'>
}

export async function readFiguresJob({ cells, figures, mail, watching }: FigureNeeds, cell: string): Promise<void> {
  const { asJobs } = cells.of(cell)
  const names = watching.policy.witnesses.flatMap(({ name, url }) => (url === null ? [] : [name]))
  // One after another: a scan must not take several connections from the jobs of the cell.
  const scanned = await asJobs(async (db) => ({
    brokenChains: await countBroken(db),
    webhooks: await webhookFigures(db, now(), breakerAt),
    executions: await executionFigures(db, now()),
    witnesses: await witnessFigures(db, names),
  }))
  const mails = cell === cells.all[0]?.name ? await mail.figures() : null
  figures.put(cell, { ...scanned, mails })
}
