/**
 * Trials that are over become PAST_DUE. Times are instants, so daylight saving does not move an end. Every cell runs this job:
 * the lock on the subscription lets one of them move it, and the others find it moved.
 */
import type { Authenticator } from '../../../access/authenticate.ts'
import type { Directory } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { putSubscription } from './change.ts'
import { lockSubscription, trialsOver } from './queries.ts'

interface EndTrialsNeeds {
  readonly authenticate: Authenticator
  readonly directory: Directory
}

/** Returns how many this run has ended. */
export async function endTrialsJob({ authenticate, directory }: EndTrialsNeeds): Promise<number> {
  let ended = 0
  for (;;) {
    const due = await directory.asJobs((db) => trialsOver(db, now()))
    if (due.length === 0) return ended
    for (const centerId of due) {
      const caller = { requestId: 'end-trials', actorId: 'end-trials', centerId }
      ended += await directory.asCenter(caller, async (tx) => {
        const row = await lockSubscription(tx, centerId)
        if (row?.status !== 'TRIAL' || row.current_period_end > now()) return 0
        await putSubscription(tx, row, { centerId, status: 'PAST_DUE' })
        tx.afterCommit(() => authenticate.forget(`center:${centerId}`))
        return 1
      })
    }
  }
}
