/** The API of this feature: closes the logs of a center and deletes its data, for the operator. */
import { type Domain, domains } from '@countersign/proof/chain.ts'
import type { Cell, TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { closingCheckpoint, type Watching } from '../../evidence/transparency/api.ts'
import { type ClosedLog, closedLogs, keepClosed, keepRecordIds, lockHeads } from './closing-queries.ts'
import { newestExport } from './queries.ts'

export { anonymizeCenter, forgetRows, isInactive, markLeft } from './closing-queries.ts'

/**
 * Closes the three logs in one transaction that holds their heads. Repeated, it returns what was closed. `withoutExport`:
 * the center is closed whether or not a complete export has all entries.
 */
export const closeLogs = (
  cell: Cell,
  centerId: number,
  by: string,
  watching: Watching,
  withoutExport: boolean,
): Promise<readonly ClosedLog[]> =>
  cell.inTenantJob(centerId, by, async (tx) => {
    const heads = await lockHeads(tx)
    const before = await closedLogs(tx)
    if (before.length > 0) return before
    if (!withoutExport) await requireExport(tx, heads)
    for (const domain of domains) {
      const closing = await closingCheckpoint(tx, watching, domain, heads.get(domain) ?? 0)
      await keepClosed(tx, { ...closing, domain }, now())
    }
    await keepRecordIds(tx)
    return closedLogs(tx)
  })

async function requireExport(tx: TenantTx, heads: ReadonlyMap<Domain, number>): Promise<void> {
  const newest = await newestExport(tx)
  if (newest?.status !== 'completed') {
    throw new Problem(
      'CONFLICT',
      'The center has no complete export. Ask an administrator to create one, or repeat the command with --without-export.',
      { details: { reason: 'noExport' } },
    )
  }
  const grown = domains.find((domain) => heads.get(domain) !== newest.sizes[domain])
  if (grown === undefined) return
  throw new Problem(
    'CONFLICT',
    `The log "${grown}" has ${heads.get(grown)} entries, but the newest export has ${newest.sizes[grown] ?? 0}. Ask an administrator to create a new export, or repeat the command with --without-export.`,
    { details: { reason: 'oldExport' } },
  )
}
