/** The row of a decision that did not wait when it was recorded, and whose approval a policy of today refuses. */
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { policiesChanged } from './open-decision.ts'
import { beginWaiting, findEvent, policyCopy } from './queries.ts'
import { judgeWaiting } from './waiting.ts'

async function noteWaiting(tx: TenantTx, eventId: string, center: CenterProfile): Promise<void> {
  const event = await findEvent(tx, eventId)
  const row = event && judgeWaiting(await policyCopy(tx), event, center, now().toISOString())
  if (row) await beginWaiting(tx, [JSON.stringify(row)])
}

/** The caller gets the refusal whether or not the row can be written: the next refused approval writes it. */
export async function notingRefusal<T>(
  cells: Cells,
  { center, caller, eventId }: { center: CenterProfile; caller: Caller; eventId: string },
  approving: Promise<T>,
): Promise<T> {
  try {
    return await approving
  } catch (error) {
    const isNews =
      error instanceof Problem && (error.code === 'POLICY_VIOLATION' || error.details.reason === policiesChanged)
    if (isNews) {
      await cells
        .of(center.cell)
        .inTenant(caller, (tx) => noteWaiting(tx, eventId, center))
        .catch(() => {})
    }
    throw error
  }
}
