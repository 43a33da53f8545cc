/** Brings a center's event counts up to date, in steps short enough that recording hardly waits. */
import type { Services } from '../../../services.ts'
import { advanceMark } from './queries.ts'

const step = 10_000

export async function countEventsJob(
  services: Services,
  cellName: string,
  { centerId }: { centerId: number },
): Promise<void> {
  const cell = services.cells.of(cellName)
  for (;;) {
    const counted = await cell.inTenantJob(centerId, 'count-events', (tx) => advanceMark(tx, step))
    if (counted < step) return
  }
}
