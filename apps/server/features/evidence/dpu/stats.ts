/** Statistics of the whole platform: sums of counters over all cells, without the name of a center. */
import type { getDpuStats } from '@countersign/contract/dpu-stats.ts'
import { evidenceLevels, verticals } from '@countersign/contract/enums.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import { lookupCache } from '../../../lib/lookup-cache.ts'
import { type CountRow, dpuCounts } from './queries.ts'

export type Counts = Omit<PayloadOf<(typeof getDpuStats)['spec'], 200>, 'center'>

export function countsOf(rows: readonly CountRow[]): Counts {
  const sum = (which: (row: CountRow) => boolean) =>
    rows.filter(which).reduce((total, { dpus }) => total + Number(dpus), 0)
  const by = (names: readonly string[], of: (row: CountRow) => string) =>
    Object.fromEntries(names.map((name) => [name, sum((row) => of(row) === name)]))
  return {
    total: sum(() => true),
    byEvidenceLevel: by(evidenceLevels, (row) => row.evidence_level) as Counts['byEvidenceLevel'],
    byVertical: by(verticals, (row) => row.vertical) as Counts['byVertical'],
  }
}

/**
 * Queries every cell at most once in two seconds, for any number of callers. A cell that does not answer counts with the
 * numbers of its last answer.
 */
export function platformCounts(cells: Cells): () => Promise<Counts> | Counts {
  const known = new Map<Cell, readonly CountRow[]>()
  async function rowsOf(cell: Cell): Promise<readonly CountRow[]> {
    const rows = await cell.asPublic(dpuCounts).catch((error: unknown) => {
      const last = known.get(cell)
      if (!last) throw error
      return last
    })
    known.set(cell, rows)
    return rows
  }
  const counts = lookupCache<Counts>({
    maxAgeMs: 2000,
    load: async () => countsOf((await Promise.all(cells.all.map(rowsOf))).flat()),
    tagsOf: () => null,
  })
  return () => counts.get('platform')
}
