/** Cancels an execution as the API does. */
import { cancellation } from '@countersign/server/features/automation/workflows/cancel.ts'
import { type Ended, sealOutcome } from '@countersign/server/features/automation/workflows/end.ts'
import { findExecution } from '@countersign/server/features/automation/workflows/queries.ts'
import type { Services } from '@countersign/server/services.ts'

export interface ToCancel {
  readonly centerId: number
  readonly id: string
}

const person = { actorId: 'chaos', name: 'Chaos', entered: { role: 'ADMIN' } }

/** False where the execution has ended before. */
export async function cancelExecution(services: Services, { centerId, id }: ToCancel): Promise<boolean> {
  const { cells, centers, catalogue, sequencer } = services
  const caller = { requestId: 'chaos', actorId: person.actorId, centerId }
  const row = await cells.of('main').inTenant(caller, (tx) => findExecution(tx, id))
  if (!row) throw new Error(`there is no execution ${id}`)
  const center = await centers.profile(centerId)
  const ended = await sealOutcome(cancellation(row, { center, caller, person, catalogue }), async (item) => {
    const sealed = await sequencer.seal<Ended | null>({ ...item, center, caller })
    return 'result' in sealed ? sealed.result : null
  })
  return ended !== null
}
