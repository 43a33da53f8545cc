import * as contract from '@countersign/contract/dpu.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Cells } from '../../../data/cells.ts'
import { type Route, route } from '../../../http/route.ts'
import { recordUuid } from '../../../lib/ids.ts'
import { unknownDpu } from '../dpu/api.ts'
import { type VerifierNeeds, type Verifying, verifyCenter } from './center.ts'
import { verifyDpu } from './dpu.ts'
import { inTurn } from './run-limiter.ts'

interface VerificationNeeds extends VerifierNeeds {
  readonly cells: Cells
}

/** As the caller, in the center of the session; an alarm then names the request that found it. */
function asMember(needs: VerificationNeeds, { actorId, entered }: MemberPrincipal, requestId: string): Verifying {
  const { centerId, cell } = entered
  const caller = { requestId, actorId, centerId }
  return { needs, centerId, inCenter: (work) => needs.cells.of(cell).inTenant(caller, work) }
}

export const verificationRoutes = (needs: VerificationNeeds): Route[] => {
  const shared = inTurn()
  return [
    route(contract.verifyDpu, async ({ params, principal, requestId }, reply) => {
      const uuid = recordUuid(params.id)
      if (uuid === null) throw unknownDpu()
      const verifying = asMember(needs, principal, requestId)
      return reply(200, await shared(verifying.centerId, uuid, () => verifyDpu(verifying, uuid)))
    }),

    route(contract.verifyChain, async ({ query: { mode }, principal, requestId }, reply) => {
      const verifying = asMember(needs, principal, requestId)
      return reply(200, await shared(verifying.centerId, mode, () => verifyCenter(verifying, mode)))
    }),
  ]
}
