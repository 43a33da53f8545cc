/** The consumption of an approval in the name of the request that asked for it. */

import { Problem } from '../../../lib/problem.ts'
import type { SealItem } from '../../../sealing/batch.ts'
import type { Decided } from '../agents/api.ts'
import { consumptionItem, type readSealed } from '../executions/api.ts'

type Sealed = Exclude<Awaited<ReturnType<typeof readSealed>>, undefined>
type Parameters4 = Parameters<typeof consumptionItem>

/** A decision that needed no approval, such as one that `decide` recorded under the same key, is none for a gateway. */
export function requireAnswered(sealed: Sealed | undefined, { action_salt }: Decided['event']): Sealed {
  if (sealed?.approval?.result !== 'approved') {
    throw new Problem(
      'CONFLICT',
      'This decision was sealed without an approval, so it isn\'t an answer for a gateway. Send the request with a new "approval_request_id".',
    )
  }
  if (action_salt === null) {
    throw new Problem(
      'CONFLICT',
      'The action of this decision has been redacted, so it can\'t be compared with the request. Send the request with a new "approval_request_id".',
    )
  }
  return sealed
}

/** Until the deadline only: afterwards the gateway has given up. */
export function consumedInTime(
  eventId: string,
  consumption: Parameters4[1],
  deadline: string,
  { acting, sealed }: { readonly acting: Parameters4[2]; readonly sealed: Sealed },
): Pick<SealItem<unknown>, 'holds' | 'judge'> {
  const { holds, judge } = consumptionItem(eventId, consumption, acting, sealed)
  return {
    holds,
    judge(batch) {
      if (deadline <= batch.at) {
        throw new Problem(
          'CONFLICT',
          `The request could only be answered until ${deadline}. Don't run the action; send a new request instead.`,
          { details: { reason: 'stale' } },
        )
      }
      return judge(batch)
    },
  }
}
