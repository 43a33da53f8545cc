/** Updates a center's event counts, in steps short enough that recording hardly waits. */
import type { Cells } from '../../../data/cells.ts'
import { advanceMark } from './queries.ts'

const step = 10_000

export async function countEventsJob(
  { cells }: { readonly cells: Cells },
  cellName: string,
  { centerId }: { centerId: number },
): Promise<void> {
  const cell = cells.of(cellName)
  for (;;) {
    const counted = await cell.inTenantJob(centerId, 'count-events', (tx) => advanceMark(tx, step))
    if (counted < step) return
  }
}
