/** A stop as it is answered. */
import type { FreezeRule } from '../../../governance/rules.ts'
import { typedId } from '../../../lib/ids.ts'
import { coveredBy } from './freeze.ts'
import type { ShownFreeze } from './queries.ts'

export const shown = (row: FreezeRule | ShownFreeze) => {
  return {
    id: typedId('freeze', row.id),
    ...coveredBy(row),
    reason: row.reason,
    rank: row.rank,
    madeBy: row.made_by,
    madeAt: new Date(row.made_at).toISOString(),
    historyIndex: row.made_index,
    liftedBy: row.lifted_by ?? null,
    liftedAt: row.lifted_at ? new Date(row.lifted_at).toISOString() : null,
    liftReason: row.lift_reason ?? null,
  }
}
