/** Deletes executions that ended long ago, with their steps. The units that they left, and the audit, stay. */
import type { Cell } from '../../../data/cells.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { deleteEnded } from './runner-queries.ts'

/** In small steps; returns how many were deleted. */
export async function keepExecutions(cell: Cell, keptDays: number): Promise<number> {
  const before = secondsFromNow(-keptDays * 86_400)
  let total = 0
  for (let gone = 1; gone > 0; total += gone) gone = await cell.asRunner((db) => deleteEnded(db, before))
  return total
}
