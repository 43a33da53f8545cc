/** Maintains waiting decisions: judges them again after a policy change, refuses expired ones, and notifies members. */
import type { CenterProfiles, KnownCenter } from '../../../access/center-profiles.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { expiryItem, judgeAgainUnder, policyCopy } from '../decision-events/api.ts'
import { tellInformed } from './inform.ts'
import { noteAsked, tellMembers } from './tell.ts'
import { noteConfirmers, sealLapsed, tellAdmins } from './tell-emergencies.ts'
import type { TellNeeds } from './tell-needs.ts'
import { centersWithWaiting, expiredDecisions, judgeAgain, judgedUnderOthers, noteJudged } from './waiting-queries.ts'

export interface WaitingNeeds extends TellNeeds {
  readonly sequencer: Sequencer
  readonly cells: Cells
  readonly centers: CenterProfiles
}

const step = 200

/** One center after a decision began to wait there or its policies changed; all centers by schedule. */
export async function waitingDecisionsJob(
  needs: WaitingNeeds,
  cellName: string,
  data: { readonly centerId?: number } | null,
): Promise<void> {
  const cell = needs.cells.of(cellName)
  const centerIds = data?.centerId === undefined ? await cell.asJobs(centersWithWaiting) : [data.centerId]
  for (const centerId of centerIds) {
    const center = await needs.centers.profile(centerId)
    await judgeOpenRows(cell, center)
    await refuseExpired(needs, cell, center)
    await sealLapsed(needs, cell, center)
    await noteAsked(needs, cell, center)
    await noteConfirmers(needs, cell, center)
    await tellMembers(needs, cell, center)
    await tellInformed(needs, cell, center)
    await tellAdmins(needs, cell, center)
  }
}

/** The policies that asked when a decision began to wait keep asking; current policies add to them. */
async function judgeOpenRows(cell: Cell, center: KnownCenter): Promise<void> {
  for (;;) {
    const judged = await cell.inTenantJob(center.centerId, 'waiting-decisions', async (tx) => {
      const copy = await policyCopy(tx)
      const rows = await judgedUnderOthers(tx, copy.versions, step)
      for (const { waiting, event } of rows) {
        const row = judgeAgainUnder(copy, { waiting, event }, center)
        if (row) await judgeAgain(tx, row)
        else await noteJudged(tx, event.id, copy.versions)
      }
      return rows.length
    })
    if (judged < step) return
  }
}

/** A decision that cannot be sealed now stays expired: no approval of it is accepted, and the next run tries again. */
async function refuseExpired({ sequencer, log }: WaitingNeeds, cell: Cell, center: KnownCenter): Promise<void> {
  const { centerId } = center
  const caller = { requestId: 'waiting-decisions', actorId: 'countersign', centerId }
  const ids = await cell.inTenantJob(centerId, 'waiting-decisions', (tx) => expiredDecisions(tx, now(), step))
  for (const id of ids) {
    try {
      await sequencer.seal({ ...expiryItem(id, center, caller), center, caller })
    } catch (error) {
      log.error({ err: error, centerId }, 'the refusal of an expired decision could not be sealed')
    }
  }
}
